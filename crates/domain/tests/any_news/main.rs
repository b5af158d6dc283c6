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
use domain::ledger::TransferKind;
use domain::provider::AbsencePolicy;
use domain::transaction::{AttemptNumber, Proof, State, Status};
use history::History;
use proptest::collection::vec;
use proptest::prelude::*;
use said::{NextRoute, ProviderStatement, StatementKind, product, profile, said};

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
