//! `POST /voucher/redeem`. A repeated answer must be the same, whatever became of the code since.

use super::{code, status};
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::money::Currency;
use domain::reference::MerchantReference;
use domain::voucher::{NewRedemption, Voucher, VoucherRedemption};

/// Reads a redemption.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<NewRedemption, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let code = code(&mut reader);
    let amount = reader.amount(Currency::Ngn);
    let target = reader.optional(&attribute::TARGET, MerchantReference::parse);
    reader.finish(|| {
        Ok(NewRedemption {
            reference: reference?,
            code: code?,
            amount: amount?,
            target: target?,
        })
    })
}

/// A redemption as it was made, for the payment that was named.
pub fn view(
    (redemption, voucher): (&VoucherRedemption, &Voucher),
    target: Option<&MerchantReference>,
    zone: &Zone,
) -> Object {
    let standing = voucher.terms.status(redemption.left, redemption.at);
    Object::new()
        .with("mrcReference", redemption.reference.as_str())
        .with("vchIdentifier", redemption.voucher.to_string())
        .with("txnDate", zone.date_time(redemption.at))
        .with("mrcTarget", target.map(MerchantReference::as_str))
        .with("amount", redemption.amount)
        .with("vchDiscount", redemption.discount)
        .with("vchReturned", redemption.returned)
        .with("vchStatus", status(standing))
        .with("vchBalance", redemption.left.balance)
        .with("vchUses", redemption.left.uses.map(u64::from))
        .with("currency", redemption.amount.currency().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, pretty};
    use crate::voucher::read;
    use testkit::builders::{gift_card, kobo, reference, voucher_redemption};

    #[test]
    fn a_redemption_is_read_and_everything_that_is_wrong_is_named() {
        let good = [
            ("mrcReference", "\"use-1\""),
            ("vchCode", "\"01234 56789 abcde fghjt\""),
            ("amount", "\"200.00\""),
            ("mrcTarget", "\"order-1\""),
        ];
        let wanted = read(&good, |body| parse(body, Handling::Strict)).unwrap();
        assert_eq!(wanted.amount, kobo(20_000));
        assert_eq!(wanted.target, Some(reference("order-1")));
        let wrong = read(&[("vchCode", "\"1\""), ("mrcTarget", "\"a b\"")], |body| {
            parse(body, Handling::Strict)
        });
        insta::assert_snapshot!(faults(wrong), @r"
        400 814
        mrcReference: is required; add it to the body
        vchCode: must be a code as it was given out; copy all of it
        amount: is required; add it to the body
        mrcTarget: must be 1 to 64 characters out of A-Z a-z 0-9 . _ : -
        ");
    }

    #[test]
    fn a_redemption_shows_what_was_left_then() {
        let made = voucher_redemption("shop", "use-1");
        let order = reference("order-1");
        let shown = view((&made, &gift_card("shop")), Some(&order), &lagos());
        insta::assert_snapshot!(pretty(&shown.into()));
    }
}
