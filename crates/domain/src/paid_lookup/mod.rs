//! Lookups that providers sell by name: records about a number, and where a device is. Which there
//! are, what they ask for and what they cost is data of the catalogue. A lookup about a person must
//! never be ordered without the reference of their consent.

mod category;
mod consent;
mod definition;
mod findings;
mod form;
mod order;

pub use category::LookupCategory;
pub use consent::{ConsentReference, InvalidConsentReference};
pub use definition::{
    InvalidLookup, InvalidLookupCode, LookupCode, LookupDefinition, LookupNumberRule,
    LookupParameter, LookupTexts, ParameterTexts, RequestedParameter,
};
pub use findings::{DevicePosition, LookupFindings, LookupMiss};
pub use form::{InvalidForm, ValueForm};
pub use order::{LookupOrder, PaidLookupQuery};
