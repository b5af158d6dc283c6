//! `POST /voucher/create`. What does not go together must be named at the attribute that is to be
//! changed.

use super::status;
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::money::{Currency, Money};
use domain::order::Service;
use domain::percent::Percent;
use domain::voucher::{
    InvalidVoucherTerms, NewVouchers, Voucher, VoucherBatch, VoucherCode, VoucherKind,
    VoucherPrefix, VoucherRules, VoucherTerms, VoucherWorth,
};

/// The words of what codes are.
pub const KINDS: [(&str, VoucherKind); 4] = [
    (VoucherKind::Voucher.code(), VoucherKind::Voucher),
    (VoucherKind::Coupon.code(), VoucherKind::Coupon),
    (VoucherKind::GiftCard.code(), VoucherKind::GiftCard),
    (VoucherKind::Promo.code(), VoucherKind::Promo),
];

/// Reads the codes that are wanted; moments are in the time zone of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    zone: &Zone,
) -> Result<NewVouchers, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let kind = reader.word(&attribute::VOUCHER_TYPE, &KINDS);
    let count = count(&mut reader, kind);
    let currency = reader.optional(&attribute::CURRENCY, currency);
    let known = currency.ok().flatten().unwrap_or(Currency::Ngn);
    let worth = worth(&mut reader, (kind, known));
    let uses = uses(&mut reader, kind);
    let expires_at = reader.required(&attribute::VOUCHER_EXPIRY, |text| zone.parse(text));
    let services = reader.optional(&attribute::VOUCHER_SERVICES, services);
    let minimum = reader.optional_amount(&attribute::VOUCHER_MINIMUM, known);
    let maximum = reader.optional_amount(&attribute::VOUCHER_MAXIMUM, known);
    let prefix = reader.optional(&attribute::VOUCHER_PREFIX, VoucherPrefix::parse);
    if let (Ok(Some(least)), Ok(Some(most))) = (minimum, maximum)
        && most.minor() < least.minor()
    {
        reader.object(
            &attribute::VOUCHER_MAXIMUM,
            "is below vchMinimum; raise it, or lower vchMinimum",
        );
    }
    reader.finish(|| {
        Ok(NewVouchers {
            reference: reference?,
            count: count?,
            prefix: prefix?,
            terms: VoucherTerms {
                kind: kind?,
                worth: worth?,
                currency: currency?.unwrap_or(Currency::Ngn),
                uses: uses?,
                expires_at: expires_at?,
                rules: VoucherRules {
                    services: services?.unwrap_or_default(),
                    minimum: minimum?,
                    maximum: maximum?,
                },
            },
        })
    })
}

fn count(
    reader: &mut FieldReader<'_>,
    kind: Result<VoucherKind, InvalidField>,
) -> Result<u32, InvalidField> {
    let most = kind.map_or(1_000, VoucherBatch::count_max);
    let wanted = reader.integer(&attribute::VOUCHER_COUNT, 1..=u64::from(most))?;
    Ok(wanted.map_or(1, |count| u32::try_from(count).unwrap_or(u32::MAX)))
}

fn currency(text: &str) -> Result<Currency, &'static str> {
    let known = Currency::from_code(&text.to_ascii_uppercase());
    known.ok_or("must be NGN or CRD, or left out")
}

/// An amount or a percentage, and never both.
fn worth(
    reader: &mut FieldReader<'_>,
    (kind, currency): (Result<VoucherKind, InvalidField>, Currency),
) -> Result<VoucherWorth, InvalidField> {
    let amount = reader.optional_amount(&attribute::VOUCHER_AMOUNT, currency);
    let percent = reader.optional(&attribute::VOUCHER_PERCENT, percent);
    let (amount, percent) = (amount?, percent?);
    let holds_money = kind.is_ok_and(VoucherKind::holds_money);
    match (amount, percent) {
        (Some(amount), None) => Ok(VoucherWorth::Amount(amount)),
        (None, Some(_)) if holds_money => {
            let why = InvalidVoucherTerms::PercentOfMoney.to_string();
            Err(reader.fault(&attribute::VOUCHER_PERCENT, &why))
        }
        (None, Some(percent)) => Ok(VoucherWorth::Percent(percent)),
        (Some(_), Some(_)) => {
            let message = "does not go with vchAmount; send one of the two";
            Err(reader.fault(&attribute::VOUCHER_PERCENT, message))
        }
        (None, None) if holds_money => {
            let message = "is required for a voucher or giftcard; add it to the body";
            Err(reader.fault(&attribute::VOUCHER_AMOUNT, message))
        }
        (None, None) => {
            let message = "is required, or vchPercent; add one of the two to the body";
            Err(reader.fault(&attribute::VOUCHER_AMOUNT, message))
        }
    }
}

fn percent(text: &str) -> Result<Percent, String> {
    let read = Percent::parse(text).ok();
    let read = read.filter(|percent| *percent != Percent::ZERO);
    read.ok_or_else(|| InvalidVoucherTerms::PercentOutOfRange.to_string())
}

fn uses(
    reader: &mut FieldReader<'_>,
    kind: Result<VoucherKind, InvalidField>,
) -> Result<Option<u32>, InvalidField> {
    let most = u64::from(domain::voucher::VOUCHER_USES_MAX);
    let wanted = reader.integer(&attribute::VOUCHER_USES, 1..=most)?;
    let wanted = wanted.map(|uses| u32::try_from(uses).unwrap_or(u32::MAX));
    match kind.map(|kind| kind.uses(wanted)) {
        Ok(Ok(uses)) => Ok(uses),
        Ok(Err(why)) => Err(reader.fault(&attribute::VOUCHER_USES, &why.to_string())),
        // What the kind would allow is not known.
        Err(_) => Ok(wanted),
    }
}

fn services(text: &str) -> Result<Vec<Service>, String> {
    let mut read = Vec::new();
    for word in text.split(',').map(str::trim) {
        let Some(service) = Service::from_code(&word.to_ascii_lowercase()) else {
            return Err(format!("must be out of {}", service_words().join(", ")));
        };
        if !read.contains(&service) {
            read.push(service);
        }
    }
    // Which of them comes first says nothing, and a retry may have them otherwise.
    read.sort_by_key(|service| service.code());
    Ok(read)
}

/// The words of the services that codes may lower payments of.
pub fn service_words() -> Vec<&'static str> {
    Service::all().map(Service::code).collect()
}

/// Codes that were made. They are shown, or none of them is.
pub fn view(batch: &VoucherBatch, codes: &[VoucherCode], zone: &Zone) -> Object {
    let terms = &batch.terms;
    let vouchers = batch.ids().enumerate().map(|(place, id)| {
        let made = Voucher::of(batch, id.position);
        Object::new()
            .with("vchCode", codes.get(place).map(VoucherCode::reveal))
            .with("vchIdentifier", id.to_string())
            .with("vchStatus", status(made.status(batch.created_at)))
    });
    Object::new()
        .with("mrcReference", batch.reference.as_str())
        .with("batReference", batch.number.get())
        .with("txnDate", zone.date_time(batch.created_at))
        .with("vchType", terms.kind.code())
        .with("price", batch.held().unwrap_or(Money::zero(terms.currency)))
        .with("currency", terms.currency.code())
        .with("vouchers", Node::objects("voucher", vouchers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, pretty};
    use crate::voucher::read;
    use testkit::builders::{coupons, gift_cards, kobo};

    const GOOD: [(&str, &str); 4] = [
        ("mrcReference", "\"batch-1\""),
        ("vchType", "\"GiftCard\""),
        ("vchAmount", "\"500.00\""),
        ("vchExpiry", "\"15-01-2026 10:00:00\""),
    ];

    fn wanted(changes: &[(&str, &str)]) -> Result<NewVouchers, Violations> {
        let kept = GOOD
            .iter()
            .filter(|(name, _)| !changes.iter().any(|(it, _)| it == name));
        let pairs: Vec<_> = kept.chain(changes).copied().collect();
        let pairs: Vec<_> = pairs
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .collect();
        read(&pairs, |body| parse(body, Handling::Strict, &lagos()))
    }

    #[test]
    fn the_least_and_the_most_of_a_batch_are_read() {
        let least = wanted(&[]).unwrap();
        assert_eq!((least.count, least.terms.uses), (1, None));
        assert_eq!(least.terms.worth, VoucherWorth::Amount(kobo(50_000)));
        assert_eq!(least.terms.rules, VoucherRules::default());
        let most = wanted(&[
            ("vchType", "\"coupon\""),
            ("vchAmount", ""),
            ("vchPercent", "12.5"),
            ("vchCount", "1000"),
            ("vchUses", "3"),
            ("currency", "\"ngn\""),
            ("vchServices", "[\"airtime\",\"Bank\"]"),
            ("vchMinimum", "100"),
            ("vchMaximum", "\"1,000.00\""),
            ("vchPrefix", "\"sale\""),
        ]);
        let most = most.unwrap();
        assert_eq!((most.count, most.terms.uses), (1_000, Some(3)));
        assert_eq!(most.terms.rules.services, [Service::Airtime, Service::Bank]);
        assert_eq!(most.terms.rules.maximum, Some(kobo(100_000)));
        assert_eq!(most.prefix.unwrap().as_str(), "SALE");
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        let nothing = read(&[("x", "1")], |body| {
            parse(body, Handling::Strict, &lagos())
        });
        insta::assert_snapshot!(faults(nothing), @r"
        400 814
        mrcReference: is required; add it to the body
        vchType: is required; add it to the body
        vchAmount: is required, or vchPercent; add one of the two to the body
        vchExpiry: is required; add it to the body
        x: is not an attribute of this request; leave it out
        ");
        let wrong = wanted(&[
            ("vchCount", "1001"),
            ("vchUses", "1"),
            ("vchPercent", "101"),
            ("vchExpiry", "\"soon\""),
            ("vchServices", "\"yachts\""),
            ("vchMinimum", "2"),
            ("vchMaximum", "1"),
            ("vchPrefix", "\"A-B\""),
            ("currency", "\"EUR\""),
        ]);
        let wrong = faults(wrong);
        for name in [
            "vchCount: must be a whole number from 1 to 1000",
            "currency: must be NGN or CRD, or left out",
            "vchPercent: must be above 0 and at most 100, with at most four decimals",
            "vchUses: does not go with a giftcard",
            "vchExpiry: ",
            "vchServices: must be out of ",
            "vchMaximum: is below vchMinimum",
            "vchPrefix: must be 1 to 8 letters A-Z and digits",
        ] {
            assert!(wrong.contains(name), "{name}\n{wrong}");
        }
    }

    #[test]
    fn what_does_not_go_with_the_kind_is_refused() {
        for (changes, name) in [
            (
                &[
                    ("vchType", "\"promo\""),
                    ("vchCount", "2"),
                    ("vchUses", "5"),
                ][..],
                "vchCount",
            ),
            (&[("vchType", "\"promo\"")], "vchUses"),
            (&[("vchType", "\"voucher\""), ("vchUses", "2")], "vchUses"),
            (&[("vchPercent", "5"), ("vchAmount", "")], "vchPercent"),
            (
                &[("vchType", "\"coupon\""), ("vchPercent", "5")],
                "vchPercent",
            ),
            (&[("vchAmount", "")], "vchAmount"),
        ] {
            let refused = faults(wanted(changes));
            assert!(refused.contains(&format!("\n{name}: ")), "{refused}");
        }
    }

    #[test]
    fn codes_are_shown_with_their_batch_or_not_at_all() {
        let batch = gift_cards("shop", 7, "batch-1");
        let codes = [1, 2].map(|byte| VoucherCode::mint(None, [byte; 19]));
        insta::assert_snapshot!(pretty(&view(&batch, &codes, &lagos()).into()));
        let later = pretty(&view(&coupons("shop", 7, "batch-1"), &[], &lagos()).into());
        assert!(later.contains("vchCode: null"), "{later}");
    }
}
