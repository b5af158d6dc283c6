"""Merchants who buy airtime over connections they keep, at a steady rate: for the proof of rolling
restarts. A request is sent once; whatever is no answer with 200 or 202 counts as failed.

buyers.py ADDRESS PORT AUTHORITY COUNT PER_SECOND, with IDENTITY:KEY on standard input. It prints
one line of JSON."""

import collections
import json
import sys
import threading
import time

from merchant import Connection, trusted

CLIENTS = 32
SHOWN = 20

address, port, authority, count, rate = sys.argv[1:]
port, count, rate = int(port), int(count), float(rate)
credentials = sys.stdin.readline().strip()
trust = trusted(authority)
began = time.monotonic()
run = int(time.time())
lock = threading.Lock()
answers = collections.Counter()
failures = []
state = {"next": 0, "connections": 0, "slowest": 0.0}


def client():
    connection = Connection((address, port), trust, credentials)
    while True:
        with lock:
            number = state["next"]
            if number >= count:
                state["connections"] += connection.opened
                return
            state["next"] += 1
        time.sleep(max(0.0, began + number / rate - time.monotonic()))
        sent = time.monotonic()
        status, text = connection.buy(f"rolling-{run}-{number}", number)
        with lock:
            answers[str(status)] += 1
            state["slowest"] = max(state["slowest"], time.monotonic() - sent)
            if status not in (200, 202):
                failures.append(f"{number}: {status} {text[:300]}")


threads = [threading.Thread(target=client) for _ in range(CLIENTS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
summary = {
    "answers": answers,
    "failed": len(failures),
    "failures": failures[:SHOWN],
    "connections": state["connections"],
    "slowest_ms": int(state["slowest"] * 1000),
}
print(json.dumps(summary), flush=True)
