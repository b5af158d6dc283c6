//! Values that look random and are not: the same seed and names give the same draw, in any process
//! and in any order. It must not keep state between draws.

use sha2::{Digest, Sha256};

/// A source of draws about one thing.
#[derive(Debug, Clone)]
pub(crate) struct Draw(Sha256);

impl Draw {
    /// Draws about the thing these parts name, such as a company and a meter.
    pub(crate) fn new(seed: u64, parts: &[&str]) -> Self {
        let mut state = Sha256::new();
        state.update(seed.to_le_bytes());
        for part in parts {
            // The length goes first, so that `ab`, `c` and `a`, `bc` are different things.
            state.update((part.len() as u64).to_le_bytes());
            state.update(part);
        }
        Self(state)
    }

    /// 128 bits about one property.
    pub(crate) fn bits(&self, property: &str) -> u128 {
        let digest: [u8; 32] = self.0.clone().chain_update(property).finalize().into();
        let half = digest.first_chunk().copied().unwrap_or_default();
        u128::from_le_bytes(half)
    }

    /// A number from 0 to `bound − 1`; 0 for a bound of 0.
    pub(crate) fn below(&self, property: &str, bound: u64) -> u64 {
        let drawn = self.bits(property).checked_rem(u128::from(bound));
        drawn.and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
    }

    /// A number between two bounds, both included.
    pub(crate) fn between(&self, property: &str, (low, high): (u64, u64)) -> u64 {
        let span = high.saturating_sub(low).saturating_add(1);
        low.saturating_add(self.below(property, span))
    }

    /// Whether a chance of one in `n` came true.
    pub(crate) fn one_in(&self, property: &str, n: u64) -> bool {
        self.below(property, n) == 0
    }

    /// One of several texts; the empty text where there is none.
    pub(crate) fn pick<'a, T: AsRef<str>>(&self, property: &str, texts: &'a [T]) -> &'a str {
        let index = usize::try_from(self.below(property, texts.len() as u64)).unwrap_or(0);
        texts.get(index).map(AsRef::as_ref).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_names_give_the_same_draw_and_others_another() {
        let bits = |seed, parts: &[&str]| Draw::new(seed, parts).bits("x");
        assert_eq!(bits(1, &["a", "b"]), bits(1, &["a", "b"]));
        assert_ne!(bits(1, &["a", "b"]), bits(2, &["a", "b"]));
        assert_ne!(bits(1, &["ab", "c"]), bits(1, &["a", "bc"]));
    }

    #[test]
    fn draws_stay_within_their_bounds() {
        let draw = Draw::new(7, &["bounds"]);
        for property in ["a", "b", "c", "d", "e"] {
            assert!((3..=5).contains(&draw.between(property, (3, 5))));
        }
        assert_eq!(draw.below("none", 0), 0);
        assert_eq!(draw.pick::<&str>("none", &[]), "");
    }
}
