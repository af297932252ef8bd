#!/usr/bin/env python3
"""serve.py SITE PORT: the site on this machine alone."""
import functools
import http.server
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm", ".js": "text/javascript"}

    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_):
        pass


try:
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), functools.partial(Handler, directory=sys.argv[1])).serve_forever()
except OSError as error:
    sys.exit(f"web: port {sys.argv[2]}: {error.strerror}; --port N takes another")
except KeyboardInterrupt:
    pass
