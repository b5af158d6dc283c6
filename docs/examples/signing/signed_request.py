"""Buys airtime with a signed request. Needs Python 3.9 or later, and MANILLA_URL, MANILLA_IDENTITY,
MANILLA_KEY, MANILLA_KEY_ID (keyIdentifier), MANILLA_SIGNING_SECRET and MANILLA_CA (a PEM file)."""

import base64, hashlib, hmac, json, os, secrets, ssl, time, urllib.request


def text(data):
    return base64.b64encode(data).decode()


def signed(method, path, query="", body=None):
    """The headers of a signature; path and query are those that are sent, percent-encoded."""
    lines, headers = [("@method", method), ("@path", path), ("@query", "?" + query)], {}
    if body is not None:
        headers["Content-Digest"] = f"sha-256=:{text(hashlib.sha256(body).digest())}:"
        lines.append(("content-digest", headers["Content-Digest"]))
    covered = " ".join(f'"{name}"' for name, _ in lines)
    parameters = f'({covered});created={int(time.time())};keyid="{os.environ["MANILLA_KEY_ID"]}"'
    parameters += f';nonce="{secrets.token_hex(16)}";alg="hmac-sha256"'
    base = "\n".join(f'"{name}": {value}' for name, value in lines)
    base += f'\n"@signature-params": {parameters}'
    secret = base64.b64decode(os.environ["MANILLA_SIGNING_SECRET"])
    tag = text(hmac.new(secret, base.encode(), hashlib.sha256).digest())
    return {**headers, "Signature-Input": f"manilla={parameters}", "Signature": f"manilla=:{tag}:"}


order = {"mrcReference": f"order-{secrets.token_hex(8)}", "countryCode": 566, "amount": "100.00"}
order.update(number="2348031234567", billing="prepaid")
body, path = json.dumps(order).encode(), "/payment/airtime"
headers = {"Content-Type": "application/json", **signed("POST", path, body=body)}
credentials = f"{os.environ['MANILLA_IDENTITY']}:{os.environ['MANILLA_KEY']}"
headers["Authorization"] = "Basic " + text(credentials.encode())
request = urllib.request.Request(os.environ["MANILLA_URL"] + path, body, headers)
trust = ssl.create_default_context(cafile=os.environ["MANILLA_CA"])
with urllib.request.urlopen(request, timeout=30, context=trust) as answer:
    print(answer.status, json.load(answer)["txnStatus"])
