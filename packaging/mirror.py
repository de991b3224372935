"""A mirror of the package index and of Debian, for the tests: it fetches what it is asked for, and logs it.

python mirror.py PORT LOG [DEBIAN]      serves /simple/, /files/ and /debian/, on this machine only
"""

from __future__ import annotations

import shutil
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

# Only these, and the archive of Debian that is named.
INDEX, FILES = "https://pypi.org/simple/", "https://files.pythonhosted.org/"


class Mirror(BaseHTTPRequestHandler):
    """Answers with what the original answers; links of the index lead here again."""

    debian = "http://deb.debian.org/debian"

    def do_GET(self) -> None:
        """One file of an original."""
        _, kind, rest = self.path.split("/", 2)
        originals = {"simple": INDEX, "files": FILES, "debian": self.debian.rstrip("/") + "/"}
        headers = {"Accept": "text/html"} if kind == "simple" else {}
        try:
            request = Request(originals[kind] + rest, headers=headers)  # noqa: S310 - as said above
            with urlopen(request) as answer:  # noqa: S310
                self.send_response(200)
                if kind == "simple":
                    page = answer.read().replace(FILES.encode(), b"/files/")
                    self.send_header("Content-Type", "text/html")
                    self.send_header("Content-Length", str(len(page)))
                    self.end_headers()
                    self.wfile.write(page)
                else:
                    self.send_header("Content-Length", answer.headers["Content-Length"])
                    self.end_headers()
                    shutil.copyfileobj(answer, self.wfile)
        except (KeyError, HTTPError):
            self.send_error(404)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002, ARG002
        """Into the log, one line for each request."""
        with Path(sys.argv[2]).open("a", encoding="utf-8") as log:
            log.write(f"{self.requestline}\n")


if __name__ == "__main__":
    Mirror.debian = sys.argv[3] if len(sys.argv) > 3 else Mirror.debian
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Mirror).serve_forever()
