"""Asks for the report of every payment of records that `steady.py` wrote. What was acknowledged
must be there, as the same transaction; of what was not, it counts what became of it.

reports.py ADDRESS PORT AUTHORITY SINCE RECORD..., with IDENTITY:KEY on standard input: payments that
were sent before SINCE (milliseconds since 1970) are left out. It prints one line of JSON."""

import collections
import json
import sys
import time

from merchant import Connection, trusted

# How often a report that cannot be had now is asked for again, a second apart.
TRIES = 30
SHOWN = 20
# What an answer says where it is not known whether the payment was stored.
UNKNOWN = "ask for its report"

address, port, authority, since = sys.argv[1:5]
since = int(since)
connection = Connection((address, int(port)), trusted(authority), sys.stdin.readline().strip())
counts = collections.Counter()
lost = []


def report(reference):
    for _ in range(TRIES):
        status, text = connection.report(reference)
        if status in (200, 404):
            return status, json.loads(text)
        time.sleep(1)
    raise SystemExit(f"no report of {reference}: {status} {text[:300]}")


for path in sys.argv[5:]:
    with open(path, encoding="utf-8") as record:
        # The last line may be half written.
        lines = [json.loads(line) for line in record if line.endswith("\n")]
    for line in lines:
        if line["sent"] < since:
            continue
        status, found = report(line["reference"])
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
print(json.dumps({"counts": counts, "lost": len(lost), "shown": lost[:SHOWN]}), flush=True)
