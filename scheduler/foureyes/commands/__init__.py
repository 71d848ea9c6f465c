"""The subcommands of ``foureyes``, a module each: ``add_arguments(parser)`` and ``run(args) -> int``."""
