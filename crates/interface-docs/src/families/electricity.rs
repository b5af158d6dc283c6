//! Electricity (interface §4.4). It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, Parameter, optional, required};
use crate::states::{
    EventSchema, Sample, StateCheck, after_opening, in_every_state, lagos, sample, terms,
};
use domain::country::CountryCode;
use domain::electricity::{Disco, Meter, Tariff};
use domain::order::Order;
use domain::retrieve::Retrieve;
use domain::statement::Sort;
use domain::transaction::Transaction;
use testkit::builders;
use wire::attribute::{
    AMOUNT, BILLING, COUNTRY, CUSTOMER_PHONE, DISCO, METER, REFERENCE, RETRIEVE,
};
use wire::electricity::discos::DiscosQuery;
use wire::electricity::{discos, meter};
use wire::listing::Listing;
use wire::page::{LENGTH_MAX, Paging};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "electricity",
        name: "Electricity",
        about: "Vend tokens for prepaid meters and pay the bills of postpaid ones.",
        operations: vec![list(), lookup(), list_transactions(), pay(), transaction()],
    }
}

/// The events of its transactions.
pub(super) fn event() -> EventSchema {
    EventSchema::of(
        "ElectricityEvent",
        "electricity",
        [builders::electricity(), builders::electricity().postpaid()],
    )
}

fn list() -> Operation {
    let path = "/payment/electricity/discos";
    Operation::get(path, "listDiscos", "List distribution companies")
        .takes([
            required(&COUNTRY, "566"),
            optional(&RETRIEVE).one_of(&["all"]),
        ])
        .in_parts(&["identifier", "brandname", "company"])
        .lists("Discos", vec![companies()])
}

fn lookup() -> Operation {
    let path = "/payment/electricity/meter";
    let bare = Meter {
        last_purchase: None,
        debt: None,
        tariff: Tariff {
            rate: None,
            ..builders::meter("04123456789").tariff
        },
        ..builders::meter("04123456789")
    };
    let shown = |meter: &Meter| meter::view(meter, &lagos());
    let samples = vec![
        sample(
            "meter",
            "The meter.",
            shown(&builders::meter("04123456789")),
        ),
        sample("its company says little", "The meter.", shown(&bare)).unseen(),
    ];
    Operation::get(path, "lookUpMeter", "Look a meter up")
        .takes([
            required(&DISCO, "101"),
            required(&METER, "04123456789"),
            billing(),
        ])
        .answers("Meter", samples)
        .refused(&[404, 502])
}

fn pay() -> Operation {
    Operation::post(
        "/payment/electricity",
        "payElectricity",
        "Pay for electricity",
    )
    .detailed(
        "The meter is looked up first, then paid. A prepaid payment is Successful only with \
             its token.",
    )
    .takes([
        required(&REFERENCE, "electricity-1001"),
        required(&DISCO, "101"),
        required(&METER, "04123456789"),
        required(&AMOUNT, "5,000.00"),
        billing(),
        optional(&CUSTOMER_PHONE),
    ])
    .by_quote()
    .pays("ElectricityPayment", payments())
    .refused(&[404, 502])
}

fn list_transactions() -> Operation {
    Operation::get(
        "/payment/electricity",
        "listElectricity",
        "List electricity payments",
    )
    .lists_transactions("ElectricityReports", payments())
}

fn transaction() -> Operation {
    let path = "/payment/electricity/transaction";
    Operation::get(path, "reportElectricity", "Report an electricity payment")
        .takes([required(&REFERENCE, "electricity-1001")])
        .reports("ElectricityReport", payments())
}

fn billing() -> Parameter {
    required(&BILLING, "prepaid").one_of(&["prepaid", "postpaid"])
}

/// Payments for a known prepaid meter are shown as examples. Postpaid ones, whose token is null,
/// and the first payment for a meter of which little is known are used for the schema only.
fn payments() -> Vec<StateCheck> {
    let postpaid = in_every_state(builders::electricity().postpaid());
    let unseen = postpaid.into_iter().chain(after_opening(first_purchase()));
    let mut states = in_every_state(builders::electricity());
    states.extend(unseen.map(StateCheck::unseen));
    states
}

fn first_purchase() -> Transaction {
    let mut opened = builders::electricity().transaction();
    if let Order::Electricity(order) = &mut opened.order {
        order.meter.last_purchase = None;
        order.meter.last_paid = None;
        order.meter.debt = None;
        order.meter.tariff.rate = None;
    }
    opened
}

fn companies() -> Sample {
    let ikeja = Disco {
        code: builders::meter("04123456789").disco,
        country: CountryCode::NIGERIA,
        brandname: "Ikeja Electric".into(),
        company: "Ikeja Electric Plc".into(),
        address: "Secretariat Road, Alausa, Ikeja, Lagos".into(),
        prepaid: terms("2"),
        postpaid: terms("1.5"),
        available: true,
    };
    let companies = Listing {
        found: vec![ikeja],
        total: 11,
    };
    let query = DiscosQuery {
        country: CountryCode::NIGERIA,
        retrieve: Retrieve::Buyable,
        paging: Paging {
            offset: 0,
            length: LENGTH_MAX,
            order: None,
            sort: Sort::Ascending,
        },
    };
    let fields = discos::view(&companies, &query);
    sample("discos", "The distribution companies.", fields)
}
