"""A client of VTpass that others wrote, django-vtpass, buys through the gateway.

It is used as it is, with its own customer wallet: a customer's money must come back exactly where
nothing was delivered, and never where the outcome is not known. The gateway's address, account and
authority are in the environment.
"""

import os
import time
from decimal import Decimal

import django
from django.conf import settings

URL, CA = os.environ["MANILLA_URL"], os.environ["MANILLA_CA"]
IDENTITY, KEY = os.environ["MANILLA_IDENTITY"], os.environ["MANILLA_KEY"]
BASE = URL + "/vtpass/api/"
# Its HTTP library prefers this variable, where a machine has it, to the setting.
os.environ["REQUESTS_CA_BUNDLE"] = CA

settings.configure(
    SECRET_KEY="known to every reader",
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "vtpass"],
    VTPASS={
        "API_KEY": IDENTITY,
        "PUBLIC_KEY": KEY,
        "SECRET_KEY": KEY,
        "BASE_URL": BASE,
        "VERIFY_SSL": CA,
        "WALLET_BACKEND": "vtpass.wallets.ModelWalletBackend",
        "LOG_REQUESTS": False,
    },
)
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from vtpass.client import VTpassClient  # noqa: E402
from vtpass.exceptions import VTpassAuthenticationError, VTpassValidationError  # noqa: E402
from vtpass.models import Variation, WalletEntry  # noqa: E402
from vtpass.services import VTpass  # noqa: E402
from vtpass.wallets import fund_wallet, wallet_balance  # noqa: E402

# Numbers of MTN whose last digits force an outcome of the sandbox.
PHONE, FAILS, LATER, LOST, NEVER = (
    f"0803123{outcome}" for outcome in ("0000", "0001", "0002", "0003", "0010")
)

call_command("migrate", verbosity=0)
user = get_user_model().objects.create(username="customer")
fund_wallet(user, Decimal("200000"), reference="funds")
vt = VTpass()


def bought(txn, status="successful", code="000"):
    """A purchase as it ended, and what the customer paid for it."""
    txn.refresh_from_db()
    seen = (txn.status, txn.response_code, txn.response)
    assert (txn.status, txn.response_code) == (status, code), seen
    back = WalletEntry.objects.filter(transaction=txn, kind="refund").count()
    assert back == (1 if status in ("failed", "reversed") else 0), seen
    return txn


def refused(call, error=VTpassValidationError):
    try:
        call()
    except error as raised:
        return raised
    raise AssertionError("nothing was refused")


def moved(call):
    """What a call took of the customer's wallet and of the account at the gateway."""
    before = wallet_balance(user), vt.balance()
    result = call()
    after = wallet_balance(user), vt.balance()
    return result, before[0] - after[0], before[1] - after[1]


synced = vt.catalog.sync()
assert synced["categories"] == 4 and synced["services"] == 24, synced
assert synced["variations"] > 20, synced

txn, paid, cost = moved(lambda: vt.airtime.buy(PHONE, 500, user=user))
bought(txn)
assert (paid, txn.cost, txn.vtpass_commission) == (500, cost, 500 - cost), (paid, cost)
assert txn.vtpass_transaction_id and txn.product_name, txn.response
assert vt.client.requery(txn.request_id).status == "successful"

plan = Variation.objects.filter(service__service_id="mtn-data").first()
txn, paid, _ = moved(lambda: vt.data.buy(PHONE, plan.variation_code, user=user))
bought(txn)
assert paid == plan.amount, (paid, plan.amount)

meter = "45123450000"
assert vt.electricity.verify("ikedc", meter, "prepaid")["Customer_Name"]
txn = bought(vt.electricity.buy("ikedc", meter, "prepaid", 5000, phone=PHONE, user=user))
assert len(txn.token) == 20 and txn.token.isdigit(), txn.vend_details
assert txn.vend_details["units"] and txn.vend_details["customerName"], txn.vend_details
postpaid = vt.electricity.buy("eko", "45123450000", "postpaid", 5000, phone=PHONE, user=user)
assert not bought(postpaid).token

card = "0201230000"
seen = vt.tv.verify("dstv", card)
assert seen["Customer_Name"] and seen["Current_Bouquet"], seen
txn, paid, _ = moved(lambda: vt.tv.renew("dstv", card, phone=PHONE, user=user))
bought(txn)
assert paid == Decimal(str(seen["Renewal_Amount"])), (paid, seen)
bouquet = vt.tv.bouquets("gotv")[0]["variation_code"]
bought(vt.tv.change("gotv", card, bouquet, phone=PHONE, user=user))

# What its biller does not know is said so, and nothing is bought.
refused(lambda: vt.electricity.verify("ikedc", "45123450014", "prepaid"))
refused(lambda: vt.tv.verify("dstv", "0201230014"))

# Refused by the provider, and for its amount.
for phone, amount, code in ((FAILS, 500, "016"), (PHONE, 1, "013")):
    txn, paid, cost = moved(lambda: vt.airtime.buy(phone, amount, user=user))
    bought(txn, "failed", code)
    assert (paid, cost) == (0, 0), (code, paid, cost)

# A ported number: the client says whose it is now.
ported = bought(vt.airtime.buy(PHONE, 500, network="glo", user=user))
assert ported.product_name.lower().startswith("glo"), ported.product_name

# The answer of the provider is lost: the gateway finds out and the client sees success.
bought(vt.airtime.buy(LOST, 500, user=user))

# Nothing is known: the customer's money stays where it is, however often it is asked.
never = vt.airtime.buy(NEVER, 500, user=user)
bought(never, "pending", "099")
bought(vt.requery(never), "pending", "099")

# The client does not wait for the answer. A requery finds what became of the purchase.
hasty = VTpass(client=VTpassClient(timeout=(5, 0.3)))
txn = hasty.airtime.buy(LATER, 500, user=user)
bought(txn, "pending", "")
until = time.monotonic() + 30
while vt.requery(txn).status == "pending" and time.monotonic() < until:
    time.sleep(0.2)
bought(txn)

# The same request id again: the client waits and asks, and nothing is bought twice.
before = vt.balance()
again = vt.client.pay(request_id=txn.request_id, serviceID="mtn", amount=500, phone=LATER)
assert (again.code, again.status) == ("014", "pending"), again.raw
assert vt.balance() == before
# What is not stored may still be on its way, so it is not called unused at once.
assert vt.client.requery("202611250900never").code == "083"

# A wrong key buys nothing, and the purchase is known to have failed.
wrong = VTpass(client=VTpassClient(secret_key=KEY[:-1] + "x"))
txn, paid, cost = moved(lambda: wrong.airtime.buy(PHONE, 500, user=user))
bought(txn, "failed", "")
assert (paid, cost) == (0, 0), (paid, cost)
assert vt.client.requery(txn.request_id).code == "083"
refused(lambda: wrong.client.requery(txn.request_id), VTpassAuthenticationError)

# Basic credentials, as older accounts of VTpass send.
basic = VTpass(client=VTpassClient(auth_method="basic", username=IDENTITY, password=KEY))
bought(basic.airtime.buy(PHONE, 500, user=user))
