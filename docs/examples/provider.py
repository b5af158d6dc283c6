#!/usr/bin/env python3
"""A provider that speaks the provider protocol, in Python's standard library alone.

It sells airtime, lists what it sells, replays duplicates and seals what it never saw: grade A. Copy it, and put your own
delivery into `deliver`. See docs/provider-protocol/README.md.

    provider.py --listen 127.0.0.1:9200 --keys keys --store provider.sqlite3
"""

import argparse
import base64
import datetime
import hashlib
import hmac
import json
import re
import signal
import sqlite3
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BODY_MAX = 64 * 1024
WINDOW = 300  # seconds that the clocks of both sides may be apart
REFERENCE = re.compile(r"[A-Za-z0-9._:-]{1,128}")
PROFILE = {
    "duplicate": "replay",
    "absence": {"kind": "sealed"},
    "settleSeconds": 60,
    "reversalDays": 0,
    "retentionDays": 3650,
    "maxConcurrent": 32,
    "perSecond": 100,
    "deadlineSeconds": 15,
}
CODES = [
    {"code": "51", "kind": "order", "meaning": "the operator refuses the number"},
    {"code": "interrupted", "kind": "moment", "meaning": "the provider stopped before it delivered"},
]

# What is sold, by the product of the gateway. Limits are whole kobo.
OFFERS = [
    {"product": "airtime." + operator, "code": operator, "name": name, "available": True,
     "minimum": {"minor": 5000, "currency": "NGN"}, "maximum": {"minor": 5000000, "currency": "NGN"}}
    for operator, name in [("mtn", "MTN"), ("glo", "Glo"), ("airtel", "Airtel"), ("9mobile", "9mobile")]
]
OFFERS_PAGE_MAX = 50


# --- Signatures: RFC 9421, one fixed profile -----------------------------------------------------

def digest(body):
    return "sha-256=:%s:" % base64.b64encode(hashlib.sha256(body).digest()).decode()


def tag(secret, lines, params):
    base = "".join("%s: %s\n" % line for line in lines) + '"@signature-params": ' + params
    return hmac.new(secret, base.encode(), "sha256").digest()


def covered(lines):
    return "(%s)" % " ".join(name for name, _ in lines)


class Signatures:
    PARAMS = re.compile(r';created=(\d+);keyid="([\w.-]+)"(?:;nonce="([\w.-]+)")?;alg="hmac-sha256"')

    def __init__(self, text):
        lines = [line.split() for line in text.splitlines() if line.strip() and line[0] != "#"]
        self.keys = {name: base64.b64decode(secret) for name, secret in lines}
        self.signer = lines[0][0]
        self.nonces = {}
        self.lock = threading.Lock()

    def verify(self, method, uri, headers, body):
        """Whether a request is authentic, fresh, and seen for the first time."""
        if headers["Content-Type"] != "application/json" or headers["Content-Digest"] != digest(body):
            return False
        lines = [("\"@method\"", method), ("\"@target-uri\"", uri),
                 ("\"content-type\"", "application/json"), ("\"content-digest\"", digest(body))]
        given, signature = headers["Signature-Input"] or "", headers["Signature"] or ""
        start = "manilla=" + covered(lines)
        params = self.PARAMS.fullmatch(given[len(start):])
        if not given.startswith(start) or not params or not params[3] or params[2] not in self.keys:
            return False
        right = tag(self.keys[params[2]], lines, given[len("manilla="):])
        right = "manilla=:%s:" % base64.b64encode(right).decode()
        now = time.time()
        if not hmac.compare_digest(right, signature) or abs(now - int(params[1])) > WINDOW:
            return False
        with self.lock:
            self.nonces = {nonce: at for nonce, at in self.nonces.items() if at >= now - WINDOW}
            used = params[3] in self.nonces
            self.nonces[params[3]] = int(params[1])
        return not used

    def sign(self, status, body, method, uri, signature):
        """The headers of an answer, bound to its request."""
        lines = [("\"@status\"", status), ("\"content-digest\"", digest(body)),
                 ("\"@method\";req", method), ("\"@target-uri\";req", uri),
                 ("\"signature\";req", signature)]
        params = '%s;created=%d;keyid="%s";alg="hmac-sha256"' % (
            covered(lines), time.time(), self.signer)
        value = base64.b64encode(tag(self.keys[self.signer], lines, params)).decode()
        return {"Content-Digest": digest(body), "Signature-Input": "manilla=" + params,
                "Signature": "manilla=:%s:" % value}


# --- The store: a reference is on the disk before anything is delivered ----------------------------

class Store:
    def __init__(self, path):
        self.lock = threading.Lock()
        self.db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self.db.executescript("""
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            CREATE TABLE IF NOT EXISTS attempts (
                reference TEXT PRIMARY KEY, hash TEXT, service TEXT, minor INTEGER, currency TEXT,
                beneficiary TEXT, state TEXT NOT NULL, code TEXT, at TEXT NOT NULL);
            CREATE TABLE IF NOT EXISTS deliveries (
                reference TEXT PRIMARY KEY, beneficiary TEXT NOT NULL, minor INTEGER NOT NULL);
        """)
        # A delivery and its state are one transaction here, so what is pending after a crash was
        # not delivered. Where another system delivers, ask that system instead.
        self.db.execute("UPDATE attempts SET state = 'declined', code = 'interrupted'"
                        " WHERE state = 'pending'")

    def find(self, reference):
        with self.lock:
            return self.row(reference)

    def row(self, reference):
        rows = self.db.execute("SELECT * FROM attempts WHERE reference = ?", (reference,))
        row = rows.fetchone()
        return dict(zip([column[0] for column in rows.description], row)) if row else None

    def bind(self, reference, fields):
        """Stores a reference unless it is there; returns what was there before."""
        with self.lock:
            before = self.row(reference)
            if before is None:
                fields = {"reference": reference, "at": now(), **fields}
                names = ", ".join(fields)
                marks = ", ".join("?" * len(fields))
                self.db.execute("INSERT INTO attempts (%s) VALUES (%s)" % (names, marks),
                                tuple(fields.values()))
            return before

    def deliver(self, reference):
        with self.lock:
            attempt = self.row(reference)
            self.db.execute("BEGIN IMMEDIATE")
            if attempt["beneficiary"].endswith("0001"):
                self.db.execute("UPDATE attempts SET state = 'declined', code = '51', at = ?"
                                " WHERE reference = ?", (now(), reference))
            else:
                # Your delivery. The reference goes with it, so that it can be found again.
                self.db.execute("INSERT INTO deliveries VALUES (?, ?, ?)",
                                (reference, attempt["beneficiary"], attempt["minor"]))
                self.db.execute("UPDATE attempts SET state = 'delivered', at = ?"
                                " WHERE reference = ?", (now(), reference))
            self.db.execute("COMMIT")


# --- The operations ------------------------------------------------------------------------------

class Refused(Exception):
    def __init__(self, status, code, message):
        self.status, self.body = status, {"error": {"code": code, "message": message}}


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")


def shown(reference, attempt):
    """The object of an attempt."""
    if attempt is None:
        return {"reference": reference, "state": "absent", "at": now(), "sequence": 0}
    state = attempt["state"]
    answer = {"reference": reference, "state": state, "at": attempt["at"],
              "sequence": {"pending": 1}.get(state, 2)}
    if attempt["beneficiary"] is not None:
        answer["service"] = attempt["service"]
        answer["amount"] = {"minor": attempt["minor"], "currency": attempt["currency"]}
        answer["beneficiary"] = attempt["beneficiary"]
    if state == "declined":
        kinds = {code["code"]: (code["kind"], code["meaning"]) for code in CODES}
        kind, reason = kinds.get(attempt["code"], ("moment", attempt["code"]))
        answer["refusal"] = {"kind": kind, "code": attempt["code"], "reason": reason}
    return answer


def submit(store, body):
    try:
        request = json.loads(body)
        reference, amount = request["reference"], request["amount"]
        number, minor = request["order"]["number"], amount["minor"]
        not_after = datetime.datetime.fromisoformat(request["notAfter"].replace("Z", "+00:00"))
        good = (REFERENCE.fullmatch(reference) and request["service"] == "airtime"
                and type(minor) is int and 0 < minor < 2**53 and number.isdigit()
                and amount["currency"] == "NGN")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused(400, "invalid_request", "the request cannot be read: %s" % error)
    if not good:
        raise Refused(400, "invalid_request", "this provider sells airtime in NGN")
    late = datetime.datetime.now(datetime.timezone.utc) > not_after
    hashed = hashlib.sha256(body).hexdigest()
    before = store.bind(reference, {
        "hash": hashed, "service": "airtime", "minor": minor, "currency": "NGN",
        "beneficiary": number, "state": "declined" if late else "pending",
        "code": "expired" if late else None,
    })
    if before is not None:
        if before["hash"] not in (None, hashed):
            raise Refused(409, "reference_conflict", "the reference is bound to another request")
        return shown(reference, before), True
    if not late:
        store.deliver(reference)
    return shown(reference, store.find(reference)), False


def seal(store, reference):
    store.bind(reference, {"state": "declined", "code": "sealed"})
    return shown(reference, store.find(reference))


def catalogue(service, query):
    """A page of what is sold, from the offer of this number on."""
    match = re.fullmatch(r"after=(\d{1,6})", query or "after=0")
    if service != "airtime" or not match:
        raise Refused(404, "not_found", "this provider lists airtime, from `after=N` on")
    after = int(match[1])
    offers = OFFERS[after:after + OFFERS_PAGE_MAX]
    page = {"service": "airtime", "offers": offers}
    if after + len(offers) < len(OFFERS) and offers:
        page["next"] = after + len(offers)
    return page


def capabilities():
    alphabet = "abcdefghijklmnopqrstuvwxyz234567"
    return {"provider": {"name": "Example in Python"}, "versions": ["1.0"],
            "services": {"airtime": PROFILE}, "features": ["seal", "catalogue"], "refusalCodes": CODES,
            "reference": {"alphabet": alphabet, "length": 32, "prefix": "none"}, "now": now()}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60
    store, signatures, scheme = None, None, "http"

    def do_GET(self):
        self.answer(b"")

    def do_POST(self):
        length = self.headers["Content-Length"] or ""
        if not length.isdigit() or int(length) > BODY_MAX:
            self.close_connection = True
            return self.send(413, b'{"error":{"code":"too_large","message":"64 KiB at most"}}', {})
        self.answer(self.rfile.read(int(length)))

    def answer(self, body):
        uri = "%s://%s%s" % (self.scheme, self.headers["Host"], self.path)
        if not self.signatures.verify(self.command, uri, self.headers, body):
            refused = Refused(401, "unauthorized", "the signature is missing, wrong, old or used")
            return self.send(refused.status, json.dumps(refused.body).encode(), {})
        status, extra = 200, {}
        try:
            document, replayed = self.operation(body)
            if replayed:
                extra["Replayed"] = "true"
        except Refused as refused:
            status, document = refused.status, refused.body
        answer = json.dumps(document).encode()
        signature = self.headers["Signature"]
        extra.update(self.signatures.sign(status, answer, self.command, uri, signature))
        self.send(status, answer, extra)

    def operation(self, body):
        path = self.path.split("/")[1:]
        if self.command == "GET" and path == ["v1", "capabilities"]:
            return capabilities(), False
        if self.command == "GET" and path[:2] == ["v1", "catalogue"] and len(path) == 3:
            service, _, query = path[2].partition("?")
            return catalogue(service, query), False
        if self.command == "POST" and path == ["v1", "attempts"]:
            return submit(self.store, body)
        if len(path) > 2 and path[:2] == ["v1", "attempts"] and REFERENCE.fullmatch(path[2]):
            if self.command == "GET" and len(path) == 3:
                return shown(path[2], self.store.find(path[2])), False
            if self.command == "POST" and path[3:] == ["seal"]:
                return seal(self.store, path[2]), False
        raise Refused(404, "not_found", "there is no such operation")

    def send(self, status, body, headers):
        self.send_response(status)
        headers = {"Content-Type": "application/json", "Content-Length": len(body),
                   "Manilla-Protocol": "1.0", **headers}
        for name, value in headers.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Requests hold customers; nothing is logged."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--listen", default="127.0.0.1:9200")
    parser.add_argument("--keys", required=True, help="one or two lines: identifier, base 64 secret")
    parser.add_argument("--store", required=True, help="a file for SQLite")
    parser.add_argument("--cert", help="certificate chain in PEM; needed beyond this machine")
    parser.add_argument("--key", help="its private key in PEM")
    options = parser.parse_args()
    with open(options.keys, encoding="ascii") as keys:
        Handler.signatures = Signatures(keys.read())
    Handler.store = Store(options.store)
    host, port = options.listen.rsplit(":", 1)
    server = ThreadingHTTPServer((host, int(port)), Handler)
    if options.cert:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.cert, options.key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        Handler.scheme = "https"
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
    print("ready %s://%s:%d" % (Handler.scheme, host, server.server_port), flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
