//! `POST /voucher/rollback`. A repeated answer must be the same, whatever became of the code since.

use super::{reason, status};
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::reference::MerchantReference;
use domain::voucher::{NewRollback, Voucher, VoucherRedemption, VoucherRollback};

/// Reads a rollback.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<NewRollback, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let original = reader.required(&attribute::ORIGINAL, MerchantReference::parse);
    let reason = reason(&mut reader);
    reader.finish(|| {
        Ok(NewRollback {
            reference: reference?,
            original: original?,
            reason: reason?,
        })
    })
}

/// A redemption as it was rolled back.
pub fn view(
    (redemption, rollback): (&VoucherRedemption, &VoucherRollback),
    voucher: &Voucher,
    zone: &Zone,
) -> Object {
    let standing = voucher.terms.status(rollback.left, rollback.at);
    Object::new()
        .with("mrcReference", rollback.reference.as_str())
        .with("mrcOriginal", redemption.reference.as_str())
        .with("vchIdentifier", redemption.voucher.to_string())
        .with("txnDate", zone.date_time(rollback.at))
        .with("vchDiscount", redemption.discount)
        .with("vchStatus", status(standing))
        .with("vchBalance", rollback.left.balance)
        .with("vchUses", rollback.left.uses.map(u64::from))
        .with("currency", redemption.amount.currency().code())
        .with("reason", rollback.reason.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, pretty};
    use crate::voucher::read;
    use testkit::builders::{at, gift_card, reference, voucher_redemption};

    #[test]
    fn a_rollback_is_read_and_everything_that_is_wrong_is_named() {
        let good = [
            ("mrcReference", "\"back-1\""),
            ("mrcOriginal", "\"use-1\""),
            ("reason", "\" Returned \""),
        ];
        let wanted = read(&good, |body| parse(body, Handling::Strict)).unwrap();
        assert_eq!(wanted.original, reference("use-1"));
        assert_eq!(wanted.reason, "Returned");
        let long = format!("\"{}\"", "x".repeat(101));
        let wrong = read(&[("mrcOriginal", "\"\""), ("reason", &long)], |body| {
            parse(body, Handling::Strict)
        });
        insta::assert_snapshot!(faults(wrong), @r"
        400 -
        mrcReference: is required; add it to the body
        mrcOriginal: must be 1 to 64 characters out of A-Z a-z 0-9 . _ : -
        reason: must be 1 to 100 characters
        ");
    }

    #[test]
    fn a_rollback_shows_what_the_code_had_then() {
        let card = gift_card("shop");
        let made = voucher_redemption("shop", "use-1");
        let rollback = VoucherRollback {
            reference: reference("back-1"),
            reason: "Returned".to_owned(),
            left: card.left,
            at: at(60),
        };
        let shown = view((&made, &rollback), &card, &lagos());
        insta::assert_snapshot!(pretty(&shown.into()));
    }
}
