"""Merchants who buy airtime at a steady rate until their input ends, and record every answer: for
proofs in which answers may fail. A request is sent once, under a reference of its own.

steady.py ADDRESS PORT AUTHORITY PREFIX PER_SECOND RECORD, with IDENTITY:KEY as the first line of
standard input. Times in the record are milliseconds since 1970."""

import json
import sys
import threading
import time

from merchant import Connection, trusted

# More than wait at a time: without a database a payment is refused within two seconds.
CLIENTS = 96

address, port, authority, prefix, rate, record = sys.argv[1:]
port, rate = int(port), float(rate)
credentials = sys.stdin.readline().strip()
trust = trusted(authority)
began = time.monotonic()
lock = threading.Lock()
over = threading.Event()
state = {"next": 0}


def milliseconds():
    return int(time.time() * 1000)


def field(text, name):
    try:
        return json.loads(text).get(name)
    except ValueError:
        return None


def client(out):
    connection = Connection((address, port), trust, credentials)
    while True:
        with lock:
            number = state["next"]
            state["next"] += 1
        if over.wait(max(0.0, began + number / rate - time.monotonic())):
            return
        reference = f"{prefix}-{number}"
        sent = milliseconds()
        status, text = connection.buy(reference, number)
        line = {"reference": reference, "sent": sent, "answered": milliseconds(), "status": status}
        line["transaction"] = field(text, "txnReference")
        if status not in (200, 202):
            line["text"] = text[:400]
        with lock:
            print(json.dumps(line), file=out, flush=True)


with open(record, "w", encoding="utf-8") as out:
    threads = [threading.Thread(target=client, args=(out,)) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    sys.stdin.read()
    over.set()
    for thread in threads:
        thread.join()
