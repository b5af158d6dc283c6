//! Limits beside a clock that is set. Nothing that an operator or a time server does to the clock
//! may cost an account more than it asked for.

use crate::faketime::FakeClock;
use tests::account::TestAccount;
use tests::process::{GatewayProcess, Launch};

/// Reads an account may send at once, and in a minute.
const READS: u32 = 60;

const JUMPS_S: [i64; 6] = [-90, -600, 90, -86_400, 3 * 86_400, 0];

#[tokio::test]
async fn a_clock_that_is_set_costs_no_account_a_request() {
    let account = TestAccount::new("");
    let clock = FakeClock::new(account.folder.beside("clock"));
    let mut environment = clock.environment().to_vec();
    environment.push(("MANILLA_LIMITS_READS_PER_MINUTE", READS.to_string()));
    let launch = Launch {
        environment,
        ..Launch::default()
    };
    let server = GatewayProcess::launch(&account.folder, &launch);
    let merchant = account.merchant(&server);
    let mut asked = 0;
    for jump in JUMPS_S {
        clock.set(jump);
        for _ in 0..3 {
            asked += 1;
            let answer = merchant.get("/account/balance").await;
            assert_eq!(answer.status, 200, "after {jump} s: {answer:?}");
            let left = answer.header("ratelimit-remaining").expect("a limit");
            let left: u32 = left.parse().expect("a number");
            assert!(left >= READS - asked, "after {jump} s: {left} of {READS}");
        }
    }
    assert!(server.terminate().await.success());
}
