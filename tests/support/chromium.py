"""The browser of the system, for Playwright."""

import shutil

NAMES = ('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')
OPTIONS = [
    '--no-sandbox',  # it runs as root in containers
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
]


def chromium() -> str | None:
    """Its path; None where there is none (`apt-get install chromium`)."""
    return next(filter(None, map(shutil.which, NAMES)), None)
