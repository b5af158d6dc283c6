"""Asks for the report of every payment of records that `steady.py` wrote. What was acknowledged
must be there, as the same transaction; of what was not, it counts what became of it.

reports.py ADDRESS PORT AUTHORITY SINCE RECORD..., with IDENTITY:KEY on standard input: payments that
were sent before SINCE (milliseconds since 1970) are left out. It prints one line of JSON."""

import collections
import concurrent.futures
import json
import sys
import threading
import time

from merchant import Connection, trusted

# How often a report that cannot be had now is asked for again, a second apart.
TRIES = 30
SHOWN = 20
CLIENTS = 8
# What an answer says where it is not known whether the payment was stored.
UNKNOWN = "ask for its report"

address, port, authority, since = sys.argv[1:5]
place, since = (address, int(port)), int(since)
trust, credentials = trusted(authority), sys.stdin.readline().strip()
lock = threading.Lock()
counts = collections.Counter()
lost = []


def sent():
    """What was sent since the moment, from all records."""
    for path in sys.argv[5:]:
        with open(path, encoding="utf-8") as record:
            # The last line may be half written.
            lines = (json.loads(line) for line in record if line.endswith("\n"))
            yield from (line for line in lines if line["sent"] >= since)


def report(connection, line):
    for _ in range(TRIES):
        status, text = connection.report(line["reference"], line["family"])
        if status in (200, 404):
            return status, json.loads(text)
        time.sleep(1)
    raise SystemExit(f"no report of {line['reference']}: {status} {text[:300]}")


def look(line, status, found):
    state = found.get("txnStatus", "absent") if status == 200 else "absent"
    if line["status"] in (200, 202):
        counts["acknowledged"] += 1
        if line["status"] == 202:
            counts["pending first"] += 1
        same = found.get("txnReference") == line["transaction"]
        if status != 200 or not same:
            lost.append(f"{line['reference']}: {line['transaction']}, {found}")
    else:
        known = line["status"] == 503 and UNKNOWN not in line["text"]
        kind = "refused" if known else "in doubt"
        counts[kind] += 1
        counts[f"{kind}, {state}"] += 1
    counts[state] += 1


def ask(lines):
    connection = Connection(place, trust, credentials)
    while True:
        with lock:
            line = next(lines, None)
        if line is None:
            return
        status, found = report(connection, line)
        with lock:
            look(line, status, found)


lines = sent()
with concurrent.futures.ThreadPoolExecutor(CLIENTS) as clients:
    asked = [clients.submit(ask, lines) for _ in range(CLIENTS)]
for one in asked:
    one.result()
print(json.dumps({"counts": counts, "lost": len(lost), "shown": lost[:SHOWN]}), flush=True)
