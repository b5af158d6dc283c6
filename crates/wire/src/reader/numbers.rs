//! Reads telephone numbers, and what the plan of a country says of them. It must not know any plan.

use super::{FieldReader, InvalidField};
use crate::attribute::{Attribute, COUNTRY, CUSTOMER_PHONE, PHONE};
use crate::country::{NOT_IN_PLAN, not_served};
use domain::country::CountryCode;
use domain::phone::{NumberStatus, PhoneNumber};

impl FieldReader<'_> {
    pub fn phone(&mut self) -> Result<PhoneNumber, InvalidField> {
        self.required(&PHONE, PhoneNumber::parse)
    }

    /// The customer's telephone, where it is given.
    pub fn customer_phone(&mut self) -> Result<Option<PhoneNumber>, InvalidField> {
        self.optional(&CUSTOMER_PHONE, PhoneNumber::parse)
    }

    /// The brand that holds the block of a number, where that is recorded; `status` is called where
    /// both the number and its country could be read, and what it says is wrong is recorded.
    pub fn network_of(
        &mut self,
        attribute: &Attribute,
        number: (
            &Result<PhoneNumber, InvalidField>,
            Result<CountryCode, InvalidField>,
        ),
        status: impl FnOnce(&PhoneNumber, CountryCode) -> NumberStatus,
    ) -> Option<String> {
        let (Ok(number), Ok(country)) = number else {
            return None;
        };
        match status(number, country) {
            NumberStatus::Exists(brand) => return brand,
            NumberStatus::NotInPlan => self.object(attribute, NOT_IN_PLAN),
            NumberStatus::CountryNotServed => self.object(&COUNTRY, &not_served(country)),
        }
        None
    }
}
