//! Any observations, in any order, at any time, any number of times and under any absence policy:
//! money and numbers stay correct. It must not know what a sensible sequence is.
#![cfg(test)]

mod checks;
mod history;
mod said;
#[path = "../sample/mod.rs"]
mod sample;

use crate::sample::Product;
use checks::{check_attempts, check_money};
use domain::event::EventKind;
use domain::ledger::TransferKind;
use domain::provider::AbsencePolicy;
use domain::time::Timestamp;
use domain::transaction::{AttemptNumber, CancelCause, Proof, Queued, State, Status};
use history::History;
use proptest::collection::vec;
use proptest::prelude::*;
use said::{NextRoute, ProviderStatement, StatementKind, product, profile, said};
use std::time::Duration;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_sequence_of_news_breaks_the_books(
        product in product(), profile in profile(), words in vec(said(), 0..40),
    ) {
        let mut history = History::open(product);
        for said in words {
            history.observe(said, &profile)?;
            check_money(&history)?;
            check_attempts(&history)?;
        }
    }

    /// What is queued comes to an attempt in its time alone, and at the provider it was priced for.
    #[test]
    fn what_is_queued_leaves_the_queue_once_and_in_its_time(
        product in product(), profile in profile(), words in vec(said(), 0..40),
        (send_from, waits) in (0_u64..1_440, 0_u64..1_440),
    ) {
        let minute = |count| Timestamp::from_millis(0).plus(Duration::from_mins(count));
        let queued = Queued { send_from: minute(send_from), expires_at: minute(send_from + waits) };
        let mut history = History::queue(product, queued);
        let provider = history.tx.provider().clone();
        for said in words {
            let was_queued = history.tx.attempt().is_none();
            history.observe(said, &profile)?;
            check_money(&history)?;
            check_attempts(&history)?;
            if was_queued && history.tx.attempt().is_some() {
                prop_assert!(matches!(said.word, StatementKind::Due));
                prop_assert!((queued.send_from..queued.expires_at).contains(&said.at()));
                prop_assert_eq!(history.tx.provider(), &provider);
            }
            let begun = history.reported(EventKind::Begun);
            prop_assert_eq!(begun, usize::from(history.tx.attempt().is_some()));
            if let State::Cancelled(cancelled) = history.tx.state {
                let is_late = cancelled.at >= queued.expires_at;
                prop_assert!(is_late || cancelled.cause == CancelCause::Requested);
            }
        }
    }

    #[test]
    fn what_a_final_state_has_observed_changes_nothing_again(
        product in product(), profile in profile(), words in vec(said(), 1..40),
    ) {
        let mut history = History::open(product);
        for said in words {
            history.observe(said, &profile)?;
            if history.tx.status() != Status::Pending {
                let (tx, transfers) = (history.tx.clone(), history.transfers.len());
                history.observe(said, &profile)?;
                prop_assert_eq!(&history.tx, &tx);
                prop_assert_eq!(history.transfers.len(), transfers);
            }
        }
    }

    #[test]
    fn however_late_and_often_a_delivery_is_reported_it_is_one_loss(
        product in product(), profile in profile(), words in vec(said(), 0..20),
        repeats in vec((any::<bool>(), 0_u64..100_000), 1..8),
    ) {
        let mut history = History::open(product);
        for said in words {
            history.observe(said, &profile)?;
        }
        let State::Failed(failed) = history.tx.state.clone() else {
            return Ok(());
        };
        let before = history.count(TransferKind::Loss);
        let (attempt, word) = (failed.attempt, StatementKind::Yes);
        for (asked, minutes) in repeats {
            history.observe(ProviderStatement {
                word,
                attempt,
                asked,
                minutes,
                route: NextRoute::Other,
            }, &profile)?;
        }
        let taken_back = failed.proof == Proof::TakenBack || failed.taken_back_at.is_some();
        let known = taken_back || failed.contradicted_at.is_some();
        let expected = before + usize::from(!known);
        prop_assert_eq!(history.count(TransferKind::Loss), expected);
        prop_assert_eq!(history.tx.status(), Status::Failed);
    }

    #[test]
    fn silence_moves_no_money(
        words in vec((0_u64..100_000, any::<bool>(), 0_usize..4), 0..60),
    ) {
        let silent = [
            StatementKind::Pending,
            StatementKind::Unknown,
            StatementKind::Takeover,
            StatementKind::WithoutToken,
        ];
        let mut history = History::open(Product::PrepaidMeter);
        for (minutes, asked, word) in words {
            let attempt = AttemptNumber::FIRST;
            let said = ProviderStatement {
                word: silent[word],
                attempt,
                asked,
                minutes,
                route: NextRoute::Same,
            };
            history.observe(said, &AbsencePolicy::CAUTIOUS)?;
        }
        prop_assert_eq!(history.tx.status(), Status::Pending);
        prop_assert_eq!(history.transfers.len(), 1);
    }
}
