"""A receiver of events. Needs `pip install standardwebhooks`; run with
WEBHOOK_SECRET=whsec_... python3 receiver.py 9000"""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks import Webhook

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
seen = set()  # in your database: events come at least once


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The signature is over these very bytes: verify first, parse afterwards.
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            webhook.verify(body, dict(self.headers.items()))
        except Exception:  # a signature that is none at all raises other errors too
            return self.answer(400)
        event = json.loads(body)
        if event["data"]["evtIdentifier"] not in seen:
            seen.add(event["data"]["evtIdentifier"])
            print(event["type"], event["data"]["evtIdentifier"], flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
print("ready", server.server_address[1], flush=True)
server.serve_forever()
