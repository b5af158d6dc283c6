"""Merchants who buy airtime over connections they keep, at a steady rate: for the proof of rolling
restarts. A request is sent once; whatever is no answer with 200 or 202 counts as failed.

buyers.py ADDRESS PORT AUTHORITY COUNT PER_SECOND, with IDENTITY:KEY on standard input. It prints
one line of JSON."""

import base64
import collections
import http.client
import json
import socket
import ssl
import sys
import threading
import time

HOST = "pay.example.com"
CLIENTS = 32
SHOWN = 20

address, port, authority, count, rate = sys.argv[1:]
port, count, rate = int(port), int(count), float(rate)
merchant = base64.b64encode(sys.stdin.readline().strip().encode()).decode()
headers = {"Authorization": f"Basic {merchant}", "Content-Type": "application/json"}
trust = ssl.create_default_context(cafile=authority)
began = time.monotonic()
run = int(time.time())
lock = threading.Lock()
answers = collections.Counter()
failures = []
state = {"next": 0, "connections": 0, "slowest": 0.0}


class Connection(http.client.HTTPSConnection):
    """To the proxy, under the name its certificate is for."""

    def connect(self):
        state["connections"] += 1
        plain = socket.create_connection((address, port), 10)
        plain.settimeout(60)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock = trust.wrap_socket(plain, server_hostname=HOST)


def buy(connection, number):
    # Numbers from 5000 to 8999 at the end force no outcome.
    order = {
        "mrcReference": f"rolling-{run}-{number}",
        "countryCode": 566,
        "number": f"234803123{5000 + number % 4000}",
        "amount": "100.00",
        "billing": "prepaid",
    }
    connection.request("POST", "/payment/airtime", json.dumps(order), headers)
    answer = connection.getresponse()
    # Read whole, so that the connection can be used again.
    return answer.status, answer.read().decode(errors="replace")[:300]


def client():
    connection = Connection(HOST, timeout=60)
    while True:
        with lock:
            number = state["next"]
            if number >= count:
                return
            state["next"] += 1
        time.sleep(max(0.0, began + number / rate - time.monotonic()))
        sent = time.monotonic()
        try:
            status, text = buy(connection, number)
        except (OSError, http.client.HTTPException) as error:
            status, text = 0, f"{type(error).__name__}: {error}"
            connection.close()
        with lock:
            answers[str(status)] += 1
            state["slowest"] = max(state["slowest"], time.monotonic() - sent)
            if status not in (200, 202):
                failures.append(f"{number}: {status} {text}")


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
