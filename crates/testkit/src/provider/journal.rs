//! The book of a scripted provider: what arrived and what really became of it. A line is made once
//! per reference and never goes away.

use crate::builders::refusal;
use domain::order::Order;
use domain::provider::{Fulfilment, QueryOutcome, Receipt};
use domain::reference::ProviderReference;
use ports::provider::Changes;

/// One attempt that arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookLine {
    /// The reference it came under.
    pub reference: ProviderReference,
    /// What was ordered.
    pub order: Order,
    /// What became of it so far.
    pub standing: JournalledState,
}

/// What became of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JournalledState {
    /// Promised; the receipt is what delivering it will bring.
    Accepted(Receipt),
    /// The customer has it.
    Delivered(Receipt),
    /// It will never be delivered.
    Refused,
    /// The customer had it, and has it no more.
    TakenBack,
}

#[derive(Debug, Default)]
pub(super) struct ProviderBook {
    lines: Vec<BookLine>,
    changes: Vec<(ProviderReference, QueryOutcome)>,
}

impl ProviderBook {
    pub(super) fn lines(&self) -> &[BookLine] {
        &self.lines
    }

    pub(super) fn knows(&self, reference: &ProviderReference) -> bool {
        self.line(reference).is_some()
    }

    pub(super) fn add(&mut self, line: BookLine) {
        assert!(!self.knows(&line.reference), "one line per reference");
        self.lines.push(line);
    }

    pub(super) fn finding(&self, reference: &ProviderReference) -> QueryOutcome {
        match self.line(reference).map(|line| &line.standing) {
            None => QueryOutcome::NotFound,
            Some(JournalledState::Accepted(_)) => QueryOutcome::Pending,
            Some(JournalledState::Delivered(receipt)) => QueryOutcome::Delivered(receipt.clone()),
            Some(JournalledState::Refused) => QueryOutcome::Declined(refusal()),
            Some(JournalledState::TakenBack) => QueryOutcome::Reversed,
        }
    }

    pub(super) fn deliveries(&self, reference: &ProviderReference) -> u32 {
        let delivered = |line: &&BookLine| match line.standing {
            JournalledState::Delivered(_) | JournalledState::TakenBack => {
                line.reference == *reference
            }
            JournalledState::Accepted(_) | JournalledState::Refused => false,
        };
        let count = self.lines.iter().filter(delivered).count();
        u32::try_from(count).expect("one line per reference")
    }

    pub(super) fn finish(&mut self, reference: &ProviderReference) {
        let line = self.line_mut(reference);
        let JournalledState::Accepted(receipt) = &line.standing else {
            panic!("{reference} was not accepted before: {:?}", line.standing);
        };
        line.standing = JournalledState::Delivered(receipt.clone());
    }

    pub(super) fn refuse(&mut self, reference: &ProviderReference) {
        let line = self.line_mut(reference);
        let accepted = matches!(line.standing, JournalledState::Accepted(_));
        assert!(
            accepted,
            "{reference} was not accepted before: {:?}",
            line.standing
        );
        line.standing = JournalledState::Refused;
    }

    pub(super) fn take_back(&mut self, reference: &ProviderReference) {
        let line = self.line_mut(reference);
        let delivered = matches!(line.standing, JournalledState::Delivered(_));
        assert!(
            delivered,
            "{reference} was not delivered before: {:?}",
            line.standing
        );
        line.standing = JournalledState::TakenBack;
        self.report(reference, QueryOutcome::Reversed);
    }

    pub(super) fn observe(&mut self, reference: &ProviderReference, received: Fulfilment) {
        let line = self.line_mut(reference);
        let JournalledState::Delivered(receipt) = &mut line.standing else {
            panic!("{reference} is not with the network: {:?}", line.standing);
        };
        receipt.fulfilment = receipt
            .fulfilment
            .after(&received)
            .unwrap_or_else(|| receipt.fulfilment.clone());
        let reported = Receipt {
            fulfilment: received,
            ..receipt.clone()
        };
        self.report(reference, QueryOutcome::Delivered(reported));
    }

    pub(super) fn report(&mut self, reference: &ProviderReference, finding: QueryOutcome) {
        self.changes.push((reference.clone(), finding));
    }

    pub(super) fn changes_since(&self, cursor: u64) -> Changes {
        let reported = usize::try_from(cursor).unwrap_or(usize::MAX);
        Changes {
            messages: Vec::new(),
            findings: self.changes.iter().skip(reported).cloned().collect(),
            next: cursor.max(self.changes.len() as u64),
        }
    }

    fn line(&self, reference: &ProviderReference) -> Option<&BookLine> {
        self.lines.iter().find(|line| line.reference == *reference)
    }

    fn line_mut(&mut self, reference: &ProviderReference) -> &mut BookLine {
        let mut lines = self.lines.iter_mut();
        let found = lines.find(|line| line.reference == *reference);
        found.unwrap_or_else(|| panic!("{reference} never arrived"))
    }
}
