"""A purchase of every family and a webhook, with a client that openapi-python-client generated from
/openapi.json as the package `manilla`. Needs MANILLA_URL, MANILLA_CA (the file `ca.pem` of the data
folder), MANILLA_IDENTITY, MANILLA_KEY and MANILLA_SENDER (the serial number of an approved sender)."""

import os
import ssl
import uuid

from httpx import BasicAuth

from manilla import Client
from manilla.api.airtime import buy_airtime, report_airtime
from manilla.api.bank_transfer import pay_out
from manilla.api.cable_tv import subscribe_cable
from manilla.api.electricity import pay_electricity
from manilla.api.gas import pay_gas
from manilla.api.geolocation import locate_ip_address
from manilla.api.internet_data import buy_data
from manilla.api.number_lookup import look_up_number
from manilla.api.sms import send_message
from manilla.api.webhooks import create_webhook
from manilla.models import (
    BuyAirtimeBody,
    BuyAirtimeBodyBilling,
    BuyDataBody,
    CreateWebhookBody,
    CreateWebhookBodyWhkEventsType0Item,
    CreateWebhookBodyWhkTokens,
    Error,
    PayElectricityBody,
    PayElectricityBodyBilling,
    PayGasBody,
    PayOutBody,
    SendMessageSetA,
    SendMessageSetAType,
    SubscribeCableInstant,
    SubscribeCableInstantSubscribe,
)

client = Client(
    base_url=os.environ["MANILLA_URL"],
    verify_ssl=ssl.create_default_context(cafile=os.environ["MANILLA_CA"]),
    httpx_args={"auth": BasicAuth(os.environ["MANILLA_IDENTITY"], os.environ["MANILLA_KEY"])},
)


def reference():
    return uuid.uuid4().hex


def done(answer):
    """The answer as the client read it, unless it is a refusal."""
    assert answer is not None and not isinstance(answer, Error), answer
    return answer


def bought(answer):
    """The same of a payment, which has to be delivered."""
    answer = done(answer)
    assert answer.txn_status.value == "Successful", answer
    print(type(answer).__name__, answer.mrc_reference)
    return answer


airtime = bought(
    buy_airtime.sync(
        client=client,
        body=BuyAirtimeBody(
            mrc_reference=reference(),
            country_code=566,
            number="2348031234567",
            amount="1,000.00",
            billing=BuyAirtimeBodyBilling.PREPAID,
        ),
    )
)
report = bought(report_airtime.sync(client=client, mrc_reference=airtime.mrc_reference))
assert report.txn_reference == airtime.txn_reference, report

electricity = bought(
    pay_electricity.sync(
        client=client,
        body=PayElectricityBody(
            mrc_reference=reference(),
            disco="101",
            number="04123456789",
            amount="5,000.00",
            billing=PayElectricityBodyBilling.PREPAID,
        ),
    )
)
assert electricity.token.number, electricity

gas = bought(
    pay_gas.sync(
        client=client,
        body=PayGasBody(
            mrc_reference=reference(),
            provider="701",
            number="3100456789",
            amount="5,000.00",
        ),
    )
)
assert gas.token.number, gas

bought(
    subscribe_cable.sync(
        client=client,
        body=SubscribeCableInstant(
            mrc_reference=reference(),
            provider="201",
            number="7012345678",
            subscribe=SubscribeCableInstantSubscribe.INSTANT,
            identifier="20103",
            duration=1,
        ),
    )
)

bought(
    buy_data.sync(
        client=client,
        body=BuyDataBody(mrc_reference=reference(), identifier="30101", number="2348031234567"),
    )
)

bought(
    send_message.sync(
        client=client,
        body=SendMessageSetA(
            mrc_reference=reference(),
            country_code=566,
            number="2348031234567",
            sender=os.environ["MANILLA_SENDER"],
            type_=SendMessageSetAType.TEXT,
            message="Your code is 4711.",
        ),
    )
)

bought(
    pay_out.sync(
        client=client,
        body=PayOutBody(
            mrc_reference=reference(),
            bank_identifier="NGNIP000013",
            account_number="0100044567",
            txn_amount="10,000.00",
            txn_narration="Rent for May",
        ),
    )
)

bought(
    look_up_number.sync(
        client=client, country_code=566, number="2348031234567", mrc_reference=reference()
    )
)

address = done(locate_ip_address.sync(client=client, ip_address="8.8.8.8"))
print(type(address).__name__, address.country_name)

webhook = done(
    create_webhook.sync(
        client=client,
        body=CreateWebhookBody(
            whk_url="https://127.0.0.1:9000/events",
            whk_events=[CreateWebhookBodyWhkEventsType0Item.TRANSACTION_SUCCESSFUL],
            whk_description="Bookkeeping",
            whk_tokens=CreateWebhookBodyWhkTokens.FALSE,
        ),
    )
)
assert webhook.whk_secret.startswith("whsec_"), webhook
print(type(webhook).__name__, webhook.whk_identifier)
