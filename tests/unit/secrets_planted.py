"""Secrets that nobody has ever used, and how one sees whether they got out."""

from __future__ import annotations

from foureyes_reviewers.redaction import Redactor

BY_FORM = Redactor()
PEM_BODY = "\n".join(f"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA{line:020d}" for line in range(20))
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{PEM_BODY}\n-----END RSA PRIVATE KEY-----"


def leaks(secret: str, text: str, least: int = 6) -> bool:
    """Tell whether a run of so many characters of the secret stands in the text."""
    return any(secret[place : place + least] in text for place in range(max(1, len(secret) - least + 1)))


_WRITTEN = {
    "aws": "AKI§AIOSFODNN7EXAMPLE",
    "aws session": "ASI§AIOSFODNN7EXAMPLE",
    "google": "AIz§aSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
    "google oauth": "ya2§9.a0AfH6SMBx-Tt0cHRqkqbXlqWQ",
    "azure": "abc§8Q~dEfGhIjKlMnOpQrStUvWxYz0123456789a",
    "github": "ghp§_16C7e42F292c6912E7710c838347Ae178B4a",
    "github fine": "git§hub_pat_11ABCDEFG0123456789_abcdefghij",
    "gitlab": "glp§at-x1Y2z3A4b5C6d7E8f9G0",
    "slack": "xox§b-123456789012-abcdefABCDEF",
    "stripe": "sk_§live_4eC39HqLyjWDarjtT1zdp7dc",
    "openai": "sk-§proj-a1b2C3d4E5f6G7h8I9j0",
    "anthropic": "sk-§ant-api03-a1b2C3d4E5f6G7h8I9j0",
    "hugging face": "hf_§a1b2C3d4E5f6G7h8I9j0k1L2m3N4",
    "npm": "npm§_a1b2C3d4E5f6G7h8I9j0k1L2m3N4o5P6q7R8",
    "sendgrid": "SG.§a1b2C3d4E5f6G7h8I9j0kL.a1b2C3d4E5f6G7h8I9j0k1L2m3N4",
    "telegram": "123§4567890:AAa1b2C3d4E5f6G7h8I9j0k1L2m3N4o5P6q",
    "jwt": "eyJ§hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    "field case": "sk-§live-0123456789abcdef0123",
}
TOKENS = {maker: token.replace("§", "") for maker, token in _WRITTEN.items()}
"""Made up, and put together here so that nobody who scans the sources takes them for real."""

SECRET = 'p@ss/word+"1" \\ ünï&=?2'
PLAIN = "Zq7-vB3xK9mT"
KNOWN = Redactor([SECRET, PLAIN])
