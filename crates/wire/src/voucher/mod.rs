//! Vouchers, gift cards, coupons and promo codes, one operation per file. A code must be shown in
//! the answer that makes it and nowhere else.

pub mod create;
pub mod lookup;
pub mod redeem;
pub mod rollback;
pub mod void;

use crate::attribute;
use crate::reader::{FieldReader, InvalidField};
use domain::text::{Breaks, check};
use domain::voucher::{VoucherCode, VoucherStatus};

/// Most characters of a reason.
const REASON_MAX: usize = 100;

/// The word of a status.
pub const fn status(status: VoucherStatus) -> &'static str {
    match status {
        VoucherStatus::Active => "Active",
        VoucherStatus::Redeemed => "Redeemed",
        VoucherStatus::Expired => "Expired",
        VoucherStatus::Void => "Void",
    }
}

fn code(reader: &mut FieldReader<'_>) -> Result<VoucherCode, InvalidField> {
    reader.required(&attribute::VOUCHER_CODE, VoucherCode::parse)
}

fn reason(reader: &mut FieldReader<'_>) -> Result<String, InvalidField> {
    reader.required(&attribute::REASON, |text| {
        let text = text.trim();
        check(text, Breaks::Refused).map_err(|unfit| unfit.to_string())?;
        let length = text.chars().count();
        let fits = (1..=REASON_MAX).contains(&length);
        let reason = fits.then(|| text.to_owned());
        reason.ok_or_else(|| format!("must be 1 to {REASON_MAX} characters"))
    })
}

/// What was sent of an attribute, for tests of its readers.
#[cfg(test)]
fn read<T>(
    pairs: &[(&str, &str)],
    parse: impl FnOnce(&crate::attributes::Attributes) -> Result<T, crate::violations::Violations>,
) -> Result<T, crate::violations::Violations> {
    parse(&crate::fixtures::body(pairs))
}
