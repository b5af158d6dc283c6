//! Transaction numbers that a seed decides. They must be the same on every run of one seed.

use domain::reference::TransactionNumber;
use ports::PortError;
use ports::ids::Ids;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The 53 bits a transaction number has.
const MASK: u64 = TransactionNumber::MAX;

/// An odd multiplier near 2^53 / golden ratio: it spreads neighbours and maps no two onto one.
const SPREAD: u64 = 0x0001_3C6E_F372_FE95;

/// Numbers that look random, never repeat within 2^53 draws, and depend on the seed alone.
#[derive(Debug)]
pub struct SeededIds {
    next: AtomicU64,
}

impl SeededIds {
    /// The numbers of a seed.
    pub const fn new(seed: u64) -> Self {
        Self {
            next: AtomicU64::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)),
        }
    }
}

impl Ids for SeededIds {
    fn transaction_number(&self) -> TransactionNumber {
        loop {
            let drawn = self.next.fetch_add(1, Ordering::Relaxed);
            // Only the place that maps to zero is skipped, so the second turn always succeeds.
            if let Ok(number) = TransactionNumber::try_new(scramble(drawn)) {
                return number;
            }
        }
    }

    fn secret(&self) -> Result<[u8; 32], PortError> {
        Ok(bytes_of(self.transaction_number()))
    }
}

/// Bytes that differ wherever the numbers do.
fn bytes_of(number: TransactionNumber) -> [u8; 32] {
    let mut bytes = [0xA5; 32];
    bytes[..8].copy_from_slice(&number.get().to_be_bytes());
    bytes[24..].copy_from_slice(&number.get().to_le_bytes());
    bytes
}

/// Maps 53 bits onto 53 bits, one to one: every step can be undone.
const fn scramble(place: u64) -> u64 {
    let spread = place.wrapping_mul(SPREAD) & MASK;
    let folded = spread ^ (spread >> 26);
    let spread = folded.wrapping_mul(SPREAD) & MASK;
    spread ^ (spread >> 29)
}

/// Numbers from a list, the last of them for ever: for tests of numbers drawn twice.
#[derive(Debug)]
pub struct ListedIds {
    left: Mutex<Vec<TransactionNumber>>,
}

impl ListedIds {
    /// Answers `numbers` one after the other.
    pub fn new(numbers: impl IntoIterator<Item = u64>) -> Self {
        let parse = |number| TransactionNumber::try_new(number).expect("a transaction number");
        let mut left: Vec<_> = numbers.into_iter().map(parse).collect();
        assert!(!left.is_empty(), "list at least one number");
        left.reverse();
        Self {
            left: Mutex::new(left),
        }
    }
}

impl Ids for ListedIds {
    fn transaction_number(&self) -> TransactionNumber {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if left.len() > 1 {
            left.pop().expect("more than one is left")
        } else {
            left[0]
        }
    }

    fn secret(&self) -> Result<[u8; 32], PortError> {
        Ok(bytes_of(self.transaction_number()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_seed_decides_the_numbers_and_none_repeats() {
        let draw = |seed| {
            let ids = SeededIds::new(seed);
            (0..10_000)
                .map(|_| ids.transaction_number())
                .collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        assert_eq!(draw(7).into_iter().collect::<BTreeSet<_>>().len(), 10_000);
    }

    #[test]
    fn listed_numbers_come_in_their_order_and_the_last_stays() {
        let ids = ListedIds::new([3, 3, 5]);
        let drawn: Vec<_> = (0..4).map(|_| ids.transaction_number().get()).collect();
        assert_eq!(drawn, [3, 3, 5, 5]);
    }
}
