"""Answers GET /orders/ID with an order in JSON: its 20 lines, and what they cost."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ORDERS = 1000
LINES = 20


def order(id):
    """The order of that number, as an object."""
    lines = []
    for line in range(LINES):
        article = (id * 31 + line * 7) % 997
        lines.append({"article": f"article {article}", "price": round(article / 7, 2)})
    return {"id": id, "lines": lines, "total": round(sum(line["price"] for line in lines), 2)}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # one write an answer

    def do_GET(self):
        id = self.path.removeprefix("/orders/")
        if not id.isdecimal():
            return self.send_error(404)
        body = json.dumps(order(int(id) % ORDERS)).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1000


Server(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
