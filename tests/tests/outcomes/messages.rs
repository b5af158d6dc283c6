//! Messages watched from before they are sent until no receipt of them is due any more. Receipts
//! come late, twice and out of order; what was said of a delivery must never be taken back.

use std::time::Duration;
use tests::answer::HttpAnswer;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{self, OrderFamily, SMS};
use tests::patience::{self, Deadline};
use tests::process::GatewayProcess;
use tests::provider_journal::{self, minor};
use tokio::task::JoinSet;

/// `sandbox.pending_delay_ms` of [`QUICK`]. Receipts begin half of it after the network has a
/// message and are reported a second time by twice of it.
const LATER: Duration = Duration::from_millis(500);

/// How long after its last word a message is watched: the second report, the gateway's rhythm of
/// asking, and a margin.
const TOLD_AGAIN_WITHIN: Duration = Duration::from_millis(2_500);

const ENDED_WITHIN: Duration = Duration::from_secs(20);

const BALANCE: &str = "100000.00";

/// What numbers end in, and the last word on the message. Those that are held stay with the
/// network.
const ENDINGS: [(&str, &str); 8] = [
    ("0000", "Delivered"),
    ("0002", "Delivered"),
    ("0003", "Delivered"),
    ("0013", "Delivered"),
    ("0015", "Undelivered"),
    ("0016", "Expired"),
    ("0017", "Buffered"),
    ("0001", "Rejected"),
];

/// In how many parts messages are sent.
const PARTS: [usize; 2] = [1, 4];

/// How much a word says: a word may only give way to one that says more.
fn rank(word: &str) -> u8 {
    match word {
        "Pending" => 0,
        // A request whose answer was lost may have arrived.
        "Unknown" => 1,
        "Submitted" => 2,
        "Buffered" => 3,
        "Delivered" | "Undelivered" | "Expired" | "Rejected" => 4,
        other => panic!("there is no such word: {other}"),
    }
}

fn only_forward(words: &[String]) -> bool {
    let mut pairs = words.iter().zip(words.iter().skip(1));
    pairs.all(|(before, after)| rank(before) < rank(after))
}

/// One message and everything its report said of the delivery.
struct Watched {
    reference: String,
    last: &'static str,
    words: Vec<String>,
    report: HttpAnswer,
}

/// Notes every different word of a report until long after the last one that is expected.
pub(crate) async fn follow(
    merchant: &TestMerchant,
    path: &str,
    last: &str,
) -> (Vec<String>, HttpAnswer) {
    let deadline = Deadline::after(ENDED_WITHIN);
    let mut words: Vec<String> = Vec::new();
    let mut over: Option<Deadline> = None;
    loop {
        let report = merchant.get(path).await;
        if report.status == 200 {
            let word = report.text("dlvStatus");
            if words.last() != Some(&word) {
                words.push(word);
            }
            if over.is_some_and(Deadline::is_over) {
                return (words, report);
            }
        }
        if over.is_none() && words.last().is_some_and(|word| word == last) {
            over = Some(Deadline::after(TOLD_AGAIN_WITHIN));
        }
        let late = over.is_none() && deadline.is_over();
        assert!(!late, "{path} never is {last}: {words:?}");
        patience::pause().await;
    }
}

/// Sends, and notes every different word until long after the last one that is expected.
async fn watch(
    merchant: TestMerchant,
    reported: (usize, bool),
    end: (&'static str, &'static str),
) -> Watched {
    let ((parts, in_b), (ending, last)) = (reported, end);
    let set = if in_b { "b" } else { "a" };
    let reference = format!("reported-{ending}-{parts}-{set}");
    let (number, text) = (format!("234803123{ending}"), "a".repeat(153 * parts));
    let order = if in_b {
        orders::message_b(&reference, &number, &text)
    } else {
        orders::message(&reference, &number, &text)
    };
    let path = OrderFamily::Sms.report(&reference);
    let watching = follow(&merchant, &path, last);
    let (_, (words, report)) = tokio::join!(merchant.post(SMS, &order), watching);
    Watched {
        reference,
        last,
        words,
        report,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_delivery_status_of_a_message_only_advances_and_ends_as_forced() {
    assert!(TOLD_AGAIN_WITHIN > 3 * LATER);
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Reported", BALANCE);
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let mut watching = JoinSet::new();
    for end in ENDINGS {
        for parts in PARTS {
            for in_b in [false, true] {
                watching.spawn(watch(merchant.clone(), (parts, in_b), end));
            }
        }
    }
    let mut charged = 0;
    for watched in watching.join_all().await {
        let (what, words) = (&watched.reference, &watched.words);
        assert_eq!(
            words.last().map(String::as_str),
            Some(watched.last),
            "{what}: {words:?}"
        );
        assert!(only_forward(words), "{what}: {words:?}");
        charged += check_last(&watched);
    }
    // What became of a message changes nothing about what sending it cost.
    let (balance, held) = merchant.balance().await;
    assert_eq!(
        (minor(&balance), &*held),
        (minor(BALANCE) - charged, "0.00")
    );
    provider_journal::audit_is_clean(&folder);
}

/// The last report: the payment is Successful whatever became of the message, unless the network
/// refused it, and the gateway's word is Delivered only where the handset has it. Gives the price.
fn check_last(watched: &Watched) -> i64 {
    let report = &watched.report;
    let refused = watched.last == "Rejected";
    let status = if refused { "Failed" } else { "Successful" };
    let gateway = match watched.last {
        "Delivered" => "Delivered",
        "Rejected" => "Rejected",
        _ => "Submitted",
    };
    let shown = (report.txn_status(), report.text("gtwStatus"));
    assert_eq!(shown, (status.to_owned(), gateway.to_owned()), "{report:?}");
    let in_b = watched.reference.ends_with("-b");
    let cost = if in_b { "txnCost" } else { "cost" };
    if refused {
        0
    } else {
        minor(&report.text(cost))
    }
}

#[tokio::test]
async fn a_message_is_followed_to_its_end_by_a_server_that_was_started_again() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Reported later", BALANCE);
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let order = orders::message("kept", "2348031230015", &"a".repeat(400));
    merchant.post(SMS, &order).await.with_status(200);
    server.kill();
    let server = GatewayProcess::start(&folder);
    let merchant = merchant.at(server.address());
    patience::eventually("the message is Undelivered", ENDED_WITHIN, async || {
        let report = merchant
            .get(&OrderFamily::Sms.report("kept"))
            .await
            .with_status(200);
        let word = report.text("dlvStatus");
        assert!(["Submitted", "Undelivered"].contains(&&*word), "{report:?}");
        (word == "Undelivered").then_some(())
    })
    .await;
    provider_journal::audit_is_clean(&folder);
}

#[test]
fn going_back_is_recognised() {
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert!(only_forward(&words(&[
        "Pending",
        "Submitted",
        "Buffered",
        "Expired"
    ])));
    for back in [
        &["Delivered", "Buffered"][..],
        &["Delivered", "Expired"],
        &["Buffered", "Submitted"],
        &["Submitted", "Pending"],
    ] {
        assert!(!only_forward(&words(back)), "{back:?}");
    }
}
