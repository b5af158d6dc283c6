//! How the gateway is doing. It must not document what no sample shows.

mod approvals;

use crate::operation::{Operation, OperationFamily, optional};
use crate::states::{lagos, sample};
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::environment::Environment;
use domain::money::Currency;
use domain::operations::{
    CaseKind, CaseOverview, FloatOverview, PauseOverview, ProviderOverview, RouteOverview,
};
use domain::operator::OperatorName;
use domain::order::Service;
use domain::percent::Percent;
use domain::service_status::{ServiceHealth, ServiceStatus, ServiceTraffic};
use domain::statement::Sort;
use std::time::Duration;
use testkit::builders::{at, naira, provider_id};
use wire::attribute::{CASE_KIND, SERVICE};
use wire::listing::OrderWord;
use wire::operations::cases::{self, CasesQuery};
use wire::operations::status::{self, StatusQuery};
use wire::operations::{float, providers, routes};
use wire::page::{LENGTH_MAX, Paging};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "operations",
        name: "Operations",
        about: "How the products of the gateway are doing. The family is written `/operation` too: \
                each path is answered under both names. All but the status is for operators of the \
                gateway, who send their name and a key that `manilla operator http-key` made; keys \
                of accounts are answered 403. Such a key changes nothing by itself: it asks for a \
                change, and another operator grants it on the command line.",
        operations: vec![
            show_status(),
            list_providers(),
            list_routes(),
            show_float(),
            list_cases(),
            approvals::ask_for_provider(),
            approvals::ask_for_maintenance(),
            approvals::ask_for_decision(),
            approvals::list_approvals(),
            approvals::list_maintenance(),
        ],
    }
}

const PAGE: Paging<OrderWord> = Paging {
    offset: 0,
    length: LENGTH_MAX,
    order: None,
    sort: Sort::Ascending,
};

fn show_status() -> Operation {
    let query = StatusQuery {
        service: None,
        paging: PAGE,
    };
    let rows = status::listing(statuses(), &lagos());
    let shown = status::view(&rows, &query);
    let services: Vec<&'static str> = Service::delivered().map(Service::code).collect();
    Operation::get(
        "/operations/status",
        "showStatus",
        "Show how products and billers are doing",
    )
    .detailed(
        "One row for each product that the account can buy, with a null `biller`, and one for each \
         of its billers that is for sale. The figures are those of the payments of all accounts of \
         the environment that the instance which answers settled within the last 15 minutes, 500 \
         of a biller at most. Refusals for a fault of the order do not count. Fewer than 20 \
         payments show no figures. Down: nothing can be delivered now, or nothing was. Degraded: \
         fewer than 90 of 100 payments were delivered, or a biller of the product is not up.",
    )
    .takes([optional(&SERVICE).one_of(&services)])
    .in_parts(&["service", "prvStatus"])
    .lists(
        "ServiceStatuses",
        vec![sample("status", "How the services are doing.", shown)],
    )
}

fn statuses() -> Vec<ServiceStatus> {
    let busy = |success_rate, millis, pending| ServiceTraffic {
        success_rate: Some(success_rate),
        latency: Some(Duration::from_millis(millis)),
        pending,
    };
    let of = |service, biller: Option<&str>, health, traffic| ServiceStatus {
        service,
        biller: biller.map(str::to_owned),
        health,
        traffic,
        until: None,
    };
    let (airtime, tv) = (Service::Airtime, Service::CableTv);
    let nothing = ServiceTraffic::default();
    vec![
        of(airtime, None, ServiceHealth::Degraded, busy(93, 1_400, 20)),
        of(airtime, Some("Airtel"), ServiceHealth::Up, nothing),
        of(
            airtime,
            Some("MTN"),
            ServiceHealth::Degraded,
            busy(84, 9_100, 20),
        ),
        of(tv, None, ServiceHealth::Degraded, nothing),
        of(tv, Some("201"), ServiceHealth::Down, busy(0, 20_300, 0)),
        ServiceStatus {
            until: Some(at(7_200)),
            ..of(tv, Some("202"), ServiceHealth::Maintenance, nothing)
        },
    ]
}

fn list_providers() -> Operation {
    let of = |name| ProviderOverview {
        provider: provider_id(name),
        environment: Some(Environment::Live),
        routes: 4,
        pause: None,
        maintenance_until: None,
    };
    let paused = PauseOverview {
        by: OperatorName::parse("alpha").expect("a name"),
        since: at(60),
        reason: "float is spent".to_owned(),
    };
    let all = vec![
        of("vtpass"),
        ProviderOverview {
            pause: Some(paused),
            ..of("dtone")
        },
        ProviderOverview {
            environment: None,
            routes: 0,
            maintenance_until: Some(at(7_200)),
            ..of("reloadly")
        },
    ];
    let shown = providers::view(&providers::listing(all, &lagos()), &PAGE);
    let path = "/operations/providers";
    Operation::get(path, "listProviders", "List the providers")
        .detailed("For operators. What `manilla provider pause` said, and maintenance windows.")
        .takes([])
        .in_parts(&["prvIdentifier"])
        .lists(
            "Providers",
            vec![sample("providers", "The providers.", shown)],
        )
}

fn list_routes() -> Operation {
    let of = |number, name| RouteOverview {
        number,
        service: Service::Airtime,
        environment: Environment::Live,
        provider: provider_id(name),
        biller: None,
        billing: None,
        country: None,
        amount_min: None,
        amount_max: None,
        priority: 0,
        weight: 1,
        cost: None,
    };
    let narrow = RouteOverview {
        biller: Some("mtn".to_owned()),
        billing: Some(Billing::Prepaid),
        country: Some(CountryCode::NIGERIA),
        amount_min: Some(naira("100.00")),
        amount_max: Some(naira("20000.00")),
        cost: Percent::parse("2.5").ok(),
        ..of(1, "vtpass")
    };
    let all = vec![narrow, of(2, "dtone")];
    let shown = routes::view(&routes::listing(all, &lagos()), &PAGE);
    Operation::get("/operations/routes", "listRoutes", "List the routes")
        .detailed("For operators. In the order of the configuration.")
        .takes([])
        .in_parts(&["rteIdentifier"])
        .lists("Routes", vec![sample("routes", "The routes.", shown)])
}

fn show_float() -> Operation {
    let read = FloatOverview {
        provider: provider_id("vtpass"),
        currency: Currency::Ngn,
        ledger: Some(naira("250000.00")),
        said: Some(naira("249900.00")),
        difference: naira("249900.00").checked_sub(naira("250000.00")),
        is_low: Some(false),
        lasts: Some(Duration::from_hours(9)),
        read_at: Some(at(60)),
    };
    let unread = FloatOverview {
        provider: provider_id("dtone"),
        ledger: None,
        said: None,
        difference: None,
        is_low: None,
        lasts: None,
        read_at: None,
        ..read.clone()
    };
    let shown = float::view(&float::listing(vec![read, unread], &lagos()), &PAGE);
    Operation::get(
        "/operations/float",
        "showFloat",
        "Show what is left at providers",
    )
    .detailed(
        "For operators. By the ledger, and by what a server read last: no provider is asked, \
             as `manilla provider float` does.",
    )
    .takes([])
    .in_parts(&["prvIdentifier"])
    .lists(
        "ProviderFloats",
        vec![sample("float", "What is left at the providers.", shown)],
    )
}

fn list_cases() -> Operation {
    let query = CasesQuery {
        kind: None,
        paging: PAGE,
    };
    let review = CaseOverview {
        id: "review:mrc_MAMrSp2j3Z:order-7".to_owned(),
        kind: CaseKind::Review,
        account: Some("mrc_MAMrSp2j3Z".to_owned()),
        reference: Some("order-7".to_owned()),
        provider: Some("vtpass".to_owned()),
        provider_reference: Some("202601151000AbCdEf".to_owned()),
        amount: Some(naira("1000.00")),
        since: Some(at(60)),
        about: "the provider has given no evidence either way".to_owned(),
        todo: "find out what the provider did, then resolve it with --verdict and --reason"
            .to_owned(),
        awaits_approval: true,
    };
    let difference = CaseOverview {
        id: "difference:5f1c".to_owned(),
        kind: CaseKind::Difference,
        account: None,
        reference: None,
        provider: None,
        provider_reference: None,
        amount: None,
        since: None,
        about: "the ledger has no delivery of shop.order-8.1".to_owned(),
        todo: "compare with the provider".to_owned(),
        awaits_approval: false,
    };
    let rows = cases::listing(vec![review, difference], &lagos(), &query);
    let shown = cases::view(&rows, &query);
    let kinds = CaseKind::ALL.map(CaseKind::word);
    Operation::get(
        "/operations/cases",
        "listCases",
        "List what waits for a person",
    )
    .detailed(
        "For operators. What `manilla case list` shows; `manilla case resolve` decides. The \
             whole ledger is read for it.",
    )
    .takes([optional(&CASE_KIND).one_of(&kinds)])
    .in_parts(&["caseDate"])
    .lists(
        "Cases",
        vec![sample("cases", "What waits for a person.", shown)],
    )
}
