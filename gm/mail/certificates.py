"""What to say about a server's certificate that cannot be verified."""

from __future__ import annotations

import ssl

UNKNOWN_ISSUERS = {18, 19, 20, 21}
"""OpenSSL's X509_V_ERR_* for a certificate that signed itself, and for an issuer who is not known."""


def describe_untrusted(error: ssl.SSLCertVerificationError) -> str:
    advice = "; a CA of your own belongs in the system's list, or in a file that SSL_CERT_FILE names"
    return f"shows a certificate we cannot trust: {error.verify_message}" + (
        advice if error.verify_code in UNKNOWN_ISSUERS else ""
    )
