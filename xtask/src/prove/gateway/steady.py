"""Merchants who buy at a steady rate until their input ends, and record every answer: for proofs in
which answers may fail. A request is sent once, under a reference of its own.

steady.py ADDRESS PORT AUTHORITY PREFIX PER_SECOND RECORD FAMILIES READS, with IDENTITY:KEY as the
first line of standard input and the serial number of a sender as the second. FAMILIES are separated
by commas and bought in turn; so many READS a second, of a report, the balance or a list, are
recorded in RECORD.reads. Times in records are milliseconds since 1970."""

import collections
import json
import sys
import threading
import time

from merchant import Connection, trusted

# More than wait at a time: without a database a payment is refused within two seconds.
CLIENTS = 96
READERS = 16
# The newest payments, whose reports are read.
NEWEST = 1000

address, port, authority, prefix, rate, record, families, reads = sys.argv[1:]
port, rate, reads = int(port), float(rate), float(reads)
families = families.split(",")
credentials = sys.stdin.readline().strip()
sender = sys.stdin.readline().strip()
trust = trusted(authority)
began = time.monotonic()
lock = threading.Lock()
over = threading.Event()
state = {"payment": 0, "read": 0}
newest = collections.deque(maxlen=NEWEST)


def milliseconds():
    return int(time.time() * 1000)


def field(text, name):
    try:
        return json.loads(text).get(name)
    except ValueError:
        return None


def numbers(kind, per_second):
    """The numbers of this client's requests, each once its moment has come."""
    while True:
        with lock:
            number = state[kind]
            state[kind] += 1
        if over.wait(max(0.0, began + number / per_second - time.monotonic())):
            return
        yield number


def write(out, line):
    with lock:
        print(json.dumps(line), file=out, flush=True)


def buyer(out):
    connection = Connection((address, port), trust, credentials)
    for number in numbers("payment", rate):
        family = families[number % len(families)]
        reference = f"{prefix}-{number}"
        sent = milliseconds()
        status, text = connection.buy(reference, number // len(families), family, sender)
        line = {"reference": reference, "family": family, "sent": sent, "answered": milliseconds()}
        line |= {"status": status, "transaction": field(text, "txnReference")}
        if status not in (200, 202):
            line["text"] = text[:400]
        elif reads:
            newest.append((reference, family))
        write(out, line)


def reader(out):
    connection = Connection((address, port), trust, credentials)
    for number in numbers("read", reads):
        sent = milliseconds()
        if number % 4 < 2 and newest:
            status, text = connection.report(*newest[number % len(newest)])
        elif number % 4 == 2:
            status, text = connection.ask("GET", "/account/transactions/airtime")
        else:
            status, text = connection.ask("GET", "/account/balance")
        line = {"sent": sent, "answered": milliseconds(), "status": status}
        if status != 200:
            line["text"] = text[:400]
        write(out, line)


with open(record, "w", encoding="utf-8") as out, open(f"{record}.reads", "w") as out_of_reads:
    threads = [threading.Thread(target=buyer, args=(out,)) for _ in range(CLIENTS)]
    if reads:
        threads += [threading.Thread(target=reader, args=(out_of_reads,)) for _ in range(READERS)]
    for thread in threads:
        thread.start()
    sys.stdin.read()
    over.set()
    for thread in threads:
        thread.join()
