//! Batches of queued purchases.

use super::{PurchaseBuilder, START, account_id, number, reference};
use domain::batch::{BatchDraft, BatchKind, BatchNumber, BatchOpening, OnFailure};
use domain::change_set::ChangeSet;
use domain::idempotency::{Idempotency, IdempotencyKey, RequestFingerprint};

/// A batch being described.
#[derive(Debug, Clone)]
#[must_use]
pub struct BatchBuilder {
    draft: BatchDraft,
    items: Vec<PurchaseBuilder>,
}

/// A batch of these purchases by `shop`; each must be queued.
pub fn batch(name: &str, items: impl IntoIterator<Item = PurchaseBuilder>) -> BatchBuilder {
    let draft = BatchDraft {
        number: BatchNumber::new(number(1)),
        account: account_id("shop"),
        reference: reference(name),
        idempotency: None,
        kind: BatchKind::BankTransfers,
        on_failure: OnFailure::Continue,
    };
    BatchBuilder {
        draft,
        items: items.into_iter().collect(),
    }
}

impl BatchBuilder {
    /// The number.
    pub fn number(mut self, drawn: u64) -> Self {
        self.draft.number = BatchNumber::new(number(drawn));
        self
    }

    /// What it is made of.
    pub fn of(mut self, kind: BatchKind) -> Self {
        self.draft.kind = kind;
        self
    }

    /// The account that buys.
    pub fn by(mut self, account: &str) -> Self {
        self.draft.account = account_id(account);
        self.items = self.items.into_iter().map(|it| it.by(account)).collect();
        self
    }

    /// Under an idempotency key; `meaning` distinguishes requests under one key.
    pub fn keyed(mut self, key: &str, meaning: u8) -> Self {
        self.draft.idempotency = Some(Idempotency {
            key: IdempotencyKey::parse(key).expect("an idempotency key"),
            fingerprint: RequestFingerprint([meaning; 32]),
        });
        self
    }

    /// One that stops with its first failure.
    pub fn stopping(mut self) -> Self {
        self.draft.on_failure = OnFailure::Stop;
        self
    }

    /// The step that opens it.
    pub fn opening(self) -> BatchOpening {
        let items = self.items.into_iter().map(PurchaseBuilder::opening);
        BatchOpening::new(self.draft, items.collect(), START).expect("a batch")
    }

    /// The step that opens it, ready to commit.
    pub fn change(self) -> ChangeSet {
        ChangeSet::OpenBatch(Box::new(self.opening()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builders::{account_id, airtime, at, kobo, number, payout, reference};
    use domain::batch::InvalidBatch;
    use domain::change_set::Opening;

    fn draft(name: &str) -> BatchDraft {
        BatchDraft {
            number: BatchNumber::new(number(9)),
            account: account_id("shop"),
            reference: reference(name),
            idempotency: None,
            kind: BatchKind::BankTransfers,
            on_failure: OnFailure::Continue,
        }
    }

    fn queued(n: u64) -> Opening {
        payout()
            .nth(n)
            .priced("10.00")
            .queued(at(0), at(60))
            .opening()
    }

    #[test]
    fn a_batch_counts_and_adds_up_its_payments() {
        let opened = BatchOpening::new(draft("run-1"), vec![queued(1), queued(2)], at(0)).unwrap();
        let batch = opened.batch();
        let amount = queued(1).transaction.quote.amount.minor();
        assert_eq!((batch.count, batch.price), (2, kobo(2_000)));
        assert_eq!(batch.total, kobo(2 * amount));
        assert_eq!(opened.items(), [queued(1), queued(2)]);
    }

    #[test]
    fn what_is_no_batch_is_refused() {
        let refused = |name, items| BatchOpening::new(draft(name), items, at(0)).unwrap_err();
        assert_eq!(refused("run-1", Vec::new()), InvalidBatch::Size);
        let many: Vec<_> = (1..=1_001).map(queued).collect();
        assert_eq!(refused("run-1", many), InvalidBatch::Size);
        let twice = vec![queued(1), queued(1)];
        assert_eq!(refused("run-1", twice), InvalidBatch::Repeated);
        let same_number = payout().nth(2).number(queued(1).transaction.number.get());
        let same_number = same_number.priced("10.00").queued(at(0), at(60)).opening();
        assert_eq!(
            refused("run-1", vec![queued(1), same_number]),
            InvalidBatch::Repeated
        );
        let own = queued(1).transaction.reference;
        assert_eq!(
            refused(own.as_str(), vec![queued(1)]),
            InvalidBatch::Repeated
        );
        let sent = payout().opening();
        assert_eq!(refused("run-1", vec![sent]), InvalidBatch::Foreign);
        let other = payout().by("kiosk").queued(at(0), at(60)).opening();
        assert_eq!(refused("run-1", vec![other]), InvalidBatch::Foreign);
        let credits = airtime()
            .nth(2)
            .priced("1.00")
            .in_credits()
            .queued(at(0), at(60))
            .opening();
        assert_eq!(
            refused("run-1", vec![queued(1), credits]),
            InvalidBatch::Total
        );
    }

    #[test]
    fn a_thousand_payments_are_a_batch() {
        let many: Vec<_> = (1..=1_000).map(queued).collect();
        let opened = BatchOpening::new(draft("run-1"), many, at(0)).unwrap();
        assert_eq!(opened.batch().count, 1_000);
    }
}
