"""The merchant of the proofs: connections to a gateway under the name its certificate is for, and
purchases that force no outcome. A request is sent once, whatever becomes of it."""

import base64
import http.client
import json
import socket
import ssl
import urllib.parse

HOST = "pay.example.com"


def trusted(authority):
    return ssl.create_default_context(cafile=authority)


class Connection(http.client.HTTPSConnection):
    """To an address that shows a certificate for HOST which is trusted."""

    def __init__(self, place, trust, credentials):
        super().__init__(HOST, timeout=60)
        self.place = place
        self.trust = trust
        self.opened = 0
        merchant = base64.b64encode(credentials.encode()).decode()
        self.headers = {"Authorization": f"Basic {merchant}", "Content-Type": "application/json"}

    def connect(self):
        self.opened += 1
        plain = socket.create_connection(self.place, 10)
        plain.settimeout(60)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock = self.trust.wrap_socket(plain, server_hostname=HOST)

    def ask(self, verb, path, body=None):
        """The status and the text of the answer; 0 and the error where there is none."""
        try:
            self.request(verb, path, body, self.headers)
            answer = self.getresponse()
            # Read whole, so that the connection can be used again.
            return answer.status, answer.read().decode(errors="replace")
        except (OSError, http.client.HTTPException) as error:
            self.close()
            return 0, f"{type(error).__name__}: {error}"

    def buy(self, reference, number, family="airtime", sender=""):
        verb, path, _ = FAMILIES[family]
        order = order_of(family, number, sender) | {"mrcReference": reference}
        if verb == "GET":
            return self.ask(verb, f"{path}?{urllib.parse.urlencode(order)}")
        return self.ask(verb, path, json.dumps(order))

    def report(self, reference, family="airtime"):
        verb, _, path = FAMILIES[family]
        status, text = self.ask("GET", f"{path}?mrcReference={reference}")
        # A lookup that is not there would be ordered, and a reference alone orders none.
        return (404, text) if (verb, status) == ("GET", 400) else (status, text)


# Of each product: the verb and the path that buy it, and the path of its reports.
FAMILIES = {
    "airtime": ("POST", "/payment/airtime", "/payment/airtime/transaction"),
    "internet": ("POST", "/payment/internet", "/payment/internet/transaction"),
    "electricity": ("POST", "/payment/electricity", "/payment/electricity/transaction"),
    "cabletv": ("POST", "/payment/cabletv", "/payment/cabletv/transaction"),
    "gas": ("POST", "/payment/gas", "/payment/gas/transaction"),
    "sms": ("POST", "/messaging/sms", "/messaging/sms/transaction"),
    "whatsapp": ("POST", "/messaging/whatsapp", "/messaging/whatsapp/transaction"),
    "payout": ("POST", "/transfer/bank/payout", "/transfer/bank/transaction"),
    "mobilemoney": ("POST", "/transfer/mobilemoney", "/transfer/mobilemoney/transaction"),
    "hlr": ("GET", "/vas/hlrlookup", "/vas/hlrlookup"),
}


def order_of(family, number, sender):
    """What is bought, without a reference; numbers from 5000 to 8999 at the end force no outcome."""
    ending = 5000 + number % 4000
    phone = f"234803123{ending}"
    message = {"countryCode": 566, "number": phone, "sender": sender, "type": "text"}
    prepaid = {"number": phone, "amount": "100.00", "billing": "prepaid"}
    transfer = {"txnAmount": "100.00", "txnNarration": "Rent"}
    account = {"bankIdentifier": "NGNIP000013", "accountNumber": account_number("058", ending)}
    return {
        "airtime": prepaid | {"countryCode": 566},
        "internet": {"identifier": "30109", "number": phone},
        "electricity": prepaid | {"disco": "101", "number": f"0451234{ending}", "amount": "1000.00"},
        "cabletv": {
            "provider": "202",
            "number": f"702123{ending}",
            "subscribe": "instant",
            "identifier": "20205",
            "duration": 1,
        },
        "gas": {"provider": "701", "number": f"3100456{ending}", "amount": "1000.00"},
        "sms": message | {"message": "Hello"},
        "whatsapp": message | {"content": "Hello"},
        "payout": account | transfer,
        "mobilemoney": transfer | {"countryCode": "566", "identifier": "901", "number": phone},
        "hlr": {"countryCode": 566, "number": phone},
    }[family]


def account_number(bank_code, ending):
    """An account number that ends in these digits, the last of which is its check digit."""
    for serial in range(12345, 112345):
        number = f"{serial:06}{ending}"
        digits = [int(digit) for digit in bank_code + number]
        weighted = sum(digit * weight for digit, weight in zip(digits[:-1], [3, 7, 3] * 4))
        if digits[-1] == (10 - weighted % 10) % 10:
            return number
    raise ValueError(ending)
