"""The merchant of the proofs: connections to a gateway under the name its certificate is for, and
purchases of airtime that force no outcome. A request is sent once, whatever becomes of it."""

import base64
import http.client
import json
import socket
import ssl

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

    def buy(self, reference, number):
        # Numbers from 5000 to 8999 at the end force no outcome.
        order = {
            "mrcReference": reference,
            "countryCode": 566,
            "number": f"234803123{5000 + number % 4000}",
            "amount": "100.00",
            "billing": "prepaid",
        }
        return self.ask("POST", "/payment/airtime", json.dumps(order))

    def report(self, reference):
        return self.ask("GET", f"/payment/airtime/transaction?mrcReference={reference}")
