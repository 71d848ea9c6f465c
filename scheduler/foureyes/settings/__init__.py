"""Settings: what the operator declares, from code, environment and files, and where each value came from."""

from foureyes.settings.model import Settings

__all__ = ["Settings"]
