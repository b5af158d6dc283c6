"""Buys airtime, repeats an order whose answer was lost, follows a pending one. Needs Python 3.9 or
later, and MANILLA_URL, MANILLA_IDENTITY, MANILLA_KEY, MANILLA_CA (`ca.pem` of the data folder)."""

import base64
import http.client
import json
import os
import ssl
import sys
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ["MANILLA_URL"]
CREDENTIALS = f"{os.environ['MANILLA_IDENTITY']}:{os.environ['MANILLA_KEY']}"
AUTHORIZATION = "Basic " + base64.b64encode(CREDENTIALS.encode()).decode()
TRUST = ssl.create_default_context(cafile=os.environ["MANILLA_CA"])
ANSWER_WITHIN = 30  # seconds: the gateway waits up to 20 for the outcome before it answers
GIVE_UP_AFTER = 120  # seconds
BUY, REPORT = "/payment/airtime", "/payment/airtime/transaction?mrcReference="


def send(path, order, key, timeout):
    """Sends one request, a POST if there is an order: status, headers and body of the answer."""
    request = urllib.request.Request(URL + path, headers={"Authorization": AUTHORIZATION})
    if order:
        request.data = json.dumps(order).encode()
        request.add_header("Content-Type", "application/json")
    if key:
        request.add_header("Idempotency-Key", key)
    try:
        answer = urllib.request.urlopen(request, timeout=timeout, context=TRUST)
    except urllib.error.HTTPError as error:
        answer = error  # 400 or above, and an answer like any other
    with answer:
        return answer.status, answer.headers, answer.read()


def ask(path, order=None, key=None, timeout=ANSWER_WITHIN, limit=GIVE_UP_AFTER, expected=(200,)):
    """Sends a request until it is answered. A lost answer or a 5xx does not say that nothing was
    bought: the same order is sent again under the same key, never one with a new reference."""
    end, pause = time.monotonic() + limit, 1
    while True:
        try:
            status, headers, body = send(path, order, key, timeout)
            # A 409 with this header: the first request under the key is still in progress.
            later = status in (409, 429) and "Retry-After" in headers
            if status < 500 and not later:
                break
            problem = f"{path} answered {status}"
        except (OSError, http.client.HTTPException) as error:
            headers, problem = {}, f"{path} did not answer ({error})"
        wait = int(headers.get("Retry-After", pause))
        if time.monotonic() + wait > end:
            about = f"; only the report of {order['mrcReference']} has its outcome" if order else ""
            sys.exit(f"error: {problem}{about}")
        print(f"repeat: {problem}, the same request is sent again in {wait} s")
        time.sleep(wait)
        timeout, pause = ANSWER_WITHIN, min(2 * pause, 8)
    answer = json.loads(body)
    if status not in expected:
        sys.exit("\n  ".join([f"error: {status} {answer['message']}", *violations(answer)]))
    return answer


def violations(answer):
    errors = answer.get("errors", {})
    params = errors.get("params", {}).items()
    named = [f"{name}: {sentence}" for name, sentences in params for sentence in sentences]
    return named + errors.get("request", []) + errors.get("system", [])


def airtime(number):
    """An order. Store it before you send it, so that after a crash the same one is sent again."""
    order = {"mrcReference": f"order-{uuid.uuid4()}", "countryCode": 566, "number": number}
    return {**order, "amount": "100.00", "billing": "prepaid"}


def buy(order, timeout=ANSWER_WITHIN):
    """Buys, and reads the report until it is final: Pending is not failed, and not bought anew."""
    reference, pause, end = order["mrcReference"], 1, time.monotonic() + GIVE_UP_AFTER
    bought = ask(BUY, order, reference, timeout, expected=(200, 202))
    while bought["txnStatus"] == "Pending" and time.monotonic() < end:
        print(f"pending: {reference}, its report is read in {pause} s")
        time.sleep(pause)
        bought, pause = ask(REPORT + reference), min(2 * pause, 8)
    if bought["txnStatus"] != "Successful":  # still Pending, perhaps: a webhook has the rest
        sys.exit(f"error: {reference} is {bought['txnStatus']}")
    return bought


# Not repeated: it shows at once whether the address, the certificate and the key are right.
ask("/account/balance", limit=0)

bought = buy(airtime("2348031234567"))
print(f"bought: {bought['mrcReference']} for {bought['price']} {bought['currency']}")
print(f"report: it is {ask(REPORT + bought['mrcReference'])['txnStatus']}")

# This answer takes some seconds and is waited for one second only, as if it were lost.
order = airtime("2348031230002")
first, again = buy(order, timeout=1), buy(order)
statement = ask(f"/account/statement?mrcReference={order['mrcReference']}")
if first["txnReference"] != again["txnReference"] or len(statement["statements"]) != 1:
    sys.exit("error: the order was bought twice")
print(f"repeated: transaction {first['txnReference']} both times, charged once")
print(f"repeated: {ask(BUY, order, expected=(422,))['message']} (without an Idempotency-Key)")

print(f"final: {buy(airtime('2348031230007'))['mrcReference']} is Successful")

mistaken = {**airtime("2348031234567"), "amount": "1e5", "billing": "monthly"}
for violation in violations(ask(BUY, mistaken, mistaken["mrcReference"], expected=(400,))):
    print(f"refused: {violation}")

print(f"balance: {ask('/account/balance')['accBalance']} NGN")
