//! `GET /payment/electricity/meter`. It must show the meter as its company knows it, unrounded.

use crate::attributes::Attributes;
use crate::figures::{self, available};
use crate::reader::{Handling, Reader};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::electricity::{Meter, MeterQuery};

/// Reads which meter is asked for.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<MeterQuery, Violations> {
    let mut reader = Reader::new(attributes, handling);
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
        .with("billing", figures::billing(meter.billing))
        .with("debt", meter.debt)
        .with("purMinimum", meter.minimum)
        .with("purMaximum", meter.maximum)
        .with("purLast", meter.last_purchase.map(|at| zone.date(at)))
        .with("tffBand", available(&meter.tariff.band))
        .with("tffRate", figures::rate(meter.tariff.rate))
        .with("currency", meter.debt.currency().code())
}
