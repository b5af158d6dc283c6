//! Limits that instances keep together. How exactly they do is proven where a test can move the
//! clock; this must show that real instances tell each other at all, and in time.

use std::time::Duration;
use tests::answer::HttpAnswer;
use tests::fleet::Fleet;
use tests::folder::QUICK;
use tests::merchant::TestMerchant;
use tests::patience::{Stopwatch, eventually, pause};
use tests::process::Launch;

const BALANCE: &str = "/account/balance";

/// Reads that are allowed at once, and in a minute.
const READS: u64 = 120;

/// So soon after a request another instance knows of it; ten times what is aimed at, for a busy
/// machine.
const TOLD_WITHIN: Duration = Duration::from_secs(2);

/// At some forty a second the budget is spent long before.
const SPENT_WITHIN: Duration = Duration::from_secs(20);

fn fleet() -> Fleet {
    let limited = Launch {
        environment: vec![("MANILLA_LIMITS_READS_PER_MINUTE", READS.to_string())],
        ..Launch::default()
    };
    Fleet::launch(QUICK, &[], &limited)
}

fn left(answer: &HttpAnswer) -> u64 {
    let text = answer.header("ratelimit-remaining");
    let text = text.unwrap_or_else(|| panic!("no allowance in {answer:?}"));
    text.parse().expect("a whole number")
}

/// How many of so many reads are answered.
async fn reads(merchant: &TestMerchant, count: u64) -> u64 {
    let mut answered = 0;
    for _ in 0..count {
        let answer = merchant.get(BALANCE).await;
        answered += u64::from(answer.status == 200);
    }
    answered
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_instance_let_through_is_missing_from_the_others() {
    let fleet = fleet();
    let [first, others @ ..] = fleet.merchants();
    assert_eq!(reads(&first, READS / 2).await, READS / 2);
    for other in others {
        let what = "the other instance knows of it";
        let mut looks = 0;
        eventually(what, TOLD_WITHIN, async || {
            let answer = other.get(BALANCE).await.with_status(200);
            // Its own usage is not what it received; a few come back meanwhile.
            looks += 1;
            (left(&answer) + looks <= READS / 2 + 10).then_some(())
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn three_instances_give_away_one_budget() {
    let fleet = fleet();
    let merchants = fleet.merchants();
    let stopwatch = Stopwatch::start();
    let (mut answered, mut refused) = (0, 0);
    // Until all of them have refused several times in a row; if they do not, they gave too much.
    while refused < 5 * merchants.len() && stopwatch.elapsed() < SPENT_WITHIN {
        for merchant in &merchants {
            match merchant.get(BALANCE).await.status {
                200 => {
                    answered += 1;
                    refused = 0;
                }
                429 => refused += 1,
                status => panic!("{status}"),
            }
            pause().await;
        }
    }
    let refilled = stopwatch.elapsed().as_secs() * READS / 60 + 1;
    // What they let through before they know each other's usage: a fifth of a second each, at less
    // than fifty a second, and as much again for a busy machine.
    let unheard = 20;
    let most = READS + refilled + unheard;
    assert!((READS..=most).contains(&answered), "{answered} of {most}");
}
