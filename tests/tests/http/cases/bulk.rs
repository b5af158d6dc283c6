//! Cases of bulk transfers.

use super::batches::BatchCases;
use super::shared::{params, strictly};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::merchant::GROUP;

const PAY: Route = Route(Verb::Post, "/transfer/bulk");
const LIST: Route = Route(Verb::Get, "/transfer/bulk");
const REPORT: Route = Route(Verb::Get, "/transfer/bulk/transaction");
const CANCEL: Route = Route(Verb::Post, "/transfer/bulk/cancel");

const ACCOUNT: (u16, &str) = (842, "Bank Account");

pub(crate) fn cases() -> Vec<Case> {
    let all = [paying(), refused(), batches()];
    all.into_iter().flatten().collect()
}

/// The check digit of the account is that of its bank.
fn item(reference: &str) -> String {
    format!(
        "{{\"mrcReference\":\"{reference}\",\"bankIdentifier\":\"NGNIP000013\",\
         \"accountNumber\":\"0123476789\",\"txnAmount\":\"1,000.00\",\"txnNarration\":\"Pay\"}}"
    )
}

fn order(run: &str, items: &[String]) -> String {
    let run = format!("\"{run}\"");
    let items = format!("[{}]", items.join(","));
    object(&[("mrcReference", &run), ("items", &items)], &[])
}

/// A batch of two, which are sent as soon as they are stored.
const ACCEPTED: &str = "\"batReference\":<int>,\"batStatus\":\"<text>\",\"batDate\":\"<datetime>\",\
    \"batOnFailure\":\"continue\",\"batCount\":2,\"batTotal\":\"2,000.00\",\
    \"batPrice\":\"2,021.50\",\"counts\":{\"pending\":<int>,\"successful\":<int>,\
    \"failed\":<int>,\"reversed\":<int>},\"currency\":\"NGN\"";

const ENVELOPE: &str = "\"code\":202,\"status\":\"success\",\"message\":\"<text>\"";

fn accepted(run: &str) -> Expect {
    let named = format!("\"mrcReference\":\"{run}\"");
    Expect::Answer(202, format!("{{{ENVELOPE},{named},{ACCEPTED}}}"))
}

fn paying() -> Vec<Case> {
    let case = |rule: &str, body: String, expect| Case::new(PAY, rule, Body(body), expect);
    let two = |name: &str| [item(&format!("{name}-1")), item(&format!("{name}-2"))];
    vec![
        case(
            "it needs credentials",
            order("bad", &two("bad")),
            Expect::Credentials,
        ),
        case(
            "two payouts, every field in order",
            order("good-bulk", &two("good-bulk")),
            accepted("good-bulk"),
        ),
        case(
            "a group, whose members are paid, every field in order",
            of_group("good-group", GROUP),
            Expect::Answer(
                202,
                format!("{{{ENVELOPE},\"mrcReference\":\"good-group\",{}}}", one()),
            ),
        ),
    ]
}

fn of_group(run: &str, group: &str) -> String {
    format!(
        "{{\"mrcReference\":\"{run}\",\"grpIdentifier\":{group},\
         \"txnAmount\":\"1,000.00\",\"txnNarration\":\"Pay\"}}"
    )
}

/// A batch of one.
fn one() -> String {
    let one = ACCEPTED.replace("\"batCount\":2", "\"batCount\":1");
    let one = one.replace("\"2,000.00\"", "\"1,000.00\"");
    one.replace("\"2,021.50\"", "\"1,010.75\"")
}

fn refused() -> Vec<Case> {
    let case = |rule: &str, body: String, expect| Case::new(PAY, rule, Body(body), expect);
    let other = |from: &str, to: &str| item("bad-1").replace(from, to);
    let many: Vec<_> = (0..1_001).map(|_| "{}".to_owned()).collect();
    vec![
        case(
            "everything that is wrong is named at once",
            object(&[("items", "[{}]"), ("batOnFailure", "\"retry\"")], &[]),
            params(
                400,
                Some((840, "Bank Provider")),
                &[
                    "mrcReference",
                    "batOnFailure",
                    "items.0.mrcReference",
                    "items.0.bankIdentifier",
                    "items.0.accountNumber",
                    "items.0.txnAmount",
                    "items.0.txnNarration",
                ],
            ),
        ),
        case(
            "no payouts",
            order("bad", &[]),
            params(400, None, &["items"]),
        ),
        case(
            "more than a thousand payouts",
            order("bad", &many),
            Expect::Request(413),
        ),
        case(
            "a wrong check digit",
            order("bad", &[other("0123476789", "1123476789")]),
            params(400, Some(ACCOUNT), &["items.0.accountNumber"]),
        ),
        case(
            "an account that its bank does not know",
            order("bad", &[item("bad-2"), other("0123476789", "0123480014")]),
            params(404, Some(ACCOUNT), &["items.1.accountNumber"]),
        ),
        case(
            "a group that there is not",
            of_group("bad", "7"),
            params(404, None, &["grpIdentifier"]),
        ),
        case(
            "a group and payouts",
            of_group("bad", "7").replacen('{', "{\"items\":[],", 1),
            params(400, None, &["items"]),
        ),
        case(
            "a group, and neither an amount nor a narration",
            "{\"mrcReference\":\"bad\",\"grpIdentifier\":7}".to_owned(),
            params(400, Some((814, "Amount")), &["txnAmount", "txnNarration"]),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            order("bad", &[other("{", "{\"x\":1,")]),
            params(400, None, &["items.0.x"]),
        )),
    ]
}

/// The last of them, as its report shows it.
const LAST: &str = "\"mrcReference\":\"good-bulk-2\",\"txnReference\":<int>,\
                  \"txnStatus\":\"<text>\",\"bankFullname\":\"Guaranty Trust Bank Plc\",\
                  \"accountNumber\":\"0123476789\",\"accountName\":\"<text>\",\
                  \"txnAmount\":\"1,000.00\",\"txnNarration\":\"Pay\",\
                  \"txnCharges\":\"10.75\",\"txnFees\":\"0.00\",\"txnCurrency\":\"NGN\"";

/// What is made of the batch that was accepted.
fn batches() -> Vec<Case> {
    let batches = BatchCases {
        list: LIST,
        report: REPORT,
        cancel: CANCEL,
        run: "good-bulk",
        accepted: ACCEPTED,
        count: 2,
        last: LAST,
    };
    batches.all()
}
