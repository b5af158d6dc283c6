"""A receiver of events on this machine, without TLS. It makes the endpoint at the gateway, accepts
what is delivered until its input ends, and counts.

receiver.py ADDRESS PORT AUTHORITY, with IDENTITY:KEY as the first line of standard input. It prints
`ready`, and at its end one line of JSON."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from merchant import Connection, trusted

address, port, authority = sys.argv[1:]
credentials = sys.stdin.readline().strip()
lock = threading.Lock()
state = {"deliveries": 0}
# Numbers instead of texts: there are hundreds of thousands.
seen = set()


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        with lock:
            state["deliveries"] += 1
            seen.add(hash(self.headers.get("webhook-id")))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


server = Server(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
endpoint = {"whkUrl": f"http://127.0.0.1:{server.server_address[1]}/"}
connection = Connection((address, int(port)), trusted(authority), credentials)
status, text = connection.ask("POST", "/webhook/endpoint", json.dumps(endpoint))
if status not in (200, 201):
    raise SystemExit(f"no endpoint: {status} {text[:300]}")
print("ready", flush=True)
sys.stdin.read()
with lock:
    print(json.dumps({"deliveries": state["deliveries"], "events": len(seen)}), flush=True)
