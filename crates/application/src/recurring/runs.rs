//! The runs of a subscription, as their merchant sees them. What became of a payment must be read
//! from the transaction each time.

use super::calendar::ZonedCalendar;
use super::{RecurringError, RecurringName, sealing};
use crate::gateway::{Gateway, Merchant};
use domain::recurring::{RECURRING_RETRIES_MAX, RecurringPayment, RecurringRun, RunCalendar};
use domain::reference::MerchantReference;
use domain::statement::Sort;
use domain::time::Timestamp;
use domain::transaction::{State, Transaction};
use ports::PortError;
use ports::batches::PageOf;

/// A run that is over or in hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedRun {
    /// Its number.
    pub number: u32,
    /// When it was due.
    pub due_at: Timestamp,
    /// The reference of its last payment, or of that which it would have had.
    pub reference: MerchantReference,
    /// What is recorded of it; nothing of one that was skipped.
    pub recorded: Option<RecurringRun>,
    /// Whether it is in hand.
    pub is_open: bool,
    /// Its last payment.
    pub payment: Option<Transaction>,
}

/// Some runs of a subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecurringRunPage {
    /// The subscription.
    pub subscription: RecurringPayment,
    /// The runs of the part.
    pub runs: Vec<ListedRun>,
    /// How many there are.
    pub total: u64,
}

impl Gateway {
    /// A part of the runs that are over or in hand, by number.
    ///
    /// # Errors
    /// Refuses a name that is none of the merchant's.
    pub async fn recurring_runs(
        &self,
        merchant: &Merchant,
        name: &RecurringName,
        page: PageOf,
    ) -> Result<RecurringRunPage, RecurringError> {
        let subscription = self.recurring(merchant, name).await?;
        let last = subscription.progress.next_run.saturating_sub(1);
        let numbers = numbers_of(page, last);
        let (first, end) = (numbers.iter().min(), numbers.iter().max());
        let mut runs = Vec::with_capacity(numbers.len());
        if let (Some(first), Some(end)) = (first, end) {
            let (account, number) = (&merchant.account.id, subscription.terms.number);
            let store = &self.parts().recurring;
            let recorded = store.recurring_runs(account, number, *first..=*end).await?;
            for number in numbers {
                let run = recorded.iter().find(|run| run.number == number);
                runs.push(
                    self.listed_run(&subscription, (number, run.copied()))
                        .await?,
                );
            }
        }
        Ok(RecurringRunPage {
            subscription,
            runs,
            total: last.into(),
        })
    }

    async fn listed_run(
        &self,
        subscription: &RecurringPayment,
        (number, recorded): (u32, Option<RecurringRun>),
    ) -> Result<ListedRun, PortError> {
        let terms = &subscription.terms;
        let due_at = ZonedCalendar::of(terms).due_at(number);
        // A run that was skipped has the reference that it would have had.
        let run = recorded.unwrap_or_else(|| RecurringRun::begin((number, due_at), due_at));
        let reference = terms.run_reference(&run);
        let payment = match recorded {
            Some(_) => self.payment_of_run(terms, &reference).await?,
            None => None,
        };
        let open = subscription.progress.open;
        Ok(ListedRun {
            number,
            due_at: run.due_at,
            payment: payment.and_then(Result::ok),
            reference,
            recorded,
            is_open: open.is_some_and(|open| open.number == number),
        })
    }

    /// The payment under the reference of a run: that of the run, or another one.
    pub(super) async fn payment_of_run(
        &self,
        terms: &domain::recurring::RecurringTerms,
        reference: &MerchantReference,
    ) -> Result<Option<Result<Transaction, AnotherPayment>>, PortError> {
        let key = sealing::run_key(&self.parts().pepper, terms, reference)?;
        let transactions = &self.parts().transactions;
        let found = transactions.by_reference(&terms.account, reference).await?;
        Ok(found.map(|payment| {
            if sealing::is_under(&key, &payment) {
                Ok(payment)
            } else {
                Err(AnotherPayment)
            }
        }))
    }

    /// Another try of the run that has not failed, with its payment: a journal has brought back
    /// what the store forgot, or the row of the run says more than its payment.
    pub(super) async fn other_try(
        &self,
        terms: &domain::recurring::RecurringTerms,
        run: &RecurringRun,
    ) -> Result<Option<(RecurringRun, Transaction)>, PortError> {
        for tries in (0..=RECURRING_RETRIES_MAX)
            .rev()
            .filter(|it| *it != run.tries)
        {
            let other = RecurringRun {
                tries,
                retries: run.retries.max(tries),
                ..*run
            };
            let found = self
                .payment_of_run(terms, &terms.run_reference(&other))
                .await?;
            let Some(Ok(stored)) = found else {
                continue;
            };
            match &stored.state {
                State::Failed(_) | State::Cancelled(_) => {}
                State::Successful(_)
                | State::Reversed(_)
                | State::Booked(_)
                | State::Queued(_)
                | State::Sending(_)
                | State::InDoubt(_)
                | State::Review(_) => return Ok(Some((other, stored))),
            }
        }
        Ok(None)
    }
}

/// A payment that the gateway did not open for the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AnotherPayment;

/// The numbers of a part of the runs from 1 to the last.
fn numbers_of(page: PageOf, last: u32) -> Vec<u32> {
    let offset = u32::try_from(page.offset).unwrap_or(u32::MAX);
    let left = last.saturating_sub(offset).min(page.length);
    let nth = |place: u32| match page.sort {
        Sort::Ascending => offset.saturating_add(place).saturating_add(1),
        Sort::Descending => last.saturating_sub(offset).saturating_sub(place),
    };
    (0..left).map(nth).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_runs_is_taken_from_either_end() {
        let numbers = |offset, length, sort| {
            let page = PageOf {
                offset,
                length,
                sort,
            };
            numbers_of(page, 5)
        };
        assert_eq!(numbers(0, 3, Sort::Ascending), [1, 2, 3]);
        assert_eq!(numbers(3, 10, Sort::Ascending), [4, 5]);
        assert_eq!(numbers(0, 2, Sort::Descending), [5, 4]);
        assert_eq!(numbers(4, 10, Sort::Descending), [1]);
        assert_eq!(numbers(5, 10, Sort::Descending), [0; 0]);
        assert_eq!(numbers(u64::MAX, 10, Sort::Ascending), [0; 0]);
    }
}
