//! `POST /voucher/void`. Ending a code that is ended must be answered as the first time.

use super::{reason, status};
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::time::Timestamp;
use domain::voucher::{Voucher, VoucherId};

/// A code to end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoidRequest {
    pub id: VoucherId,
    /// The version that was seen.
    pub seen: Option<u32>,
    pub reason: String,
}

/// Reads which code is to be ended.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<VoidRequest, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let id = reader.required(&attribute::VOUCHER, |text| {
        VoucherId::parse(text).ok_or("must be the vchIdentifier of a code, such as 7213340023-1")
    });
    let seen = reader.version();
    let reason = reason(&mut reader);
    reader.finish(|| {
        Ok(VoidRequest {
            id: id?,
            seen: seen?,
            reason: reason?,
        })
    })
}

/// A code that is ended.
pub fn view(voucher: &Voucher, now: Timestamp) -> Object {
    Object::new()
        .with("vchIdentifier", voucher.id.to_string())
        .with("vchStatus", status(voucher.status(now)))
        .with("vchBalance", voucher.left.balance)
        .with("currency", voucher.terms.currency.code())
        .with("version", u64::from(voucher.version))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, pretty};
    use crate::voucher::read;
    use testkit::builders::{at, gift_card};

    #[test]
    fn a_code_to_end_is_read_and_everything_that_is_wrong_is_named() {
        let good = [
            ("vchIdentifier", "\"7-1\""),
            ("version", "2"),
            ("reason", "\"Lost\""),
        ];
        let wanted = read(&good, |body| parse(body, Handling::Strict)).unwrap();
        assert_eq!((wanted.id, wanted.seen), (gift_card("shop").id, Some(2)));
        let wrong = read(&[("vchIdentifier", "\"7\""), ("version", "0")], |body| {
            parse(body, Handling::Strict)
        });
        insta::assert_snapshot!(faults(wrong), @r"
        400 -
        vchIdentifier: must be the vchIdentifier of a code, such as 7213340023-1
        version: must be a whole number from 1 to 999999999
        reason: is required; add it to the body
        ");
    }

    #[test]
    fn an_ended_code_shows_that_it_holds_nothing() {
        let ended = gift_card("shop").voided(None, at(1)).unwrap();
        insta::assert_snapshot!(pretty(&view(&ended, at(2)).into()));
    }
}
