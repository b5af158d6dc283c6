//! Operators, who act on accounts and money from the command line, and the log that each act is
//! signed in. Nothing here may sign or verify: that is the part of `operator-keys`.

mod act;
mod roster;

use crate::money::Money;
use crate::time::Timestamp;
use std::fmt;

pub use act::Act;
pub use roster::{HttpKey, Member, NotListed, Revocation, Roster};

/// The name of an operator: 2 to 32 characters of `a-z`, `0-9` and `-`, so that two spellings of
/// one name are two names.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperatorName(String);

/// Why a text is not the name of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 2 to 32 characters of a-z, 0-9 and -, beginning and ending with none of the last")]
pub struct InvalidOperatorName;

impl OperatorName {
    /// Fewest characters.
    pub const LENGTH_MIN: usize = 2;
    /// Most characters.
    pub const LENGTH_MAX: usize = 32;

    /// Reads a name.
    ///
    /// # Errors
    /// Refuses other lengths and characters, and the name that acts of the program stand under.
    pub fn parse(text: &str) -> Result<Self, InvalidOperatorName> {
        let known = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        let fits = (Self::LENGTH_MIN..=Self::LENGTH_MAX).contains(&text.len())
            && text.bytes().all(known)
            && !text.starts_with('-')
            && !text.ends_with('-')
            && text != Actor::PROGRAM;
        fits.then(|| Self(text.to_owned()))
            .ok_or(InvalidOperatorName)
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OperatorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An Ed25519 public key (RFC 8032).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PublicKey(pub [u8; 32]);

impl PublicKey {
    /// Reads 64 hexadecimal digits; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let digits: Option<Vec<u8>> = text
            .chars()
            .map(|it| it.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect();
        let (pairs, rest) = digits.as_deref()?.as_chunks::<2>();
        let bytes: Vec<u8> = pairs.iter().map(|[high, low]| high << 4 | low).collect();
        rest.is_empty().then_some(())?;
        bytes.try_into().ok().map(Self)
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Who acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// The program, where it opens an account to try things with. It signs nothing.
    Program,
    /// An operator.
    Operator(OperatorName),
}

impl Actor {
    /// The word that the program's acts are recorded under.
    pub const PROGRAM: &'static str = "program";

    /// The word of a record.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Program => Self::PROGRAM,
            Self::Operator(name) => name.as_str(),
        }
    }

    /// Reads the word of a record.
    ///
    /// # Errors
    /// Refuses what is neither the program nor the name of an operator.
    pub fn from_record(text: &str) -> Result<Self, InvalidOperatorName> {
        if text == Self::PROGRAM {
            return Ok(Self::Program);
        }
        OperatorName::parse(text).map(Self::Operator)
    }
}

/// What exactly is done: an act with everything that matters of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorOrder {
    /// What is done.
    pub act: Act,
    /// The account it is done to; empty where it is about none.
    pub account: String,
    /// What it is done under, see [`Act`]; empty where there is nothing.
    pub reference: String,
    /// How much is moved.
    pub amount: Option<Money>,
    /// What else matters; empty where nothing does.
    pub detail: String,
}

impl OperatorOrder {
    /// An act about nothing in particular.
    pub const fn new(act: Act) -> Self {
        Self {
            act,
            account: String::new(),
            reference: String::new(),
            amount: None,
            detail: String::new(),
        }
    }

    /// With the account it is done to.
    #[must_use]
    pub fn to(mut self, account: impl fmt::Display) -> Self {
        self.account = account.to_string();
        self
    }

    /// With what it is done under.
    #[must_use]
    pub fn under(mut self, reference: impl fmt::Display) -> Self {
        self.reference = reference.to_string();
        self
    }

    /// With what is moved.
    #[must_use]
    pub const fn moving(mut self, amount: Option<Money>) -> Self {
        self.amount = amount;
        self
    }

    /// With what else matters.
    #[must_use]
    pub fn with(mut self, detail: impl fmt::Display) -> Self {
        self.detail = detail.to_string();
        self
    }
}

/// The hash of an entry with its signature (SHA-256).
pub type EntryHash = [u8; 32];

/// One entry of the log of operators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorEntry {
    /// Its number, from 1 without a gap.
    pub number: u64,
    /// When it was signed.
    pub at: Timestamp,
    /// The operator who acts.
    pub actor: Actor,
    /// What is done.
    pub order: OperatorOrder,
    /// The entry of another operator with the same order that this one approves.
    pub approves: Option<u64>,
    /// The hash of the entry before; zeros before the first.
    pub previous: EntryHash,
    /// The Ed25519 signature, 64 bytes; empty where the program acts.
    pub signature: Vec<u8>,
}

impl OperatorEntry {
    /// What is signed: everything but the signature, each part after its length, so that no two
    /// entries are one text.
    pub fn signed_bytes(&self) -> Vec<u8> {
        let amount = self.order.amount;
        let minor = amount.map(|amount| amount.minor().to_string());
        let currency = amount.map(|amount| amount.currency().code());
        let approves = self.approves.map(|number| number.to_string());
        let (number, at) = (self.number.to_string(), self.at.as_millis().to_string());
        let parts = [
            PURPOSE.as_bytes(),
            number.as_bytes(),
            at.as_bytes(),
            self.actor.as_str().as_bytes(),
            self.order.act.code().as_bytes(),
            self.order.account.as_bytes(),
            self.order.reference.as_bytes(),
            minor.as_deref().unwrap_or_default().as_bytes(),
            currency.unwrap_or_default().as_bytes(),
            self.order.detail.as_bytes(),
            approves.as_deref().unwrap_or_default().as_bytes(),
            &self.previous,
        ];
        let mut bytes = Vec::new();
        for part in parts {
            let length = u64::try_from(part.len()).unwrap_or(u64::MAX);
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(part);
        }
        bytes
    }
}

/// What keeps a signature here from being one of something else.
const PURPOSE: &str = "manilla operator log v1";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;

    #[test]
    fn a_name_has_one_spelling() {
        for name in ["alpha", "alpha-2", "a1", "0x"] {
            assert_eq!(OperatorName::parse(name).unwrap().as_str(), name);
        }
        let long = "a".repeat(33);
        for wrong in [
            "",
            "a",
            "Alpha",
            "alpha ",
            "ad\u{430}",
            "-alpha",
            "alpha-",
            "a_b",
            "program",
            &long,
        ] {
            assert_eq!(
                OperatorName::parse(wrong),
                Err(InvalidOperatorName),
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_public_key_reads_back() {
        let key = PublicKey(std::array::from_fn(|at| u8::try_from(at * 7).unwrap_or(1)));
        assert_eq!(PublicKey::parse(&key.to_string()), Some(key));
        for wrong in [
            "",
            "0",
            "00",
            &"g".repeat(64),
            &"0".repeat(65),
            &"0".repeat(66),
        ] {
            assert_eq!(PublicKey::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn every_act_has_its_word() {
        for act in Act::ALL {
            assert_eq!(Act::from_code(act.code()), Some(act));
        }
        assert_eq!(Act::from_code("account-close"), None);
    }

    #[test]
    fn no_part_of_an_entry_can_be_changed_or_moved_to_another() {
        let entry = OperatorEntry {
            number: 2,
            at: Timestamp::from_millis(5),
            actor: Actor::Operator(OperatorName::parse("alpha").unwrap()),
            order: OperatorOrder::new(Act::AccountCredit)
                .to("shop")
                .under("bank-1")
                .moving(Some(Money::from_minor(100, Currency::Ngn)))
                .with("Funding"),
            approves: None,
            previous: [0; 32],
            signature: Vec::new(),
        };
        let change = |change: fn(&mut OperatorEntry)| {
            let mut other = entry.clone();
            change(&mut other);
            other.signed_bytes()
        };
        let others = [
            change(|it| it.number = 3),
            change(|it| it.at = Timestamp::from_millis(6)),
            change(|it| it.actor = Actor::Program),
            change(|it| it.order.act = Act::AccountOpen),
            change(|it| it.order.account = "shopb".to_owned()),
            change(|it| {
                it.order.account = "shopb".to_owned();
                it.order.reference = "ank-1".to_owned();
            }),
            change(|it| it.order.amount = Some(Money::from_minor(100, Currency::Crd))),
            change(|it| it.order.amount = Some(Money::from_minor(101, Currency::Ngn))),
            change(|it| it.order.amount = None),
            change(|it| it.order.detail = String::new()),
            change(|it| it.approves = Some(1)),
            change(|it| it.previous = [1; 32]),
        ];
        for other in others {
            assert_ne!(other, entry.signed_bytes());
        }
        assert_eq!(change(|it| it.signature = vec![1]), entry.signed_bytes());
    }
}
