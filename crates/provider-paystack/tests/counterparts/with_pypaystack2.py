"""A client that others wrote, pypaystack2, uses the server that the tests take for Paystack.

Its models refuse answers that are not as it expects. The address is the first argument.
"""

import hashlib
import hmac
import json
import sys

from pypaystack2 import PaystackClient
from pypaystack2.base_clients import AbstractAPIClient
from pypaystack2.enums import Country, Currency, RecipientType

KEY = "sk_test_0123456789abcdef"
REFERENCE = "counterpart-" + "0" * 20

AbstractAPIClient._BASE_URL = sys.argv[1]
client = PaystackClient(secret_key=KEY)


def good(answer, status=200):
    """The model of an answer that says yes; a model that does not fit is none."""
    assert answer.status_code == status and answer.status is True, answer.raw
    assert answer.data is not None, answer.raw
    return answer.data


banks = good(client.miscellaneous.get_banks(Country.NIGERIA))
assert "00103" in [bank.code for bank in banks], banks

account = good(client.verification.resolve_account_number("0123456789", "058"))
assert account.account_number == "0123456789" and account.account_name, account
unknown = client.verification.resolve_account_number("9990000000", "058")
assert unknown.status is False and unknown.status_code == 422, unknown.raw

made = {
    "type_": RecipientType.NUBAN,
    "name": account.account_name,
    "account_number": account.account_number,
    "bank_code": "058",
    "currency": Currency.NGN,
}
recipient = good(client.transfer_recipients.create(**made), 201)
again = good(client.transfer_recipients.create(**made), 201)
assert recipient.recipient_code == again.recipient_code, again

sent = {
    "amount": 2_000_000,
    "recipient": recipient.recipient_code,
    "reason": "Rent",
    "currency": Currency.NGN,
    "reference": REFERENCE,
}
transfer = good(client.transfers.initiate(**sent))
assert (transfer.reference, transfer.amount, transfer.status) == (
    REFERENCE,
    2_000_000,
    "success",
), transfer
second = client.transfers.initiate(**sent)
assert second.status is False and second.code == "duplicate_transfer_reference", second.raw

for found in (
    client.transfers.verify(REFERENCE),
    client.transfers.get_transfer(transfer.transfer_code),
):
    found = good(found)
    assert found.transfer_code == transfer.transfer_code, found
    assert found.recipient.recipient_code == recipient.recipient_code, found
    assert found.fee_charged == 2_500, found
missing = client.transfers.verify("counterpart-" + "1" * 20)
assert missing.status is False and missing.status_code == 404, missing.raw

balances = good(client.transfer_control.check_balance())
assert [it.balance for it in balances if it.currency == Currency.NGN], balances

stranger = PaystackClient(secret_key="sk_test_other").transfers.verify(REFERENCE)
assert stranger.status is False and stranger.status_code == 401, stranger.raw

event = json.dumps({"event": "transfer.success", "data": {"reference": REFERENCE}}).encode()
signature = hmac.new(KEY.encode(), event, hashlib.sha512).hexdigest()
assert client.is_verified_webhook_payload(event, signature)

print("pypaystack2 and the server agree")
