//! How an account is reached, and what identifies it to people beside its identity. Whether an
//! address or a number is its owner's is for the operator to find out, never for this module.

use super::AccountId;
use crate::phone::PhoneNumber;
use std::fmt;

/// An e-mail address in lower-case letters: a dot-atom, an at-sign and the name of a host with a
/// dot in it (RFC 5321 §4.1.2, without quoted local parts and address literals).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EmailAddress(String);

/// Why a text is not an e-mail address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an e-mail address such as owner@shop.example, of at most 254 characters")]
pub struct InvalidEmail;

impl EmailAddress {
    /// Longest address in characters (RFC 5321 §4.5.3.1.3, a path of 256 with its brackets).
    pub const LENGTH_MAX: usize = 254;
    /// Longest part before the at-sign (RFC 5321 §4.5.3.1.1).
    pub const LOCAL_MAX: usize = 64;
    /// Longest part of the host between two dots (RFC 1035 §2.3.4).
    pub const LABEL_MAX: usize = 63;

    /// Reads an address. Capital letters become small ones: two spellings of one address are one.
    ///
    /// # Errors
    /// Refuses what is too long, foreign characters, and a host without a dot.
    pub fn parse(text: &str) -> Result<Self, InvalidEmail> {
        let (local, host) = text.rsplit_once('@').ok_or(InvalidEmail)?;
        let fits = text.len() <= Self::LENGTH_MAX && is_local(local) && is_host(host);
        fits.then(|| Self(text.to_ascii_lowercase()))
            .ok_or(InvalidEmail)
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_local(text: &str) -> bool {
    let is_atom = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&b);
    let mut atoms = text.split('.');
    text.len() <= EmailAddress::LOCAL_MAX
        && atoms.all(|atom| !atom.is_empty() && atom.bytes().all(is_atom))
}

/// The last label has a letter, or it would be an IPv4 address.
fn is_host(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=EmailAddress::LABEL_MAX).contains(&label.len())
            && label
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = text.rsplit_once('.').map(|(_, last)| last);
    text.split('.').all(is_label)
        && last.is_some_and(|last| last.bytes().any(|b| b.is_ascii_alphabetic()))
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How an account is reached; each of these belongs to at most one account of an environment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct AccountContact {
    /// Its e-mail address, where one is known.
    pub email: Option<EmailAddress>,
    /// Its phone number, where one is known.
    pub phone: Option<PhoneNumber>,
}

/// As the log of operators keeps it: both, each `none` where there is none.
impl fmt::Display for AccountContact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let email = self.email.as_ref().map_or("none", EmailAddress::as_str);
        let phone = self.phone.as_ref().map_or("none", PhoneNumber::digits);
        write!(f, "email {email}, phone {phone}")
    }
}

/// What one account of an environment is found by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AccountIdentity {
    /// The identity, `mrcIdentity` on the interface.
    Id(AccountId),
    /// Its e-mail address.
    Email(EmailAddress),
    /// Its phone number.
    Phone(PhoneNumber),
}

impl AccountIdentity {
    /// Enough of it to recognise it by: a statement is not sealed.
    pub fn masked(&self) -> String {
        match self {
            Self::Id(id) => id.to_string(),
            Self::Email(email) => {
                let (local, host) = email.0.split_once('@').unwrap_or(("", &email.0));
                format!("{}***@{host}", local.get(..1).unwrap_or_default())
            }
            Self::Phone(phone) => {
                let digits = phone.digits();
                let last = digits.get(digits.len().saturating_sub(4)..);
                format!("***{}", last.unwrap_or_default())
            }
        }
    }
}

impl fmt::Display for AccountIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Id(id) => id.as_str(),
            Self::Email(email) => email.as_str(),
            Self::Phone(phone) => phone.digits(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_addresses_of_a_named_host_are_read() {
        for (text, read) in [
            ("owner@shop.example", "owner@shop.example"),
            (
                "Ade.Bello+till-1@Shop.Example",
                "ade.bello+till-1@shop.example",
            ),
            ("o'neil@x-y.co", "o'neil@x-y.co"),
            ("a@1.2.b3", "a@1.2.b3"),
        ] {
            assert_eq!(EmailAddress::parse(text).unwrap().as_str(), read);
        }
        for text in [
            "",
            "@",
            "owner",
            "owner@",
            "@shop.example",
            "owner@shop",
            "owner@.example",
            "owner@shop.",
            "owner@shop..example",
            "owner@-shop.example",
            "owner@shop-.example",
            "owner@127.0.0.1",
            "owner@[127.0.0.1]",
            ".owner@shop.example",
            "owner.@shop.example",
            "ow..ner@shop.example",
            "ow ner@shop.example",
            "ow@ner@shop.example",
            "\"owner\"@shop.example",
            "ọwner@shop.example",
            "owner@shọp.example",
            "owner@shop.example\n",
            " owner@shop.example",
        ] {
            assert_eq!(EmailAddress::parse(text), Err(InvalidEmail), "{text:?}");
        }
    }

    #[test]
    fn an_address_has_its_longest_parts_and_no_longer_ones() {
        let local = "a".repeat(EmailAddress::LOCAL_MAX);
        let label = "b".repeat(EmailAddress::LABEL_MAX);
        assert!(EmailAddress::parse(&format!("{local}@{label}.example")).is_ok());
        assert!(EmailAddress::parse(&format!("a{local}@{label}.example")).is_err());
        assert!(EmailAddress::parse(&format!("{local}@b{label}.example")).is_err());
        let host = format!("{label}.{label}.{}", "c".repeat(61));
        let longest = format!("{local}@{host}");
        assert_eq!(longest.len(), EmailAddress::LENGTH_MAX);
        assert!(EmailAddress::parse(&longest).is_ok());
        assert!(EmailAddress::parse(&format!("{longest}c")).is_err());
    }

    proptest! {
        #[test]
        fn the_case_of_letters_makes_no_difference(
            text in "[a-zA-Z0-9+_]{1,9}@[a-zA-Z0-9]{1,9}\\.[a-zA-Z]{2,9}"
        ) {
            let read = EmailAddress::parse(&text).unwrap();
            prop_assert_eq!(EmailAddress::parse(&text.to_uppercase()), Ok(read.clone()));
            prop_assert_eq!(EmailAddress::parse(read.as_str()), Ok(read));
        }
    }
}
