//! Cases of collections.

use super::shared::{
    self, ViolationCase, ask, bad_reports, created, params, second, strictly, success,
};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::merchant::COLLECTION;

const MAKE_ACCOUNT: Route = Route(Verb::Post, "/collection/account");
const ACCOUNTS: Route = Route(Verb::Get, "/collection/account");
const ACCOUNT: Route = Route(Verb::Get, "/collection/account/transaction");
const MAKE_INVOICE: Route = Route(Verb::Post, "/collection/invoice");
const INVOICES: Route = Route(Verb::Get, "/collection/invoice");
const INVOICE: Route = Route(Verb::Get, "/collection/invoice/transaction");
const PAYMENTS: Route = Route(Verb::Get, "/collection/transaction");
const SIMULATE: Route = Route(Verb::Post, "/collection/simulate");
const STEPS: [(Route, &str); 3] = [
    (Route(Verb::Post, "/collection/suspend"), "Suspended"),
    (Route(Verb::Post, "/collection/resume"), "Active"),
    (Route(Verb::Post, "/collection/close"), "Closed"),
];

const AMOUNT: Option<ViolationCase> = Some((814, "Amount"));
const PHONE: Option<ViolationCase> = Some((822, "Phone Number"));

const NEW_ACCOUNT: [(&str, &str); 9] = [
    ("mrcReference", "\"bad\""),
    ("customerName", "\"Ada Obi\""),
    ("customerEmail", "\"ada@example.com\""),
    ("customerPhone", "\"2348031234567\""),
    ("kycType", "\"bvn\""),
    ("kycNumber", "\"22345678901\""),
    ("colSingle", "false"),
    ("colAmount", "\"5,000.00\""),
    ("colExpires", "\"2030-01-01T00:00:00Z\""),
];

const NEW_INVOICE: [(&str, &str); 6] = [
    ("mrcReference", "\"bad\""),
    ("payerName", "\"Ada Obi\""),
    ("colPurpose", "\"tax\""),
    ("colAmount", "\"5,000.00\""),
    ("dueDate", "\"2030-01-01T00:00:00Z\""),
    ("colPartial", "true"),
];

pub(crate) fn cases() -> Vec<Case> {
    let all = [
        accounts(),
        invoices(),
        payments(),
        steps(),
        bad_accounts(),
        bad_invoices(),
        bad_rest(),
    ];
    all.into_iter().flatten().collect()
}

/// What every collection ends with; nothing was paid.
fn rest(status: &str, due: &str, version: u32) -> String {
    format!(
        "\"colStatus\":\"{status}\",\"colPaid\":\"0.00\",\"colDue\":{due},\"colPayments\":0,\
         \"currency\":\"NGN\",\"txnDate\":\"<datetime>\",\"version\":{version}"
    )
}

fn account(reference: &str) -> String {
    let rest = rest("Active", "\"5,000.00\"", 1);
    format!(
        "\"mrcReference\":\"{reference}\",\"colIdentifier\":<int>,\"customerName\":\"Ada Obi\",\
         \"customerEmail\":\"ada@example.com\",\"customerPhone\":\"2348031234567\",\
         \"kycType\":\"bvn\",\"kycNumber\":\"*******8901\",\"bankFullname\":\"Sandbox Bank\",\
         \"accountNumber\":\"<text>\",\"accountName\":\"Ada Obi\",\"colSingle\":false,\
         \"colAmount\":\"5,000.00\",\"colExpires\":\"<datetime>\",{rest}"
    )
}

/// The account that is made for a case: nothing but its customer is known.
fn least(status: &str, version: u32) -> String {
    let rest = rest(status, "null", version);
    format!(
        "\"mrcReference\":\"<text>\",\"colIdentifier\":<int>,\"customerName\":\"Ada Obi\",\
         \"customerEmail\":null,\"customerPhone\":null,\"kycType\":null,\"kycNumber\":null,\
         \"bankFullname\":\"Sandbox Bank\",\"accountNumber\":\"<text>\",\
         \"accountName\":\"Ada Obi\",\"colSingle\":false,\"colAmount\":null,\
         \"colExpires\":null,{rest}"
    )
}

fn invoice(reference: &str) -> String {
    let rest = rest("Open", "\"5,000.00\"", 1);
    format!(
        "\"mrcReference\":\"{reference}\",\"colIdentifier\":<int>,\"colReference\":\"<text>\",\
         \"payerName\":\"Ada Obi\",\"colPurpose\":\"tax\",\"colAmount\":\"5,000.00\",\
         \"colPartial\":true,\"dueDate\":\"<datetime>\",\"bankFullname\":\"Sandbox Bank\",\
         \"accountNumber\":\"9900000000\",\"accountName\":\"Sandbox Collections\",{rest}"
    )
}

fn lists(route: Route, rest: Vec<Case>) -> Vec<Case> {
    let ask = |rule: &str, query: &str, expect| ask(route, rule, query, expect);
    let mut cases = vec![
        ask("it needs credentials", "", Expect::Credentials),
        ask(
            "no part",
            "offset=-1&length=101&sort=up&orderby=amount",
            params(400, None, &["offset", "length", "orderby", "sort"]),
        ),
        strictly(ask(
            "strict: every unknown attribute is named",
            "x=1",
            params(400, None, &["x"]),
        )),
    ];
    cases.extend(rest);
    cases
}

fn accounts() -> Vec<Case> {
    let body = |changes: &[(&str, &str)]| Body(object(&NEW_ACCOUNT, changes));
    let named = |reference| [("mrcReference", reference)];
    let first = body(&named("\"good-account\""));
    let second_one = body(&named("\"good-account-2\""));
    let page = second("accounts", &account("good-account-2"), (2, 2));
    let mut cases = vec![
        Case::new(
            MAKE_ACCOUNT,
            "it needs credentials",
            body(&[]),
            Expect::Credentials,
        ),
        Case::new(
            MAKE_ACCOUNT,
            "every field, in order",
            first,
            created(&account("good-account")),
        ),
        Case::new(
            MAKE_ACCOUNT,
            "another",
            second_one,
            created(&account("good-account-2")),
        ),
    ];
    let part = ask(
        ACCOUNTS,
        "a part of them",
        "offset=1&length=1",
        success(&page),
    );
    cases.extend(lists(ACCOUNTS, vec![part]));
    cases.extend(bad_reports(ACCOUNT, "good-account"));
    let query = "mrcReference=good-account";
    let expect = success(&account("good-account"));
    cases.push(ask(ACCOUNT, "the fields of the account", query, expect));
    cases
}

fn invoices() -> Vec<Case> {
    let body = |changes: &[(&str, &str)]| Body(object(&NEW_INVOICE, changes));
    let good = body(&[("mrcReference", "\"good-invoice\"")]);
    let mut cases = vec![
        Case::new(
            MAKE_INVOICE,
            "it needs credentials",
            body(&[]),
            Expect::Credentials,
        ),
        Case::new(
            MAKE_INVOICE,
            "every field, in order",
            good,
            created(&invoice("good-invoice")),
        ),
    ];
    let fields = invoice("good-invoice");
    let page = format!(
        "\"invoices\":[{{{fields}}}],\"metadata\":{{\"total\":1}},\
         \"query\":{{\"length\":1,\"offset\":0,\"total\":1,\"found\":1}}"
    );
    let part = ask(INVOICES, "a part of them", "length=1", success(&page));
    cases.extend(lists(INVOICES, vec![part]));
    cases.extend(bad_reports(INVOICE, "good-invoice"));
    let query = "mrcReference=good-invoice";
    cases.push(ask(
        INVOICE,
        "the fields of the invoice",
        query,
        success(&fields),
    ));
    cases
}

/// A simulated payment of 250.00 to the account that is made for the case.
fn paid() -> String {
    "\"mrcReference\":\"<text>\",\"txnReference\":<int>,\"txnStatus\":\"Successful\",\
     \"txnDate\":\"<datetime>\",\"colIdentifier\":<int>,\"colAmount\":\"250.00\",\
     \"colCharge\":\"0.00\",\"colVat\":\"0.00\",\"colNet\":\"250.00\",\"currency\":\"NGN\",\
     \"payerName\":\"Ngozi Eze\",\"payerBank\":null,\"payerAccount\":\"******4321\",\
     \"sessionId\":\"<text>\",\"payDate\":\"<datetime>\",\"stlDate\":\"<datetime>\""
        .to_owned()
}

fn simulation(reference: &str) -> String {
    format!(
        "{{\"mrcReference\":\"{reference}\",\"colIdentifier\":{COLLECTION},\
         \"colAmount\":\"250.00\",\"payerName\":\"Ngozi Eze\",\"payerAccount\":\"0123454321\"}}"
    )
}

fn payments() -> Vec<Case> {
    let shown = format!(
        "{},\"colStatus\":\"Active\",\"colPaid\":\"250.00\",\"colDue\":null",
        paid()
    );
    let page = format!(
        "\"payments\":[{{{}}}],\"metadata\":{{\"total\":1}},\
         \"query\":{{\"length\":1,\"offset\":0,\"total\":1,\"found\":1}}",
        paid()
    );
    let mut cases = vec![
        Case::new(
            SIMULATE,
            "it needs credentials",
            Body(simulation("bad-paid")),
            Expect::Credentials,
        ),
        Case::new(
            SIMULATE,
            "a payment is credited",
            Body(simulation("good-paid")),
            success(&shown),
        ),
    ];
    cases.extend(lists(
        PAYMENTS,
        vec![
            ask(PAYMENTS, "a part of them", "length=1", success(&page)),
            ask(
                PAYMENTS,
                "no collection, and a time that ends before it begins",
                "colIdentifier=x&from=02-01-2026&to=01-01-2026",
                params(400, None, &["colIdentifier", "to"]),
            ),
        ],
    ));
    cases
}

fn steps() -> Vec<Case> {
    let body = |rest: &str| Body(format!("{{\"colIdentifier\":{COLLECTION}{rest}}}"));
    let each = STEPS.iter().flat_map(|(route, status)| {
        let version = if *status == "Active" { 1 } else { 2 };
        let expect = success(&least(status, version));
        [
            Case::new(
                *route,
                "it needs credentials",
                body(""),
                Expect::Credentials,
            ),
            Case::new(*route, "a step", body(",\"version\":1"), expect),
            Case::new(
                *route,
                "no collection of the account",
                Body("{\"colIdentifier\":1}".to_owned()),
                params(404, None, &["colIdentifier"]),
            ),
            Case::new(
                *route,
                "what is missing or wrong is named at once",
                Body("{\"colIdentifier\":\"x\",\"version\":0}".to_owned()),
                params(400, None, &["colIdentifier", "version"]),
            ),
            strictly(Case::new(
                *route,
                "strict: every unknown attribute is named",
                body(",\"x\":1"),
                params(400, None, &["x"]),
            )),
        ]
    });
    each.collect()
}

fn bad_values(
    (route, order): (Route, &'static [(&'static str, &'static str)]),
    name: &'static str,
    values: &[&str],
    about: Option<ViolationCase>,
) -> Vec<Case> {
    let case = |value: &&str| {
        let expect = params(400, about, &[name]);
        shared::bad(
            (route, order),
            "a value that is none",
            &[(name, *value)],
            expect,
        )
    };
    values.iter().map(case).collect()
}

fn bad_accounts() -> Vec<Case> {
    let of = |name, values: &[&str], about| {
        bad_values((MAKE_ACCOUNT, &NEW_ACCOUNT), name, values, about)
    };
    [
        of("mrcReference", &["\"a b\"", "\"\"", "null"], None),
        of("customerName", &["\"\"", "\" \"", "null"], None),
        of("customerEmail", &["\"ada\"", "\"\""], None),
        of("customerPhone", &["\"12\"", "\"0803\""], PHONE),
        of("kycType", &["\"passport\""], None),
        of("kycNumber", &["\"123\"", "\"2234567890a\""], None),
        of("colSingle", &["\"perhaps\"", "2"], None),
        of(
            "colAmount",
            &["0", "\"-1\"", "\"0.99\"", "\"1000000000.01\""],
            AMOUNT,
        ),
        of(
            "colExpires",
            &[
                "\"soon\"",
                "\"2020-01-01T00:00:00Z\"",
                "\"2099-01-01T00:00:00Z\"",
            ],
            None,
        ),
    ]
    .concat()
}

fn bad_invoices() -> Vec<Case> {
    let of = |name, values: &[&str], about| {
        bad_values((MAKE_INVOICE, &NEW_INVOICE), name, values, about)
    };
    [
        of("mrcReference", &["\"a b\"", "\"\"", "null"], None),
        of("payerName", &["\"\"", "null"], None),
        of("colPurpose", &["\"gift\"", "7", "null"], None),
        of(
            "colAmount",
            &["0", "\"0.99\"", "\"1000000000.01\"", "null"],
            AMOUNT,
        ),
        of(
            "dueDate",
            &[
                "\"soon\"",
                "null",
                "\"2020-01-01T00:00:00Z\"",
                "\"2099-01-01T00:00:00Z\"",
            ],
            None,
        ),
        of("colPartial", &["\"perhaps\"", "2"], None),
    ]
    .concat()
}

fn bad_rest() -> Vec<Case> {
    let nothing = |order: &[(&'static str, &'static str)]| {
        order
            .iter()
            .map(|(name, _)| (*name, ""))
            .collect::<Vec<_>>()
    };
    vec![
        shared::bad(
            (MAKE_ACCOUNT, &NEW_ACCOUNT),
            "everything that is missing is named at once",
            &nothing(&NEW_ACCOUNT),
            params(400, None, &["mrcReference", "customerName"]),
        ),
        shared::bad(
            (MAKE_INVOICE, &NEW_INVOICE),
            "everything that is missing is named at once",
            &nothing(&NEW_INVOICE),
            params(
                400,
                AMOUNT,
                &[
                    "mrcReference",
                    "payerName",
                    "colPurpose",
                    "colAmount",
                    "dueDate",
                ],
            ),
        ),
        strictly(shared::bad(
            (MAKE_ACCOUNT, &NEW_ACCOUNT),
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
        strictly(shared::bad(
            (MAKE_INVOICE, &NEW_INVOICE),
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
        Case::new(
            SIMULATE,
            "everything that is missing is named at once",
            Body("{}".to_owned()),
            params(400, AMOUNT, &["mrcReference", "colIdentifier", "colAmount"]),
        ),
        Case::new(
            SIMULATE,
            "no collection of the account",
            Body(simulation("bad-paid").replace(COLLECTION, "1")),
            params(404, None, &["colIdentifier"]),
        ),
        strictly(Case::new(
            SIMULATE,
            "strict: every unknown attribute is named",
            Body(simulation("bad-paid").replace("\"payerName\"", "\"x\"")),
            params(400, None, &["x"]),
        )),
    ]
}
