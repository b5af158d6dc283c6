//! `GET /payment/electricity/meter`. It must show the meter as its biller describes it, unrounded.

use crate::attributes::Attributes;
use crate::format::{self, available};
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::electricity::{Meter, MeterQuery};

/// Reads which meter is requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<MeterQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let disco = reader.disco();
    let number = reader.meter();
    let billing = reader.billing();
    reader.finish(|| {
        Ok(MeterQuery {
            disco: disco?,
            number: number?,
            billing: billing?,
        })
    })
}

/// A meter (interface §2.6, meter validation).
pub fn view(meter: &Meter, zone: &Zone) -> Object {
    Object::new()
        .with("disco", meter.disco.as_str())
        .with("brandname", meter.brandname.as_str())
        .with("number", meter.number.digits())
        .with("owner", available(&meter.owner))
        .with("address", available(&meter.address))
        .with("billing", format::billing(meter.billing))
        .with("debt", meter.debt)
        .with("purMinimum", meter.minimum)
        .with("purMaximum", meter.maximum)
        .with("purLast", meter.last_purchase.map(|at| zone.date(at)))
        .with("tffBand", available(&meter.tariff.band))
        .with("tffRate", meter.tariff.rate.map(format::rate))
        .with("currency", meter.minimum.currency().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, pretty, query};
    use domain::electricity::Tariff;
    use testkit::builders::meter;

    fn lenient(text: &str) -> Result<MeterQuery, Violations> {
        parse(&query(text), Handling::Lenient)
    }

    #[test]
    fn a_meter_is_asked_for_with_its_leading_zeros() {
        let asked = lenient("disco=101&number=04123456789&billing=postpaid").unwrap();
        assert_eq!(asked.disco.as_str(), "101");
        assert_eq!(asked.number.digits(), "04123456789");
        assert_eq!(asked.billing, domain::billing::Billing::Postpaid);
    }

    #[test]
    fn a_missing_filter_is_distinguished_from_a_bad_one() {
        insta::assert_snapshot!(faults(lenient("disco=x&number=04123")), @r"
        405 820
        disco: must be the identifier of a distribution company, 1 to 9 digits
        number: must be a meter or account number of 6 to 15 digits
        billing: is required; add it to the query of the address
        ");
        insta::assert_snapshot!(faults(lenient("disco=101&number=&billing=")), @r"
        400 823
        number: must be a meter or account number of 6 to 15 digits
        billing: must be prepaid or postpaid
        ");
    }

    #[test]
    fn a_meter_shows_null_or_a_placeholder_for_what_its_company_does_not_know() {
        insta::assert_snapshot!(
            "meter",
            pretty(&view(&meter("04123456789"), &lagos()).into())
        );
        let bare = Meter {
            owner: String::new(),
            address: " ".into(),
            last_purchase: None,
            last_paid: None,
            debt: None,
            tariff: Tariff {
                band: String::new(),
                rate: None,
            },
            ..meter("04123456789")
        };
        insta::assert_snapshot!("bare_meter", pretty(&view(&bare, &lagos()).into()));
    }
}
