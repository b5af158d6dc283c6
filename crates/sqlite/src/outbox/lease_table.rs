//! Leases on deliveries, in memory alone: one process at a time serves this store, and the leases
//! of a process end with it. A leased delivery must not be claimed again before its lease ends.

use domain::time::Timestamp;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use storage_sql::fair_share::EndpointKey;

/// A row of a delivery, and how often that was asked for again: what comes of an attempt says
/// nothing about a later round.
pub(super) type Round = (i64, i64);

/// A lease of one delivery.
#[derive(Debug, Clone)]
pub(crate) struct Lease {
    /// The endpoint it is for.
    pub(crate) to: EndpointKey,
    pub(crate) until: Timestamp,
}

/// What is known of a row that is held. While it is being claimed it has no lease yet.
#[derive(Debug)]
struct LeaseEntry {
    /// The claim: no other may lease it or put it back.
    ticket: u64,
    round: i64,
    lease: Option<Lease>,
}

#[derive(Debug, Default)]
struct LeaseIndex {
    tickets: u64,
    rows: HashMap<i64, LeaseEntry>,
}

/// The deliveries that are held, each in its round: one that was asked for again is free.
#[derive(Debug, Default)]
pub(crate) struct LeaseTable(Mutex<LeaseIndex>);

impl LeaseTable {
    /// Forgets the leases that have ended by a moment, and answers what is held then.
    pub(super) fn by(&self, now: Timestamp) -> Vec<Round> {
        let mut book = self.lock();
        let lasts = |holding: &LeaseEntry| {
            let lease = holding.lease.as_ref();
            lease.is_none_or(|lease| now < lease.until)
        };
        book.rows.retain(|_, holding| lasts(holding));
        let rows = book.rows.iter();
        rows.map(|(row, holding)| (*row, holding.round)).collect()
    }

    /// Takes the rows without a lease of their replay or a later one.
    pub(super) fn take(&self, rows: Vec<Round>) -> LeaseClaim<'_> {
        let mut book = self.lock();
        book.tickets = book.tickets.wrapping_add(1);
        let ticket = book.tickets;
        let mut taken = Vec::with_capacity(rows.len());
        for (row, round) in rows {
            let holding = book.rows.get(&row);
            if holding.is_some_and(|holding| holding.round >= round) {
                continue;
            }
            let holding = LeaseEntry {
                ticket,
                round,
                lease: None,
            };
            book.rows.insert(row, holding);
            taken.push(row);
        }
        LeaseClaim {
            held: self,
            ticket,
            rows: taken,
        }
    }

    /// When the lease of a row in its round ends, if it is held.
    pub(super) fn until(&self, (row, round): Round) -> Option<Timestamp> {
        let book = self.lock();
        let holding = book.rows.get(&row).filter(|it| it.round == round)?;
        holding.lease.as_ref().map(|lease| lease.until)
    }

    /// Lets go of rows for which something came of an attempt, each in its round.
    pub(super) fn attempted(&self, rows: impl IntoIterator<Item = Round>) {
        let mut book = self.lock();
        for (row, round) in rows {
            let holding = book.rows.get(&row);
            if holding.is_some_and(|holding| holding.round == round) {
                book.rows.remove(&row);
            }
        }
    }

    /// Lets go of rows, whatever may still come of attempts at them.
    pub(super) fn let_go(&self, rows: &[i64]) {
        let mut book = self.lock();
        for row in rows {
            book.rows.remove(row);
        }
    }

    /// Lets go of all that is held for an endpoint.
    pub(crate) fn let_go_of(&self, endpoint: &EndpointKey) {
        let is_its = |holding: &LeaseEntry| {
            let lease = holding.lease.as_ref();
            lease.is_some_and(|lease| lease.to == *endpoint)
        };
        self.lock().rows.retain(|_, holding| !is_its(holding));
    }

    fn lock(&self) -> MutexGuard<'_, LeaseIndex> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Rows that are being claimed. What is not leased by the end is held no longer.
#[derive(Debug)]
pub(super) struct LeaseClaim<'a> {
    held: &'a LeaseTable,
    ticket: u64,
    rows: Vec<i64>,
}

impl LeaseClaim<'_> {
    pub(super) fn rows(&self) -> &[i64] {
        &self.rows
    }

    /// Leases those of some rows that are still taken.
    pub(super) fn lease(self, leases: impl IntoIterator<Item = (i64, Lease)>) {
        let mut book = self.held.lock();
        for (row, lease) in leases {
            let holding = book.rows.get_mut(&row);
            if let Some(holding) = holding.filter(|it| it.ticket == self.ticket) {
                holding.lease = Some(lease);
            }
        }
    }
}

impl Drop for LeaseClaim<'_> {
    fn drop(&mut self) {
        let mut book = self.held.lock();
        for row in &self.rows {
            let holding = book.rows.get(row);
            if holding.is_some_and(|it| it.ticket == self.ticket && it.lease.is_none()) {
                book.rows.remove(row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::at;

    fn lease(endpoint: i64) -> Lease {
        Lease {
            to: ("shop".to_owned(), endpoint),
            until: at(60),
        }
    }

    fn first(rows: &[i64]) -> Vec<Round> {
        rows.iter().map(|row| (*row, 0)).collect()
    }

    fn holding(rows: &[Round]) -> LeaseTable {
        let held = LeaseTable::default();
        let leases = rows.iter().map(|(row, _)| (*row, lease(1)));
        held.take(rows.to_vec()).lease(leases);
        held
    }

    fn by_second(held: &LeaseTable, second: u64) -> Vec<Round> {
        let mut rows = held.by(at(second));
        rows.sort_unstable();
        rows
    }

    #[test]
    fn a_row_is_held_once_until_its_lease_ends() {
        let held = holding(&first(&[1, 2]));
        assert_eq!(held.take(first(&[1, 2, 3])).rows(), [3]);
        assert_eq!(held.until((1, 0)), Some(at(60)));
        assert_eq!(by_second(&held, 59), first(&[1, 2]));
        assert_eq!(by_second(&held, 60), []);
        assert_eq!(held.take(first(&[1])).rows(), [1]);
    }

    #[test]
    fn what_is_taken_and_not_leased_is_free_again() {
        let held = LeaseTable::default();
        let taken = held.take(first(&[1, 2]));
        assert_eq!(by_second(&held, 999), first(&[1, 2]), "it is being claimed");
        taken.lease([(2, lease(1))]);
        assert_eq!(by_second(&held, 0), first(&[2]));
    }

    #[test]
    fn what_comes_of_an_earlier_round_frees_nothing() {
        let held = holding(&[(1, 3)]);
        held.attempted([(1, 2), (7, 3)]);
        assert_eq!(by_second(&held, 0), [(1, 3)]);
        held.attempted([(1, 3)]);
        assert_eq!(by_second(&held, 0), []);
    }

    #[test]
    fn what_was_replayed_is_no_longer_leased() {
        let held = holding(&[(1, 0)]);
        assert_eq!(held.until((1, 1)), None);
        assert_eq!(held.take(vec![(1, 0)]).rows(), [0; 0]);
        let again = held.take(vec![(1, 1)]);
        assert_eq!(again.rows(), [1]);
        again.lease([(1, lease(1))]);
        held.attempted([(1, 0)]);
        assert_eq!(by_second(&held, 0), [(1, 1)]);
    }

    #[test]
    fn what_was_claimed_again_meanwhile_is_neither_leased_nor_put_back() {
        let held = LeaseTable::default();
        let slow = held.take(first(&[1, 2]));
        held.let_go(&[1, 2]);
        let quick = held.take(first(&[1]));
        slow.lease([(1, lease(7)), (2, lease(7))]);
        assert_eq!(by_second(&held, 0), first(&[1]), "still the other's");
        quick.lease([(1, lease(1))]);
        held.let_go_of(&("shop".to_owned(), 7));
        assert_eq!(by_second(&held, 0), first(&[1]));
    }

    #[test]
    fn an_endpoint_lets_go_of_its_own() {
        let held = holding(&first(&[1, 2]));
        held.take(first(&[3])).lease([(3, lease(2))]);
        held.let_go_of(&("shop".to_owned(), 1));
        assert_eq!(by_second(&held, 0), first(&[3]));
        held.let_go(&[3, 4]);
        assert_eq!(by_second(&held, 0), []);
    }
}
