//! Cable TV (interface §4.3). It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, optional, required};
use crate::states::{EventSchema, Sample, StateCheck, in_every_state, sample};
use domain::cabletv::{CableBiller, CablePlan, Smartcard};
use domain::country::CountryCode;
use domain::money::Money;
use domain::statement::Sort;
use testkit::builders::{
    cabletv, cabletv_topup, naira, plan_code, provider_code, smartcard as card,
};
use wire::attribute::{
    AMOUNT, COUNTRY, CUSTOMER_PHONE, DURATION, PLAN, PROVIDER, PROVIDER_IDENTIFIER, REFERENCE,
    SMARTCARD, SUBSCRIBE,
};
use wire::cabletv::{plans, providers, smartcard};
use wire::listing::{Listing, OrderWord};
use wire::page::{LENGTH_MAX, Paging};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "cabletv",
        name: "Cable TV",
        about: "Renew or change a subscription, or credit an amount to a smartcard.",
        operations: vec![
            list(),
            lookup(),
            list_plans(),
            list_transactions(),
            subscribe(),
            transaction(),
        ],
    }
}

/// The events of its transactions.
pub(super) fn event() -> EventSchema {
    EventSchema::of("CableEvent", "cabletv", [cabletv(), cabletv_topup()])
}

fn list() -> Operation {
    let path = "/payment/cabletv/providers";
    Operation::get(path, "listCableProviders", "List cable TV providers")
        .detailed("With `identifier` the answer is that one provider.")
        .takes([required(&COUNTRY, "566"), optional(&PROVIDER_IDENTIFIER)])
        .in_parts(&["identifier", "brandname", "company"])
        .lists("CableProviders", vec![all_providers()])
        .answers("CableProvider", vec![one_provider()])
        .refused(&[404])
}

fn lookup() -> Operation {
    let path = "/payment/cabletv/smartcard";
    let bare = Smartcard {
        customer_type: None,
        customer_address: None,
        customer_number: None,
        plan: None,
        due_at: None,
        ..card("7012345678")
    };
    let shown = |card: &Smartcard| smartcard::view(card, &crate::states::lagos());
    let known = shown(&card("7012345678"));
    Operation::get(path, "lookUpSmartcard", "Look a smartcard up")
        .takes([
            required(&PROVIDER, "201"),
            required(&SMARTCARD, "7012345678"),
        ])
        .answers(
            "Smartcard",
            vec![
                sample("smartcard", "The smartcard.", known),
                sample("no details", "The smartcard.", shown(&bare)).unseen(),
            ],
        )
        .refused(&[404, 502])
}

fn list_plans() -> Operation {
    let path = "/payment/cabletv/plans";
    Operation::get(path, "listCablePlans", "List the plans of a provider")
        .detailed("With `identifier` the answer is that one plan.")
        .takes([required(&PROVIDER, "201"), optional(&PLAN)])
        .in_parts(&["identifier", "name", "amount"])
        .lists("CablePlans", vec![all_plans()])
        .answers("CablePlan", vec![one_plan()])
        .refused(&[404])
}

fn subscribe() -> Operation {
    Operation::post("/payment/cabletv", "subscribeCable", "Pay for cable TV")
        .detailed(
            "The smartcard is looked up first, then paid for. `instant` renews the plan the card \
             has or changes to another one; `topup` credits an amount. What only the other way \
             needs may be sent and is not used.",
        )
        .takes_as(
            "instant",
            [
                required(&REFERENCE, "cabletv-1001"),
                required(&PROVIDER, "201"),
                required(&SMARTCARD, "7012345678"),
                required(&SUBSCRIBE, "instant").one_of(&["instant"]),
                required(&PLAN, "20103"),
                required(&DURATION, "1"),
                optional(&AMOUNT),
                optional(&CUSTOMER_PHONE),
            ],
        )
        .takes_as(
            "topup",
            [
                required(&REFERENCE, "cabletv-1002"),
                required(&PROVIDER, "201"),
                required(&SMARTCARD, "7012345678"),
                required(&SUBSCRIBE, "topup").one_of(&["topup"]),
                required(&AMOUNT, "2,500.00"),
                optional(&PLAN),
                optional(&DURATION),
                optional(&CUSTOMER_PHONE),
            ],
        )
        .by_quote()
        .pays("CableSubscription", in_every_state(cabletv()))
        .pays("CableTopUp", topped_up())
        .refused(&[404, 502])
}

fn list_transactions() -> Operation {
    Operation::get("/payment/cabletv", "listCable", "List cable TV payments")
        .lists_transactions("CableReports", reported())
}

fn transaction() -> Operation {
    let path = "/payment/cabletv/transaction";
    Operation::get(path, "reportCable", "Report a cable TV payment")
        .takes([required(&REFERENCE, "cabletv-1001")])
        .reports("CableReport", reported())
}

/// Reports of both modes of payment.
fn reported() -> Vec<StateCheck> {
    let mut states = in_every_state(cabletv());
    states.extend(topped_up());
    states
}

/// Samples of a credited amount are used for the schema only; the subscription is the example.
fn topped_up() -> Vec<StateCheck> {
    let states = in_every_state(cabletv_topup());
    states.into_iter().map(StateCheck::unseen).collect()
}

fn provider() -> CableBiller {
    CableBiller {
        code: provider_code("201"),
        country: CountryCode::NIGERIA,
        brandname: "DStv".into(),
        company: "MultiChoice Nigeria Limited".into(),
        address: "Tiamiyu Savage Street, Victoria Island, Lagos".into(),
        terms: crate::states::terms("1.5"),
        minimum: naira("500.00"),
        maximum: naira("150,000.00"),
        available: true,
        plans: Vec::new(),
    }
}

fn plan() -> (CablePlan, Money) {
    let plan = CablePlan {
        code: plan_code("20103"),
        name: "DStv Confam".into(),
        validity_days: 30,
        amount: naira("11,000.00"),
    };
    (plan, naira("10,835.00"))
}

fn paging() -> Paging<OrderWord> {
    Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    }
}

fn all_providers() -> Sample {
    let query = providers::CableProvidersQuery {
        country: CountryCode::NIGERIA,
        only: None,
        paging: paging(),
    };
    let fields = providers::view(&Listing::whole(vec![provider()]), &query);
    sample("providers", "The cable TV providers.", fields)
}

fn one_provider() -> Sample {
    sample(
        "provider",
        "The provider.",
        providers::view_one(&provider()),
    )
}

fn all_plans() -> Sample {
    let query = plans::CablePlansQuery {
        provider: provider_code("201"),
        only: None,
        paging: paging(),
    };
    let fields = plans::view(&provider(), &Listing::whole(vec![plan()]), &query);
    sample("plans", "The plans of the provider.", fields)
}

fn one_plan() -> Sample {
    let (plan, price) = plan();
    let fields = plans::view_one(&provider(), (&plan, price));
    sample("plan", "The plan.", fields)
}
