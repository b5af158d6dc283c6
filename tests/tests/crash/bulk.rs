//! SIGKILL while bulk transfers are accepted and sent. A batch must be there whole or not at all,
//! and each payout of it must come to one end.

use std::time::Duration;
use tests::account::{Figures, TestAccount};
use tests::bulk::{BULK, batch, stored};
use tests::folder::under_load;
use tests::merchant::try_send;
use tests::process::GatewayProcess;
use tests::provider_journal::{self, ProviderJournal};
use tests::purchases::LastAnswer;
use tests::rng::SeededRng;
use tests::size;

/// How often the server is killed unless `MANILLA_KILLS` says otherwise.
const KILLS: u32 = 5;

/// Payouts of each batch.
const PAYOUTS: usize = 60;

/// A server lives at most this long after a batch was sent to it, in milliseconds.
const LIFE_MS_MAX: u64 = 500;

/// Delivered, refused, delivered with its answer lost, delivered slowly.
const ENDINGS: [&str; 4] = ["0000", "0001", "0003", "0007"];

const SETTLED_WITHIN: Duration = Duration::from_mins(2);

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_is_killed_again_and_again_is_whole_and_nothing_is_paid_twice() {
    let kills = size::of_run("MANILLA_KILLS", KILLS);
    let mut chance = SeededRng::from_environment("MANILLA_KILLS_SEED", 20_261_126);
    let account = TestAccount::new(&under_load(""));
    let mut purchases = Vec::new();
    for run in 0..kills {
        let server = GatewayProcess::start(&account.folder);
        let merchant = account.merchant(&server);
        let (body, mut payouts) = batch(&format!("run-{run}"), PAYOUTS, &ENDINGS);
        let sent = merchant.posting(BULK, body.to_string());
        let life = Duration::from_millis(chance.below(LIFE_MS_MAX));
        let killed = async {
            tokio::time::sleep(life).await;
            server.kill();
        };
        // The first two are accepted before the kill, however slow the machine is.
        let answered = if run < 2 {
            let answered = try_send(sent).await;
            killed.await;
            answered
        } else {
            tokio::join!(try_send(sent), killed).0
        };
        if let Ok(answer) = answered {
            assert_eq!(answer.status, 202, "{answer:?}");
            for payout in &mut payouts {
                payout.received = LastAnswer::Accepted("Pending".to_owned());
            }
        }
        purchases.extend(payouts);
    }
    provider_journal::audit_is_clean(&account.folder);
    let server = GatewayProcess::start(&account.folder);
    let endings = account.settle(&server, (&purchases, SETTLED_WITHIN)).await;
    let figures = Figures::of(&endings, &ProviderJournal::read(&account.folder));
    println!("kills: {kills}, {figures}");
    let stored = stored(&endings);
    let mut counts = stored.values();
    assert!(counts.all(|count| *count == PAYOUTS), "{stored:?}");
    assert!(figures.delivered > PAYOUTS, "{figures}");
    assert!(server.interrupt().await.success());
    provider_journal::audit_is_clean(&account.folder);
}
