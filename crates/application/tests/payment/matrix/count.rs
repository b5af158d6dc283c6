//! What the cells of a world came to, compared with the providers' own records. It must ask the
//! same of every fault and kind.

use super::model_book::ModelTruth;
use super::products::MatrixProduct;
use super::world::{ACCOUNT, BALANCE, MatrixWorld};
use domain::family::AbsenceEnds;
use domain::ledger::TransferKind;
use domain::transaction::{Proof, State, Status, Transaction};
use testkit::builders::current_attempt;
use testkit::matrix::ProviderKind;

/// What the cells of some worlds came to.
#[derive(Debug, Default)]
pub(super) struct MatrixCount {
    pub(super) cells: u32,
    pub(super) successful: u32,
    pub(super) failed: u32,
    pub(super) reversed: u32,
    pub(super) ruled: u32,
    /// How many orders met the fault, and how many must have.
    pub(super) strikes: u32,
    pub(super) to_strike: u32,
    pub(super) elsewhere: u32,
    pub(super) violations: Vec<String>,
}

impl MatrixWorld {
    pub(super) async fn count(&self, counted: &mut MatrixCount) {
        self.world.stores.must_be_clean(self.world.now()).await;
        let mut charged = 0;
        for product in MatrixProduct::all() {
            counted.cells += 1;
            counted.to_strike += u32::from(self.death.is_after_sending());
            let stored = self.stored(product).await;
            if let Some(tx) = &stored {
                let status = tx.status();
                counted.successful += u32::from(status == Status::Successful);
                counted.failed += u32::from(status == Status::Failed);
                counted.reversed += u32::from(status == Status::Reversed);
                counted.elsewhere += u32::from(tx.provider().as_str() == "second");
                if status == Status::Successful {
                    charged += tx.quote.price.minor();
                }
            }
            for violation in self.violations(product, stored.as_ref()).await {
                let cell = format!("{} {}: {violation}", self.name, product.name());
                counted.violations.push(cell);
            }
        }
        counted.ruled += u32::try_from(self.ruled.len()).unwrap();
        counted.strikes += self.first.strikes();
        for provider in [&self.first, &self.second] {
            counted.violations.extend(provider.offences());
        }
        let wallet = self.world.stores.balances(ACCOUNT).await;
        if wallet != (BALANCE - charged, 0) {
            let violation = format!("{}: {wallet:?}, {charged} charged", self.name);
            counted.violations.push(violation);
        }
    }

    /// What is wrong with a cell.
    async fn violations(&self, product: MatrixProduct, tx: Option<&Transaction>) -> Vec<String> {
        let mut found = Vec::new();
        let records = [self.truth(product, 1), self.truth(product, 2)].concat();
        let handed_over: u32 = records.iter().map(|(_, _, count, _)| count).sum();
        if handed_over > 1 {
            found.push(format!("handed over {handed_over} times: {records:?}"));
        }
        let Some(tx) = tx else {
            if !records.is_empty() || self.answered.contains_key(product.name()) {
                found.push(format!("nothing is stored: {records:?}"));
            }
            return found;
        };
        let is = |wanted: ModelTruth| {
            let (provider, attempt) = (
                tx.provider().as_str(),
                tx.provider_reference(current_attempt(tx)),
            );
            records
                .iter()
                .any(|(name, truth, _, of)| (*name, *truth, of) == (provider, wanted, &attempt))
        };
        let has_it = records
            .iter()
            .any(|(_, truth, ..)| *truth == ModelTruth::Delivered);
        let agrees = match &tx.state {
            State::Successful(_) => is(ModelTruth::Delivered),
            State::Reversed(_) => is(ModelTruth::TakenBack) && !has_it,
            State::Failed(failed) => {
                let was_taken_back = handed_over == 1;
                let by_person = matches!(failed.proof, Proof::TakenBack | Proof::Ruled(_));
                !has_it && (!was_taken_back || by_person)
            }
            State::Queued(_)
            | State::Sending(_)
            | State::InDoubt(_)
            | State::Review(_)
            | State::Cancelled(_)
            | State::Booked(_) => false,
        };
        if !agrees {
            found.push(format!("{:?}, the records say {records:?}", tx.state));
        }
        let transfers = self.world.transfers(tx).await;
        let count = |kind| transfers.iter().filter(|it| **it == kind).count();
        let ends = [TransferKind::Capture, TransferKind::Release].map(count);
        if count(TransferKind::Hold) != 1 || ends.iter().sum::<usize>() != 1 {
            found.push(format!("{transfers:?}"));
        }
        let stays = self.answered.get(product.name()).is_none_or(|answered| {
            answered.status() == tx.status()
                || answered.status() == Status::Pending
                || tx.status() == Status::Reversed
        });
        if !stays {
            found.push(format!("was answered otherwise, is {:?}", tx.state));
        }
        // A person is needed only where no answer will ever do, and for money that left for a bank
        // or a wallet.
        let is_search = tx.order.service().absence() == AbsenceEnds::Search;
        let may_be_ruled = self.kind == ProviderKind::Forgetting || is_search;
        if self.ruled.contains_key(product.name()) && !may_be_ruled {
            found.push("a person was needed".to_owned());
        }
        found
    }
}
