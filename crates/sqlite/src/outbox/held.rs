//! Which deliveries are claimed. It is known in memory alone: one process at a time serves this
//! store, so nobody else has to know, and what a process that died had claimed is due at once. A
//! delivery that is held must not be claimed again before its lease ends.

use domain::time::Timestamp;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use storage_sql::sharing::To;

/// A lease of one delivery.
#[derive(Debug, Clone)]
pub(crate) struct Lease {
    /// The endpoint it is for.
    pub(crate) to: To,
    /// The round it was claimed in: what comes of it says nothing about a later one.
    pub(crate) round: i64,
    pub(crate) until: Timestamp,
}

/// The deliveries that are held, by row. Of one that is being claimed it is not known yet whose it
/// is.
#[derive(Debug, Default)]
pub(crate) struct Held(Mutex<HashMap<i64, Option<Lease>>>);

impl Held {
    /// The rows that are held at a moment; leases that have ended are forgotten.
    pub(super) fn at(&self, now: Timestamp) -> Vec<i64> {
        let mut held = self.lock();
        held.retain(|_, lease| lease.as_ref().is_none_or(|lease| now < lease.until));
        held.keys().copied().collect()
    }

    /// Takes those of some rows that nobody holds.
    pub(super) fn take(&self, rows: Vec<i64>) -> Taken<'_> {
        let mut held = self.lock();
        let free = rows.into_iter().filter(|row| !held.contains_key(row));
        let rows: Vec<_> = free.collect();
        held.extend(rows.iter().map(|row| (*row, None)));
        Taken { held: self, rows }
    }

    /// When the lease of a row ends, if it is held.
    pub(super) fn until(&self, row: i64) -> Option<Timestamp> {
        let held = self.lock();
        held.get(&row)?.as_ref().map(|lease| lease.until)
    }

    /// Lets go of rows for which something came of an attempt, each in its round.
    pub(super) fn attempted(&self, rows: impl IntoIterator<Item = (i64, i64)>) {
        let mut held = self.lock();
        for (row, round) in rows {
            let lease = held.get(&row).and_then(Option::as_ref);
            if lease.is_some_and(|lease| lease.round == round) {
                held.remove(&row);
            }
        }
    }

    /// Lets go of rows, whatever may still come of attempts at them.
    pub(super) fn let_go(&self, rows: &[i64]) {
        let mut held = self.lock();
        for row in rows {
            held.remove(row);
        }
    }

    /// Lets go of all that is held for an endpoint.
    pub(crate) fn let_go_of(&self, endpoint: &To) {
        let is_its = |lease: &Lease| lease.to == *endpoint;
        self.lock()
            .retain(|_, lease| !lease.as_ref().is_some_and(is_its));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<i64, Option<Lease>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Rows that are being claimed. What is not leased by the end is held no longer.
#[derive(Debug)]
pub(super) struct Taken<'a> {
    held: &'a Held,
    rows: Vec<i64>,
}

impl Taken<'_> {
    pub(super) fn rows(&self) -> &[i64] {
        &self.rows
    }

    /// Leases rows, which must be some of those that were taken.
    pub(super) fn lease(self, leases: impl IntoIterator<Item = (i64, Lease)>) {
        let mut held = self.held.lock();
        held.extend(leases.into_iter().map(|(row, lease)| (row, Some(lease))));
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let mut held = self.held.lock();
        for row in &self.rows {
            if matches!(held.get(row), Some(None)) {
                held.remove(row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::at;

    fn lease(endpoint: i64, round: i64) -> Lease {
        Lease {
            to: ("shop".to_owned(), endpoint),
            round,
            until: at(60),
        }
    }

    fn holding(rows: &[i64]) -> Held {
        let held = Held::default();
        let leases = rows.iter().map(|row| (*row, lease(1, 0)));
        held.take(rows.to_vec()).lease(leases);
        held
    }

    fn at_second(held: &Held, second: u64) -> Vec<i64> {
        let mut rows = held.at(at(second));
        rows.sort_unstable();
        rows
    }

    #[test]
    fn a_row_is_held_once_until_its_lease_ends() {
        let held = holding(&[1, 2]);
        assert_eq!(held.take(vec![1, 2, 3]).rows(), [3]);
        assert_eq!(held.until(1), Some(at(60)));
        assert_eq!(at_second(&held, 59), [1, 2]);
        assert_eq!(at_second(&held, 60), [0; 0]);
        assert_eq!(held.take(vec![1]).rows(), [1]);
    }

    #[test]
    fn what_is_taken_and_not_leased_is_free_again() {
        let held = Held::default();
        let taken = held.take(vec![1, 2]);
        assert_eq!(at_second(&held, 999), [1, 2], "somebody is claiming them");
        taken.lease([(2, lease(1, 0))]);
        assert_eq!(at_second(&held, 0), [2]);
    }

    #[test]
    fn what_comes_of_an_earlier_round_frees_nothing() {
        let held = Held::default();
        held.take(vec![1]).lease([(1, lease(1, 3))]);
        held.attempted([(1, 2), (7, 3)]);
        assert_eq!(at_second(&held, 0), [1]);
        held.attempted([(1, 3)]);
        assert_eq!(at_second(&held, 0), [0; 0]);
    }

    #[test]
    fn an_endpoint_lets_go_of_its_own() {
        let held = holding(&[1, 2]);
        held.take(vec![3]).lease([(3, lease(2, 0))]);
        held.let_go_of(&("shop".to_owned(), 1));
        assert_eq!(at_second(&held, 0), [3]);
        held.let_go(&[3, 4]);
        assert_eq!(at_second(&held, 0), [0; 0]);
    }
}
