//! The secret that API keys are hashed under, and its generations. It must not be printed, and what
//! a generation before made must be recognised for as long as that generation is there.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt;

/// The number of the generation that the file `pepper` is.
const FIRST: u32 = 1;

/// One generation of the secret.
#[derive(Clone)]
struct PepperGeneration {
    number: u32,
    secret: [u8; 32],
}

/// The secret of an installation under which keys and request fingerprints are hashed, in one
/// generation or several. The newest makes, and what any of them made is recognised.
#[derive(Clone)]
pub struct Pepper {
    newest: PepperGeneration,
    /// The others, newest first.
    older: Vec<PepperGeneration>,
}

impl fmt::Debug for Pepper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pepper(…)")
    }
}

impl Pepper {
    /// The pepper from its 32 bytes, in one generation.
    pub const fn new(secret: [u8; 32]) -> Self {
        let number = FIRST;
        Self::alone(PepperGeneration { number, secret })
    }

    const fn alone(newest: PepperGeneration) -> Self {
        let older = Vec::new();
        Self { newest, older }
    }

    /// The same with another generation, which makes from now on. Its number is higher than that
    /// of every other.
    #[must_use]
    pub fn rotated(mut self, number: u32, secret: [u8; 32]) -> Self {
        debug_assert!(number > self.newest.number, "{number} is no new generation");
        let newest = PepperGeneration { number, secret };
        self.older
            .insert(0, std::mem::replace(&mut self.newest, newest));
        self
    }

    /// What the first generation makes of a constant: two installations that make the same of it
    /// know each other's keys. It does not reveal the pepper.
    pub fn proof(&self) -> [u8; 32] {
        self.first().authenticate(b"which pepper is this")
    }

    /// The number of the generation that makes.
    pub const fn newest(&self) -> u32 {
        self.newest.number
    }

    /// The first generation alone. What has to come out the same for ever is made with it: numbers
    /// and fingerprints by which a request that is repeated is recognised. They open nothing.
    pub(crate) fn first(&self) -> Self {
        Self::alone(self.older.last().unwrap_or(&self.newest).clone())
    }

    /// One generation alone; none where it is not there.
    pub(crate) fn at(&self, number: u32) -> Option<Self> {
        let mut all = self.generations();
        all.find(|it| it.newest() == number)
    }

    /// Each generation alone, newest first.
    pub(crate) fn generations(&self) -> impl Iterator<Item = Self> {
        let all = std::iter::once(&self.newest).chain(&self.older);
        all.cloned().map(Self::alone)
    }

    /// The generation that made something; each is asked, also after one that did.
    pub(crate) fn which_made(&self, made: impl Fn(&Self) -> bool) -> Option<Self> {
        self.generations().fold(None, |found, generation| {
            let is_it = made(&generation);
            found.or(is_it.then_some(generation))
        })
    }

    /// Whether any generation made something.
    pub(crate) fn has_made(&self, made: impl Fn(&Self) -> bool) -> bool {
        self.which_made(made).is_some()
    }

    /// A key of its own for a purpose: what is made with it is of no use for anything else.
    pub(crate) fn for_purpose(&self, purpose: &str) -> Self {
        let message = [b"key for a purpose: ", purpose.as_bytes()].concat();
        Self::new(self.authenticate(&message))
    }

    /// HMAC-SHA-256 of a message under the newest generation.
    pub(crate) fn authenticate(&self, message: &[u8]) -> [u8; 32] {
        hmac_sha256(self.newest.secret, message)
    }
}

/// HMAC-SHA-256 of a message under a key of at most a block, 64 bytes.
pub(crate) fn hmac_sha256(key: impl IntoIterator<Item = u8>, message: &[u8]) -> [u8; 32] {
    // A key shorter than a block is filled up with zeros (RFC 2104 §2).
    let mut block = [0; 64];
    for (filled, byte) in block.iter_mut().zip(key) {
        *filled = byte;
    }
    let mut mac = Hmac::<Sha256>::new(&block.into());
    mac.update(message);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::Pepper;

    #[test]
    fn it_is_shown_without_a_byte_of_it() {
        assert_eq!(format!("{:?}", Pepper::new([42; 32])), "Pepper(…)");
    }

    #[test]
    fn the_newest_generation_makes_and_each_is_recognised() {
        let [first, second, third] = [1, 2, 5].map(|byte| Pepper::new([byte; 32]));
        let rotated = first.clone().rotated(2, [2; 32]).rotated(5, [5; 32]);
        let made = |by: &Pepper| by.authenticate(b"message");
        assert_eq!(made(&rotated), made(&third));
        for (number, alone) in [(1, &first), (2, &second), (5, &third)] {
            let by = rotated.which_made(|it| made(it) == made(alone));
            assert_eq!(by.map(|it| it.newest()), Some(number));
            assert_eq!(rotated.at(number).map(|it| made(&it)), Some(made(alone)));
        }
        assert!(!rotated.has_made(|it| made(it) == made(&Pepper::new([9; 32]))));
        assert!(rotated.at(3).is_none());
        // What must never change does not.
        assert_eq!(made(&rotated.first()), made(&first));
        assert_eq!(rotated.proof(), first.proof());
    }
}
