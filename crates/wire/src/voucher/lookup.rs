//! `GET /voucher/lookup`. What it shows must be no promise: the redemption decides.

use super::{code, status};
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::money::{Currency, Money};
use domain::order::Service;
use domain::time::Timestamp;
use domain::voucher::{Voucher, VoucherCode, VoucherWorth};

/// The code that is asked about, and what it is to lower.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoucherQuery {
    pub code: VoucherCode,
    pub amount: Option<Money>,
    pub service: Option<Service>,
}

/// Reads which code is asked about.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<VoucherQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let code = code(&mut reader);
    let amount = reader.optional_amount(&attribute::AMOUNT, Currency::Ngn);
    let service = reader.optional(&attribute::SERVICE, |text| {
        let service = Service::from_code(&text.to_ascii_lowercase());
        service.ok_or_else(|| {
            let words = super::create::service_words().join(", ");
            format!("must be one of {words}")
        })
    });
    reader.finish(|| {
        Ok(VoucherQuery {
            code: code?,
            amount: amount?,
            service: service?,
        })
    })
}

/// A code as it stands.
pub fn view(voucher: &Voucher, discount: Option<Money>, (now, zone): (Timestamp, &Zone)) -> Object {
    let terms = &voucher.terms;
    let (amount, percent) = match terms.worth {
        VoucherWorth::Amount(amount) => (Some(amount), None),
        VoucherWorth::Percent(percent) => (None, Some(percent.to_string())),
    };
    let services = terms.rules.services.iter();
    let services = services.map(|service| service.code().to_owned());
    Object::new()
        .with("vchIdentifier", voucher.id.to_string())
        .with("vchType", terms.kind.code())
        .with("vchStatus", status(voucher.status(now)))
        .with("vchBalance", voucher.left.balance)
        .with("vchDiscount", discount)
        .with("currency", terms.currency.code())
        .with("vchAmount", amount)
        .with("vchPercent", percent)
        .with("vchUses", voucher.left.uses.map(u64::from))
        .with("vchExpiry", zone.date_time(terms.expires_at))
        .with("vchServices", Node::texts("service", services))
        .with("vchMinimum", terms.rules.minimum)
        .with("vchMaximum", terms.rules.maximum)
        .with("version", u64::from(voucher.version))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, pretty, query};
    use domain::voucher::VoucherRules;
    use testkit::builders::{at, coupons, gift_card, kobo};

    #[test]
    fn a_question_is_read_and_what_is_wrong_is_named() {
        let read = |text: &str| parse(&query(text), Handling::Strict);
        let whole = read("vchCode=01234-56789-abcde-fghjt&amount=100&service=Airtime").unwrap();
        assert_eq!(whole.amount, Some(kobo(10_000)));
        assert_eq!(whole.service, Some(Service::Airtime));
        let wrong = faults(read("amount=0&service=yachts"));
        assert!(
            wrong.contains("service: must be one of airtime, cabletv,"),
            "{wrong}"
        );
        insta::assert_snapshot!(faults(read("amount=0")), @r"
        405 814
        vchCode: is required; add it to the query of the address
        amount: must be an amount above zero, such as 1234.00
        ");
        let typo = faults(read("vchCode=01234-56789-abcde-fghjx"));
        assert!(typo.contains("vchCode: is not a code"), "{typo}");
    }

    #[test]
    fn a_code_shows_what_is_left_of_it() {
        let shown = |voucher: &Voucher, off| pretty(&view(voucher, off, (at(0), &lagos())).into());
        insta::assert_snapshot!("gift_card", shown(&gift_card("shop"), Some(kobo(100))));
        let mut narrow = coupons("shop", 7, "batch-1");
        narrow.terms.rules = VoucherRules {
            services: vec![Service::Airtime],
            minimum: Some(kobo(100)),
            maximum: Some(kobo(200)),
        };
        insta::assert_snapshot!("coupon", shown(&Voucher::of(&narrow, 2), None));
    }
}
