//! Where numbers stand in the plan of their country. It must not know what is sold for them: each
//! family asks that of the catalogue first.

use crate::gateway::Gateway;
use crate::refused::Refused;
use domain::airtime::Standing;
use domain::country::CountryCode;
use domain::phone::PhoneNumber;

impl Gateway {
    /// Where a number of a country that is served stands.
    pub(crate) fn standing_in_plan(&self, number: &PhoneNumber, country: CountryCode) -> Standing {
        match self.parts().numbering.look_up(number, country) {
            Some(facts) => Standing::Exists(facts.block_holder),
            None => Standing::NotInPlan,
        }
    }
}

/// The brand that holds a number's block, where it is recorded, or why nothing is sold for it.
pub(crate) fn brand(standing: Standing, country: CountryCode) -> Result<Option<String>, Refused> {
    match standing {
        Standing::Exists(brand) => Ok(brand),
        Standing::NotInPlan => Err(Refused::NumberNotInPlan),
        Standing::CountryNotServed => Err(Refused::CountryNotServed(country)),
    }
}
