//! Cases of the five bank transfer operations.

use super::shared::{self, ViolationCase, ask, bad_reports, params, strictly, success};
use crate::case::Input::{Body, Query};
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;

const LISTS: Route = Route(Verb::Get, "/transfer/bank/lists");
const LOOKUP: Route = Route(Verb::Get, "/transfer/bank/lookup");
const ENQUIRY: Route = Route(Verb::Get, "/transfer/bank/enquiry");
const PAY: Route = Route(Verb::Post, "/transfer/bank/payout");
const REPORT: Route = Route(Verb::Get, "/transfer/bank/transaction");

const COUNTRY: Option<ViolationCase> = Some((851, "Country"));
const AMOUNT: Option<ViolationCase> = Some((814, "Amount"));
const BANK: Option<ViolationCase> = Some((840, "Bank Provider"));
const ACCOUNT: ViolationCase = (842, "Bank Account");

/// The check digit of each account is that of its bank.
const ORDER: [(&str, &str); 5] = [
    ("mrcReference", "\"bad\""),
    ("bankIdentifier", "\"NGNIP000013\""),
    ("accountNumber", "\"0123476789\""),
    ("txnAmount", "\"20,000.00\""),
    ("txnNarration", "\"Rent of June\""),
];

const GTBANK: &str = "\"bankIdentifier\":\"NGNIP000013\",\"bankType\":\"Commercial Bank\",\
     \"bankShortname\":\"GTBank\",\"bankFullname\":\"Guaranty Trust Bank Plc\",\
     \"bankLogo\":\"<text>\",\"codeBank\":\"058\",\"codeTransfer\":\"000013\",\
     \"codeUSSD\":\"*737#\"";

const HOLDER: &str = "DANLADI OLUWASEUN AMINA";

pub(crate) fn cases() -> Vec<Case> {
    let lists = [banks(), lookups(), enquiries()];
    let payments = [
        good(),
        bad_values(),
        bad_narrations(),
        bad_rest(),
        reports(),
    ];
    lists.into_iter().chain(payments).flatten().collect()
}

fn banks() -> Vec<Case> {
    let ask = |rule, query, expect| ask(LISTS, rule, query, expect);
    let part = "\"banks\":[{\"bankIdentifier\":\"NGCBN000105\",\"bankType\":\"Commercial Bank\",\
                \"bankShortname\":\"PremiumTrust Bank\",\
                \"bankFullname\":\"Premium Trust Bank Limited\",\"bankLogo\":\"<text>\",\
                \"codeBank\":\"105\",\"codeTransfer\":\"Unavailable\",\
                \"codeUSSD\":\"Unavailable\"}],\"metadata\":{\"total\":1},\
                \"query\":{\"length\":1,\"offset\":0,\"total\":<int>,\"found\":<int>}";
    vec![
        ask(
            "it needs credentials",
            "countryCode=566",
            Expect::Credentials,
        ),
        ask(
            "a part of the list, every field in order",
            "countryCode=566&orderby=bankIdentifier&length=1",
            success(part),
        ),
        ask(
            "a filter is missing",
            "",
            params(405, COUNTRY, &["countryCode"]),
        ),
        ask(
            "a country without banks",
            "countryCode=288",
            params(400, COUNTRY, &["countryCode"]),
        ),
        ask(
            "everything that is wrong is named at once",
            "countryCode=NG&length=101&offset=x&orderby=codeBank&sort=",
            params(
                400,
                COUNTRY,
                &["countryCode", "offset", "length", "orderby", "sort"],
            ),
        ),
    ]
}

fn lookups() -> Vec<Case> {
    let ask = |rule, query, expect| ask(LOOKUP, rule, query, expect);
    let gtbank = "bankIdentifier=NGNIP000013";
    vec![
        ask("it needs credentials", gtbank, Expect::Credentials),
        ask("every field, in order", gtbank, success(GTBANK)),
        ask(
            "a bank that is not there",
            "bankIdentifier=NGNIP999999",
            params(404, BANK, &["bankIdentifier"]),
        ),
        ask(
            "a bank that is none",
            "bankIdentifier=ngnip00001",
            params(400, BANK, &["bankIdentifier"]),
        ),
        ask(
            "a filter is missing",
            "",
            params(405, BANK, &["bankIdentifier"]),
        ),
    ]
}

fn enquiries() -> Vec<Case> {
    let ask = |rule, account: &str, expect| {
        let query = format!("bankIdentifier=NGNIP000013&accountNumber={account}");
        ask(ENQUIRY, rule, &query, expect)
    };
    let found = format!(
        "\"bankFullname\":\"Guaranty Trust Bank Plc\",\"accountName\":\"{HOLDER}\",\
         \"accountNumber\":\"0123476789\",\"accountType\":\"savings\""
    );
    let elsewhere = Query("bankIdentifier=NGNIP999999&accountNumber=0123476789".to_owned());
    let unknown = params(404, BANK, &["bankIdentifier"]);
    let missing = params(405, BANK, &["bankIdentifier", "accountNumber"]);
    vec![
        ask("it needs credentials", "0123476789", Expect::Credentials),
        ask("every field, in order", "0123476789", success(&found)),
        ask(
            "a wrong check digit",
            "0123476788",
            params(400, Some(ACCOUNT), &["accountNumber"]),
        ),
        ask(
            "a number that is none",
            "123476789",
            params(400, Some(ACCOUNT), &["accountNumber"]),
        ),
        ask(
            "an account its bank does not know",
            "0123480014",
            params(404, Some(ACCOUNT), &["accountNumber"]),
        ),
        ask(
            "a bank that cannot be reached",
            "0123530012",
            Expect::System(503, ACCOUNT),
        ),
        Case::new(ENQUIRY, "a bank that is not there", elsewhere, unknown),
        Case::new(
            ENQUIRY,
            "filters are missing",
            Query(String::new()),
            missing,
        ),
    ]
}

/// What a payout is answered, and its report.
fn answer(reference: &str, (amount, charges, fees): (&str, &str, &str)) -> Expect {
    success(&format!(
        "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"Successful\",\
         \"bankFullname\":\"Guaranty Trust Bank Plc\",\"accountNumber\":\"0123476789\",\
         \"accountName\":\"{HOLDER}\",\"txnAmount\":\"{amount}\",\
         \"txnNarration\":\"Rent of June\",\"txnCharges\":\"{charges}\",\
         \"txnFees\":\"{fees}\",\"txnCurrency\":\"NGN\""
    ))
}

const GOOD: (&str, &str, &str) = ("20,000.00", "26.88", "50.00");

fn bad(rule: &str, changes: &[(&str, &str)], expect: Expect) -> Case {
    shared::bad((PAY, &ORDER), rule, changes, expect)
}

fn good() -> Vec<Case> {
    let body = |changes: &[(&str, &str)]| Body(object(&ORDER, changes));
    let mut cases = vec![
        Case::new(PAY, "it needs credentials", body(&[]), Expect::Credentials),
        Case::new(
            PAY,
            "every field, in order",
            body(&[("mrcReference", "\"good-bank\"")]),
            answer("good-bank", GOOD),
        ),
    ];
    // Every band of charges on both its sides, and the levy on both of its.
    for (number, (amount, written, charges, fees)) in [
        ("100.00", "100", "10.75", "0.00"),
        ("5,000.00", "5000.0", "10.75", "0.00"),
        ("5,000.01", "\"5,000.01\"", "26.88", "0.00"),
        ("9,999.99", "9999.99", "26.88", "0.00"),
        ("10,000.00", "\"10000.00\"", "26.88", "50.00"),
        ("50,000.00", "50000", "26.88", "50.00"),
        ("50,000.01", "50000.01", "53.75", "50.00"),
    ]
    .into_iter()
    .enumerate()
    {
        let reference = format!("good-bank-{number}");
        let quoted = format!("\"{reference}\"");
        cases.push(Case::new(
            PAY,
            format!("what a payout of {amount} is charged"),
            body(&[("mrcReference", &quoted), ("txnAmount", written)]),
            answer(&reference, (amount, charges, fees)),
        ));
    }
    cases
}

fn reports() -> Vec<Case> {
    let expect = answer("good-bank", GOOD);
    let query = "mrcReference=good-bank";
    let mut cases = bad_reports(REPORT, "good-bank");
    cases.push(ask(REPORT, "the fields of the payout", query, expect));
    cases
}

fn bad_values() -> Vec<Case> {
    let mut cases = Vec::new();
    for amount in [
        "\"-1\"",
        "\"0\"",
        "\"1e5\"",
        "\"1,23.00\"",
        "\"20000.001\"",
        "\"２００００\"",
        "null",
        "{}",
        "1000000000000000000",
        "\"99.99\"",
        "\"10,000,000.01\"",
    ] {
        let expect = params(400, AMOUNT, &["txnAmount"]);
        cases.push(bad(
            "an amount that is none, or not paid out",
            &[("txnAmount", amount)],
            expect,
        ));
    }
    for bank in [
        "\"058\"",
        "\"\"",
        "\"NGNIP00013\"",
        "\"ngnip00001\"",
        "\"NGNIP0000130\"",
        "58",
        "null",
    ] {
        let expect = params(400, BANK, &["bankIdentifier"]);
        cases.push(bad(
            "a bank that is none",
            &[("bankIdentifier", bank)],
            expect,
        ));
    }
    for account in [
        "\"0123476788\"",
        "\"012347678\"",
        "\"O123476789\"",
        "123476789",
        "1.23e9",
        "\"\"",
        "null",
        "\"٠١٢٣٤٧٦٧٨٩\"",
    ] {
        let expect = params(400, Some(ACCOUNT), &["accountNumber"]);
        cases.push(bad(
            "a number that is none",
            &[("accountNumber", account)],
            expect,
        ));
    }
    cases
}

fn bad_narrations() -> Vec<Case> {
    let long = format!("\"{}\"", "n".repeat(101));
    let narrations = [
        "\"\"",
        "\" \"",
        "\"two\\nlines\"",
        "\"nul\\u0000\"",
        "\"tab\\t\"",
        "\"\\u202Ereversed\"",
        "\"\\u2066isolated\"",
        "\"\\uFFFE\"",
        "7",
        "null",
        &long,
    ];
    let case = |narration: &&str| {
        let expect = params(400, None, &["txnNarration"]);
        bad(
            "a narration that is none",
            &[("txnNarration", *narration)],
            expect,
        )
    };
    narrations.iter().map(case).collect()
}

fn bad_rest() -> Vec<Case> {
    let all = [
        "mrcReference",
        "bankIdentifier",
        "accountNumber",
        "txnAmount",
        "txnNarration",
    ];
    vec![
        bad(
            "a bank that is not there",
            &[("bankIdentifier", "\"NGNIP999999\"")],
            params(404, BANK, &["bankIdentifier"]),
        ),
        bad(
            "an account its bank does not know",
            &[("accountNumber", "\"0123480014\"")],
            params(404, Some(ACCOUNT), &["accountNumber"]),
        ),
        bad(
            "a bank that cannot be reached",
            &[("accountNumber", "\"0123530012\"")],
            Expect::System(503, ACCOUNT),
        ),
        Case::new(
            PAY,
            "everything that is missing is named at once",
            Body("{}".to_owned()),
            params(400, BANK, &all),
        ),
        bad(
            "everything that is wrong is named at once",
            &[
                ("txnNarration", ""),
                ("txnAmount", "0"),
                ("accountNumber", "\"1\""),
            ],
            params(
                400,
                Some(ACCOUNT),
                &["accountNumber", "txnAmount", "txnNarration"],
            ),
        ),
        strictly(bad(
            "under strict handling attributes of another operation are unknown",
            &[("amount", "\"5\"")],
            params(400, None, &["amount"]),
        )),
    ]
}
