//! What instances send to one another. The bytes of a message must mean the same in every version.

use crate::error::PART;
use crate::sealing::MessageSealing;
use domain::account::AccountId;
use ports::PortError;
use ports::peers::{RateLimitClass, UsageDelta};

/// Names an account that changed; sent by the commit that changes it.
pub(crate) const ACCOUNT_CHANGED: &str = "manilla_account";

/// What accounts spent, from one instance to the others.
pub(crate) const SPENT: &str = "manilla_spent";

/// An instance calls itself, to learn whether the line works.
pub(crate) const CALL: &str = "manilla_call";

/// A message of this process, sealed for a channel.
pub(crate) fn message(
    sealing: &MessageSealing,
    channel: &str,
    body: Vec<u8>,
) -> Result<String, PortError> {
    let sealed = sealing.seal(channel, body);
    sealed.ok_or_else(|| PortError::new(PART, "a message to the other instances was not sealed"))
}

/// Each entry as the length of the account, the account, its class and its count.
pub(super) fn written(spent: &[UsageDelta]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in spent {
        let account = entry.account.as_str().as_bytes();
        bytes.push(u8::try_from(account.len()).unwrap_or(u8::MAX));
        bytes.extend_from_slice(account);
        bytes.push(class_byte(entry.class));
        bytes.extend_from_slice(&entry.count.to_be_bytes());
    }
    bytes
}

pub(super) fn read(mut bytes: &[u8]) -> Option<Vec<UsageDelta>> {
    let mut spent = Vec::new();
    while let Some((length, rest)) = bytes.split_first() {
        let (account, rest) = rest.split_at_checked(usize::from(*length))?;
        let (class, rest) = rest.split_first()?;
        let (count, rest) = rest.split_first_chunk()?;
        spent.push(UsageDelta {
            account: AccountId::parse(str::from_utf8(account).ok()?).ok()?,
            class: RateLimitClass::ALL
                .into_iter()
                .find(|it| class_byte(*it) == *class)?,
            count: u32::from_be_bytes(*count),
        });
        bytes = rest;
    }
    Some(spent)
}

/// A class as it stands in a message; it stays the same in every version.
const fn class_byte(class: RateLimitClass) -> u8 {
    match class {
        RateLimitClass::Payments => b'p',
        RateLimitClass::Bulks => b'b',
        RateLimitClass::Reads => b'r',
        RateLimitClass::Lookups => b'l',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use key_ring::KeyRing;
    use testkit::builders::account_id;

    fn sealing(secret: u8, session: u8) -> MessageSealing {
        MessageSealing::new(&KeyRing::generate([secret; 32], ""), [session; 16])
    }

    #[test]
    fn what_was_spent_reads_back_and_what_is_garbled_does_not() {
        let spent = |name: &str, class, count| UsageDelta {
            account: account_id(name),
            class,
            count,
        };
        let all = vec![
            spent("shop", RateLimitClass::Payments, 7),
            spent("mrc_MAMrSp2j3Z", RateLimitClass::Lookups, u32::MAX),
            spent("shop", RateLimitClass::Reads, 0),
        ];
        assert_eq!(read(&written(&all)), Some(all));
        let garbled: [&[u8]; 4] = [
            b"\x04shop",
            b"\x04shopx\0\0\0\x01",
            b"\x00p\0\0\0\x01",
            b"\xff",
        ];
        for garbled in garbled {
            assert_eq!(read(garbled), None, "{garbled:?}");
        }
    }

    #[test]
    fn the_largest_word_fits_into_a_notification() {
        let account = account_id(&"x".repeat(32));
        let (class, count) = (RateLimitClass::Payments, u32::MAX);
        let entry = UsageDelta {
            account,
            class,
            count,
        };
        let body = written(&vec![entry; UsageDelta::IN_A_WORD]);
        let word = message(&sealing(1, 1), SPENT, body).unwrap();
        assert!(word.len() < 8_000, "{}", word.len());
    }
}
