//! Where numbers stand in the plan of their country. It must not know what is sold for them: each
//! family asks that of the catalogue first.

use crate::gateway::Gateway;
use crate::request_error::RequestError;
use domain::country::CountryCode;
use domain::phone::{NumberStatus, PhoneNumber};

impl Gateway {
    /// Where a number of a country that is served stands.
    pub(crate) fn status_in_plan(
        &self,
        number: &PhoneNumber,
        country: CountryCode,
    ) -> NumberStatus {
        match self.parts().numbering.look_up(number, country) {
            Some(facts) => NumberStatus::Exists(facts.block_holder),
            None => NumberStatus::NotInPlan,
        }
    }
}

/// The brand that holds a number's block, where it is recorded, or why nothing is sold for it.
pub(crate) fn brand(
    status: NumberStatus,
    country: CountryCode,
) -> Result<Option<String>, RequestError> {
    match status {
        NumberStatus::Exists(brand) => Ok(brand),
        NumberStatus::NotInPlan => Err(RequestError::NumberNotInPlan),
        NumberStatus::CountryNotServed => Err(RequestError::CountryNotServed(country)),
    }
}
