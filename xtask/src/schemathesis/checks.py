"""Whether made-up requests are answered as the document promises: a valid one is accepted, an invalid
one refused. Left out is only what no document can say; each exclusion has its reason beside it."""

import json

import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    negative_data_rejection,
    positive_data_acceptance,
)

# Sentences that refuse a value of the right shape, because of what the gateway or the world knows.
KNOWN_ELSEWHERE = (
    # What is for operators is asked with the key of an account.
    "no key of an account opens it",
    # ISO 3166-1, and where something is sold.
    "is no country of ISO 3166-1",
    "is not served; nothing is sold there",
    "is the dialling code of",
    # The places of personal fields in a message, and how long it becomes with them.
    "which the message names",
    "which the message does not name",
    "makes a message that",
    "must name each field once",
    "has a brace that is not around a field",
    # What belongs to another type of message, and how long the caption of a file may be.
    "is not for a text; leave it out",
    "is not for a template; leave it out",
    "is not for a file; leave it out",
    "is not for a card; leave it out",
    "is not for a carousel; leave it out",
    "must be at most 1024 characters",
    # A step is spoken or played, and leads to others.
    "is not for a speech; leave it out",
    "is not for an audio file; leave it out",
    "is required of a speech; add it",
    "is required of an audio file; add it",
    "beside its places",
    "as well; give each step its own",
    "which is the name of no step",
    "have the key",
    "is a step to which no way leads",
    "is repeated for ever without waiting for a key",
    "is where the steps have more than",
    # When the person last wrote.
    "is outside the 24 hours after the person's last message",
    # What a card shows, what a suggestion does, and how large a message becomes with them.
    "is required where the card has no description and no mediaUrl",
    "is required where there is no dial and no reply",
    "must stand alone: send one of url, dial and reply",
    "makes a message of",
    # Which lookups are sold, what each asks for, and whether it is about a person.
    "is no lookup that is sold; GET /vas/lookups lists those there are",
    "which this lookup does not ask for; leave it out",
    "has a value of ",
    "twice; send it once",
    "which this lookup asks for; add ",
    "the lookup is about a person",
    "must not be sent beside number",
    # The numbering plan of the country, which another attribute names.
    "does not exist in the numbering plan of",
    # The check digit is computed from the digits of the bank and of the account.
    "is no account number of this bank: its check digit is wrong",
    # Which networks are sold.
    "must be one of 9mobile, Airtel, Glo, MTN, Smile, ntel, or be left out",
    # Limits of a company, a plan or the operator.
    "is too large; the largest",
    "for all pieces",
    "come to more than may be collected",
    # Items are added up.
    "must come to an amount from 1.00 to",
    "must add up to amount",
    "is too small; the smallest is",
    # What the DNS answers, which networks are public, and which names are local.
    "must name a host that has addresses of the public internet",
    "has a name that could not be looked up in time",
    "must lead to an address of the public internet",
    "must not lead to the gateway itself",
    "must name its host in full",
    "must not name a host of a local network",
    # Characters that are not shown, in texts of one line and in words of a list.
    "must not hold control characters",
    "must not hold bidirectional control characters",
    "must not hold code points that are no characters",
    "must be an array of strings, or one string with commas",
    # Nothing but blanks, which are dropped at both ends.
    "must not be empty",
    # What can be booked: texts of lists, and attributes that go with one another or with a clock.
    "must be a day and two times of 24 hours",
    "must not name a minute twice",
    "must be a day such as 25-12-2026",
    "must name each person once",
    "must not hold a comma",
    "must be at most 60 characters",
    "must be the name of a time zone",
    "with all of bkgTeam",
    "is required with bkgHold",
    "is required with redirectUrl",
    "must be after from",
    "must be at most 7 days after from",
    "must be at most a year after from",
    "names the appointment a second time",
    "is none of bkgTeam of the service",
    "is not when an appointment of the service begins",
    "is too soon; the service is booked",
    "is too far away; the service is booked",
    # Codes: their characters and their check, and what goes with which kind of them.
    "must be a code as it was given out",
    "is not a code: a character is wrong",
    "must be the vchIdentifier of a code",
    "must be 1 to 8 letters A-Z and digits",
    "must be above 0 and at most 100",
    "must be out of ",
    "does not go with",
    "must be 1 or left out: a voucher",
    "is required for a promo",
    "is required, or vchPercent",
    "is required for a voucher or giftcard",
    "must be a whole number from 1 to 1",
    "is below vchMinimum",
    "is over; send a moment that is to come",
    "codes are valid for five years at most",
    # Two attributes together: the register of an identity and its number.
    "is required with kyc",
    # The dots and hyphens of an address, and that its host is no number.
    "must be an e-mail address such as",
    # What goes with which product of a subscription.
    "leave one of them out",
    "is too far away; a collection waits",
    "is too far away; a session waits",
    "is too far away; codes are valid",
    # How late an invoice may be due, which depends on the day.
    "is too far away; an invoice is due",
    # When the first run of a subscription is due.
    "is over; name a moment that is to come",
    "is more than a year ahead; name an earlier moment",
    "comes to more than a balance may be",
    # Two attributes together: a currency is that of an amount, and the price is the payment's.
    "is missing beside currency",
    "is above the price of the payment",
    "in which the payment was paid",
    # Two attributes together: the bound of a day counts every service.
    "counts every service together",
    # Two attributes together: an order of moments, and how many parts a text of a kind needs.
    "must be later than whkFrom",
    "must be later than from",
    "must be at most 366 days after from",
    "parts and at most 10 are sent",
    # The check digit of a card's number, which no pattern can say.
    "may hold the number of a card",
    "never send the number of a card",
    # Two objects of one list: each payout of a batch has a reference of its own.
    "give each object one of its own",
    "more objects that are not valid",
    # The parts of a salary come to what is paid, and it is paid from today on.
    "the gross pay less the deductions",
    "the deductions are the gross pay or more",
    "must not be in the past",
    "must be in the future",
    # How many days a month has.
    "must be a day such as",
    "must be within 31 days from now",
    # What an e-mail address is, which no pattern can say, and which accounts there are.
    "must be the mrcIdentity of an account, an e-mail address",
    "is no account here; an e-mail address",
    "is your own account; name another one",
    # Where money is sent, in which currencies, and how many decimals those have.
    "is not sent to this country",
    "must not have more than 0 decimals",
    "of the quote",
    # A quote is signed, an IBAN has check digits, and blanks around a text are dropped.
    "is no quote of your account",
    "must be an IBAN",
    "must be 2 to 70 characters",
    "must be 5 to 140 characters",
    # What a network is, and how many a key may name.
    "must be a network such as",
    "has an address within the network",
    "must be written as the IPv4 network",
    "must name at least one network",
    "must name at most",
    # Which bank account the operator names.
    "names no bank account to pay to",
    # Two attributes together: what a scope of a freeze is of.
    "says nothing of the scope",
    # The address that a request comes from.
    "would refuse the key of this request",
    "is required; name the key",
    "is required; name the service",
    # Three attributes together: a circle.
    "send locationLatitude, locationLongitude and radius together",
    # What a key of the request is replaced by.
    "must be at least 1 for the key of the request",
    # And each member of a group an account of its own.
    "name it once",
)

# What the account has: the prices of the payouts of a batch are added up before anything is looked up.
NOT_COVERED = "the balance does not cover it"

# A bank that is listed and that no provider reaches: a request for it is valid, and answered 503.
NOT_SOLD_NOW = "its provider does not sell it now and nothing was done"

# The machine of the run need not reach a name server: a host that cannot be looked up is answered
# 503 with `Retry-After`, and nothing was stored.
NO_NAME_SERVER = "no server of the DNS answers for the host in `whkUrl`"

# A country that nothing is sent to now.
NOT_SENT_NOW = "nothing was done; try again later, with a new quote"

DOCUMENTED_503 = (NOT_SOLD_NOW, NOT_SENT_NOW, NO_NAME_SERVER)

# A reference or an idempotency key that was used before: the run repeats examples and itself.
USED_BEFORE = 422

# A query is one object to a document, so it cannot say that a lookup takes a country and a number or
# a reference alone, what a lookup by name asks for, that the runs of a subscription are asked for by
# its number or reference, or that a device is located by its number, access points or cells.
ONE_OF_TWO_QUERIES = (
    "/vas/hlrlookup",
    "/vas/lookup",
    "/billing/subscription/runs",
    "/geolocation/device",
    "/booking/appointment",
)

# Nor that what a price depends on is decided by its product, and what a provider looks like.
BY_PRODUCT = "/tools/fees"

# Nor that the form of a number is decided by the lookup.
BY_LOOKUP = "/vas/lookup"

# Nor what the attributes of an order look like, which the product of a subscription decides; what is
# of the subscription itself begins with these letters.
BY_SERVICE = "/billing/subscription"
OF_SUBSCRIPTION = ("sub", "mrcReference", "billReference")


def sentences(response):
    """Every sentence about an attribute; none where the answer is no refusal of attributes."""
    try:
        params = json.loads(response.content)["errors"]["params"]
    except (ValueError, KeyError, TypeError):
        return []
    return [sentence for about in params.values() for sentence in about]


def is_of_the_order(case, response):
    """Whether nothing but attributes of the order is refused."""
    if case.path != BY_SERVICE or response.status_code != 400:
        return False
    try:
        names = json.loads(response.content)["errors"]["params"]
    except (ValueError, KeyError, TypeError):
        return False
    return not any(name.startswith(OF_SUBSCRIPTION) for name in names)


def is_known_elsewhere(sentence):
    return any(reason in sentence for reason in KNOWN_ELSEWHERE)


def is_documented_503(response):
    return response.status_code == 503 and any(
        reason in response.text for reason in DOCUMENTED_503
    )


@schemathesis.check
def nothing_breaks(ctx, response, case):
    if is_documented_503(response):
        return None
    return not_a_server_error(ctx, response, case)


@schemathesis.check
def valid_is_accepted(ctx, response, case):
    said = sentences(response)
    if said and all(is_known_elsewhere(sentence) for sentence in said):
        return None
    if response.status_code == USED_BEFORE:
        return None
    if response.status_code == 400 and NOT_COVERED in response.text:
        return None
    if is_documented_503(response):
        return None
    if case.path in (*ONE_OF_TWO_QUERIES, BY_PRODUCT) and response.status_code == 405:
        return None
    if case.path == BY_PRODUCT and "provider" in response.text:
        return None
    if case.path == BY_LOOKUP and response.status_code == 400 and '"number":[' in response.text:
        return None
    if is_of_the_order(case, response):
        return None
    return positive_data_acceptance(ctx, response, case)


@schemathesis.check
def invalid_is_refused(ctx, response, case):
    # A GET without a filter it requires is answered 405, as the interface says.
    if response.status_code == 405:
        return None
    return negative_data_rejection(ctx, response, case)


@schemathesis.hook
def before_call(context, case, kwargs):
    # Strict handling refuses attributes the schema allows: that is what it is asked for.
    if case.headers:
        case.headers.pop("Prefer", None)
