//! `/account/limits`. A bound that is left out must mean that there is none.

use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::money::{Currency, Money};
use domain::spending::{LimitedServices, NewSpendingLimit, SpendingLimit, SpendingTerms};

const OF_ALL: &str = "counts every service together; leave it out, or name all as lmtService";

/// Reads the limit that is wanted; its amounts are in the currency that the account is billed in.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<NewSpendingLimit, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let services = reader.required(&attribute::LIMIT_SERVICE, services);
    let per_transaction = reader.optional_amount(&attribute::LIMIT_PER_TRANSACTION, currency);
    let mut per_day = reader.optional_amount(&attribute::LIMIT_PER_DAY, currency);
    let approval_above = reader.optional_amount(&attribute::LIMIT_APPROVAL_ABOVE, currency);
    let replaces = reader.optional(&attribute::VERSION, |text| {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        let version = text.parse().ok().filter(|_| digits);
        version.ok_or("must be the version of the limit as you have seen it, 0 before the first")
    });
    let is_of_one = matches!(services, Ok(LimitedServices::One(_)));
    if is_of_one && matches!(per_day, Ok(Some(_))) {
        per_day = Err(reader.fault(&attribute::LIMIT_PER_DAY, OF_ALL));
    }
    reader.finish(|| {
        Ok(NewSpendingLimit {
            services: services?,
            terms: SpendingTerms {
                per_transaction: per_transaction?,
                per_day: per_day?,
                approval_above: approval_above?,
            },
            replaces: replaces?,
        })
    })
}

/// The words of what a limit may be about.
pub fn words() -> Vec<&'static str> {
    LimitedServices::all().map(LimitedServices::code).collect()
}

/// One limit.
pub fn view_one(limit: &SpendingLimit, zone: &Zone) -> Object {
    let terms = &limit.terms;
    Object::new()
        .with("lmtService", limit.services.code())
        .with("version", u64::from(limit.version))
        .with("lmtPerTransaction", terms.per_transaction)
        .with("lmtPerDay", terms.per_day)
        .with("lmtApprovalAbove", terms.approval_above)
        .with("currency", limit.currency.code())
        .with("lmtMadeBy", limit.made_by.to_string())
        .with("lmtSet", zone.date_time(limit.created_at))
}

/// The limits of an account, and what was spent today.
pub fn view(limits: &[SpendingLimit], spent: Money, zone: &Zone) -> Object {
    let limits = limits.iter().map(|limit| view_one(limit, zone));
    Object::new()
        .with("limits", Node::objects("limit", limits))
        .with("lmtSpent", spent)
        .with("currency", spent.currency().code())
}

fn services(text: &str) -> Result<LimitedServices, String> {
    LimitedServices::from_code(&text.to_ascii_lowercase())
        .ok_or_else(|| format!("must be one of {}", words().join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos, pretty};
    use domain::order::Service;
    use testkit::builders::spending_limit;

    fn read(pairs: &[(&str, &str)]) -> Result<NewSpendingLimit, Violations> {
        parse(&body(pairs), Handling::Strict, Currency::Ngn)
    }

    fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    #[test]
    fn a_bound_that_is_left_out_is_none() {
        let least = read(&[("lmtService", "\"Bank\"")]).unwrap();
        assert_eq!(least.services, LimitedServices::One(Service::Bank));
        assert_eq!(least.terms, SpendingTerms::default());
        assert_eq!(least.replaces, None);
        let most = [
            ("lmtService", "\"all\""),
            ("lmtPerTransaction", "\"1,000.00\""),
            ("lmtPerDay", "5000"),
            ("lmtApprovalAbove", "99.5"),
            ("version", "3"),
        ];
        let most = read(&most).unwrap();
        assert_eq!(most.services, LimitedServices::All);
        assert_eq!(most.terms.per_transaction, Some(naira(100_000)));
        assert_eq!(most.terms.per_day, Some(naira(500_000)));
        assert_eq!(most.terms.approval_above, Some(naira(9_950)));
        assert_eq!(most.replaces, Some(3));
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!(faults(read(&[("x", "1")])), @r"
        400 -
        lmtService: is required; add it to the body
        x: is not an attribute of this request; leave it out
        ");
        let wrong = [
            ("lmtService", "\"bank\""),
            ("lmtPerTransaction", "-1"),
            ("lmtPerDay", "5000"),
            ("lmtApprovalAbove", "\"some\""),
            ("version", "-1"),
        ];
        insta::assert_snapshot!(faults(read(&wrong)), @r"
        400 814
        lmtPerTransaction: must be an amount above zero, such as 1234.00
        lmtApprovalAbove: must be a plain decimal such as 1234.00 or 1,234.00, in ASCII digits
        version: must be the version of the limit as you have seen it, 0 before the first
        lmtPerDay: counts every service together; leave it out, or name all as lmtService
        ");
        let unknown = read(&[("lmtService", "\"taxi\"")]);
        assert!(faults(unknown).contains("lmtService: must be one of all, airtime,"));
    }

    #[test]
    fn a_limit_shows_what_it_bounds() {
        let mut limit = spending_limit("shop", 2).limit;
        limit.terms.per_day = None;
        let spent = naira(12_345);
        insta::assert_snapshot!(pretty(&view(&[limit], spent, &lagos()).into()), @r#"
        {
          limits: [
            limit {
              lmtService: "all"
              version: 2
              lmtPerTransaction: "500.00"
              lmtPerDay: null
              lmtApprovalAbove: "100.00"
              currency: "NGN"
              lmtMadeBy: "0000000000000001"
              lmtSet: "15-01-2026 10:00:02"
            }
          ]
          lmtSpent: "123.45"
          currency: "NGN"
        }
        "#);
    }
}
