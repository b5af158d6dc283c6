//! Internet data (interface §4.5). It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, optional, required};
use crate::states::{EventSchema, Sample, in_every_state, sample, terms};
use domain::country::CountryCode;
use domain::internet::{DataOperator, DataPlan};
use domain::retrieve::Retrieve;
use domain::statement::Sort;
use testkit::builders::{self, naira, phone, plan_code, provider_code};
use wire::attribute::{COUNTRY, PHONE, PLAN, PROVIDER, REFERENCE, RETRIEVE};
use wire::internet::{number, plans, providers};
use wire::listing::{Listing, OrderWord};
use wire::page::{LENGTH_MAX, Paging};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "internet",
        name: "Internet data",
        about: "Data bundles for a phone or modem.",
        operations: vec![
            lookup(),
            list(),
            list_plans(),
            list_transactions(),
            subscribe(),
            transaction(),
        ],
    }
}

/// The events of its transactions.
pub(super) fn event() -> EventSchema {
    EventSchema::of("DataEvent", "internet", [builders::internet()])
}

fn lookup() -> Operation {
    let query = number::NumberQuery {
        country: CountryCode::NIGERIA,
        number: phone("2348031234567"),
    };
    let message = "The provider of the number.";
    let shown = number::view(&query, &provider());
    let path = "/payment/internet/number";
    Operation::get(path, "findDataProvider", "Find the provider of a number")
        .detailed(
            "The provider is the holder of the number's block, or the one that serves it today \
             where the gateway asks a register of ported numbers. A number may have been ported \
             since; a number lookup says where to.",
        )
        .takes([required(&COUNTRY, "566"), required(&PHONE, "2348031234567")])
        .answers("DataNumber", vec![sample("number", message, shown)])
}

fn list() -> Operation {
    let path = "/payment/internet/providers";
    Operation::get(path, "listDataProviders", "List providers of data")
        .takes([
            required(&COUNTRY, "566"),
            optional(&RETRIEVE).one_of(&["all"]),
        ])
        .in_parts(&["identifier", "brandname", "company"])
        .lists("DataProviders", vec![all_providers()])
}

fn list_plans() -> Operation {
    let path = "/payment/internet/plans";
    Operation::get(path, "listDataPlans", "List the plans of a provider")
        .takes([
            required(&PROVIDER, "301"),
            optional(&RETRIEVE).one_of(&["all"]),
        ])
        .in_parts(&["identifier", "name", "amount", "validity"])
        .lists("DataPlans", vec![all_plans()])
        .refused(&[404])
}

fn subscribe() -> Operation {
    Operation::post("/payment/internet", "buyData", "Buy data")
        .takes([
            required(&REFERENCE, "internet-1001"),
            required(&PLAN, "30101"),
            required(&PHONE, "2348031234567"),
        ])
        .by_quote()
        .pays("DataSubscription", in_every_state(builders::internet()))
        .refused(&[404])
}

fn list_transactions() -> Operation {
    Operation::get("/payment/internet", "listData", "List data purchases").lists_transactions(
        "DataSubscriptionReports",
        in_every_state(builders::internet()),
    )
}

fn transaction() -> Operation {
    let path = "/payment/internet/transaction";
    Operation::get(path, "reportData", "Report a purchase of data")
        .takes([required(&REFERENCE, "internet-1001")])
        .reports(
            "DataSubscriptionReport",
            in_every_state(builders::internet()),
        )
}

fn provider() -> DataOperator {
    DataOperator {
        code: provider_code("301"),
        country: CountryCode::NIGERIA,
        brandname: "MTN".into(),
        company: "MTN Nigeria Communications Plc".into(),
        address: "4 Aromire Road, Ikoyi, Lagos".into(),
        terms: terms("3"),
        available: true,
        plans: Vec::new(),
    }
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
    let query = providers::DataProvidersQuery {
        country: CountryCode::NIGERIA,
        retrieve: Retrieve::Buyable,
        paging: paging(),
    };
    let listing = Listing {
        found: vec![provider()],
        total: 5,
    };
    let fields = providers::view(&listing, &query);
    sample("providers", "The providers of internet data.", fields)
}

fn all_plans() -> Sample {
    let query = plans::DataPlansQuery {
        provider: provider_code("301"),
        retrieve: Retrieve::Buyable,
        paging: paging(),
    };
    let plan = DataPlan {
        code: plan_code("30101"),
        name: "110MB Daily".into(),
        validity_days: 1,
        amount: naira("100.00"),
        available: true,
    };
    let listing = Listing {
        found: vec![(plan, naira("97.00"))],
        total: 15,
    };
    let fields = plans::view(&provider(), &listing, &query);
    sample("plans", "The plans of the provider.", fields)
}
