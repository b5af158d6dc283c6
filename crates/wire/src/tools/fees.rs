//! `GET /tools/fees`. It must show every part of a price, and never what the provider takes.

use crate::attribute::{AMOUNT, BILLING, COUNTRY, PARTS, PLAN, PROVIDER, SERVICE};
use crate::attributes::Attributes;
use crate::reader::{BILLINGS, FieldReader, Handling, InvalidField};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::bill::BillCategory;
use domain::electricity::DiscoCode;
use domain::fees::{FeeQuote, FeeRequest, PayoutService};
use domain::money::Currency;
use domain::order::Service;
use domain::quote_identifier::QuoteIdentifier;
use domain::sms::PARTS_MAX;
use domain::subscription::{BillerCode, PlanCode};

/// What can be priced before it is ordered, and what is read of it.
#[derive(Debug, Clone, Copy)]
enum Priced {
    Airtime,
    CableTv,
    Electricity,
    Internet,
    Sms,
    Payout(PayoutService),
    Bill(BillCategory),
}

/// The words of `service`. Transfers abroad have quotes of their own; lookups have one price, and
/// what the gateway books alone has no fees.
fn words() -> Vec<(&'static str, Priced)> {
    let products = [
        (Service::Airtime, Priced::Airtime),
        (Service::CableTv, Priced::CableTv),
        (Service::Electricity, Priced::Electricity),
        (Service::Internet, Priced::Internet),
        (Service::Sms, Priced::Sms),
    ];
    let products = products.map(|(service, priced)| (service.code(), priced));
    let payouts = PayoutService::ALL.map(|to| (to.service().code(), Priced::Payout(to)));
    let bills = BillCategory::all().map(|category| (category.code(), Priced::Bill(category)));
    products.into_iter().chain(payouts).chain(bills).collect()
}

/// The words of `service`, for its documentation.
pub fn services() -> Vec<&'static str> {
    words().into_iter().map(|(word, _)| word).collect()
}

/// Reads what is asked for; amounts are in the currency of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<FeeRequest, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let service = reader.word(&SERVICE, &words());
    let asked = match service {
        Ok(priced) => read(&mut reader, priced, currency),
        Err(invalid) => {
            // Whether they are of the service is not known, so none of them is refused.
            let _ = reader.choice(&BILLING, &BILLINGS);
            for attribute in [&COUNTRY, &PROVIDER, &PLAN, &PARTS, &AMOUNT] {
                let _ = reader.optional(attribute, |_| Ok::<_, String>(()));
            }
            Err(invalid)
        }
    };
    reader.finish(|| asked)
}

fn read(
    reader: &mut FieldReader<'_>,
    priced: Priced,
    currency: Currency,
) -> Result<FeeRequest, InvalidField> {
    match priced {
        Priced::Airtime => {
            let country = reader.country();
            let network = reader.required(&PROVIDER, |text| Ok::<_, String>(text.to_owned()));
            let amount = reader.amount(currency);
            Ok(FeeRequest::Airtime(country?, network?, amount?))
        }
        Priced::CableTv => {
            let provider = reader.provider();
            let amount = reader.amount(currency);
            Ok(FeeRequest::CableTv(provider?, amount?))
        }
        Priced::Electricity => {
            let disco = reader.required(&PROVIDER, DiscoCode::parse);
            let billing = reader.billing();
            let amount = reader.amount(currency);
            Ok(FeeRequest::Electricity(disco?, billing?, amount?))
        }
        Priced::Internet => {
            let plan = reader.required(&PLAN, PlanCode::parse);
            Ok(FeeRequest::Internet(plan?))
        }
        Priced::Sms => {
            let country = reader.country();
            let parts = reader.integer(&PARTS, 1..=u64::from(PARTS_MAX));
            let parts = parts.map(|parts| parts.and_then(|parts| u8::try_from(parts).ok()));
            Ok(FeeRequest::Sms(country?, parts?.unwrap_or(1)))
        }
        Priced::Payout(to) => Ok(FeeRequest::Payout(to, reader.amount(currency)?)),
        Priced::Bill(category) => {
            let biller = reader.required(&PROVIDER, BillerCode::parse);
            let amount = reader.amount(currency);
            Ok(FeeRequest::Bill(category, biller?, amount?))
        }
    }
}

/// What a product costs.
pub fn view(identifier: &QuoteIdentifier, quote: &FeeQuote, zone: &Zone) -> Object {
    let price = &quote.price;
    Object::new()
        .with("service", quote.service.code())
        .with("amount", price.amount)
        .with("commission", price.commission)
        .with("charges", price.fee)
        .with("vat", price.vat)
        .with("duty", price.levy)
        .with("price", price.price)
        .with("currency", price.price.currency().code())
        .with("rule", price.rule.as_str())
        .with("qteIdentifier", identifier.as_str())
        .with("qteExpires", zone.date_time(quote.expires_at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, pretty, query};
    use testkit::builders::fee_quote;

    fn lenient(text: &str) -> Result<FeeRequest, Violations> {
        parse(&query(text), Handling::Lenient, Currency::Ngn)
    }

    #[test]
    fn each_service_is_asked_for_by_what_its_price_depends_on() {
        for (asked, service) in [
            (
                "service=airtime&countryCode=566&provider=MTN&amount=100",
                "airtime",
            ),
            ("service=cabletv&provider=202&amount=5,800.00", "cabletv"),
            (
                "service=electricity&provider=101&billing=prepaid&amount=5000",
                "electricity",
            ),
            ("service=internet&identifier=30109", "internet"),
            ("service=sms&countryCode=566&parts=3", "sms"),
            ("service=sms&countryCode=566", "sms"),
            ("service=bank&amount=20000", "bank"),
            ("service=mobilemoney&amount=20000", "mobilemoney"),
            ("service=card&amount=20000", "card"),
            ("service=water&provider=601&amount=5000", "water"),
        ] {
            let read = lenient(asked);
            let read = read.unwrap_or_else(|wrong| panic!("{asked}: {wrong:?}"));
            assert_eq!(read.service().code(), service);
        }
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!("missing", faults(lenient("")));
        insta::assert_snapshot!("of a service", faults(lenient("service=electricity")));
        insta::assert_snapshot!("unknown", faults(lenient("service=wallet&amount=5")));
        let strict = query("service=bank&amount=0&provider=7");
        let read = parse(&strict, Handling::Strict, Currency::Ngn);
        insta::assert_snapshot!("wrong", faults(read));
    }

    #[test]
    fn a_price_shows_all_its_parts_and_not_its_cost() {
        let (identifier, quote) = fee_quote();
        let shown = view(&identifier, &quote, &lagos());
        insta::assert_snapshot!("fees", pretty(&shown.into()));
    }
}
