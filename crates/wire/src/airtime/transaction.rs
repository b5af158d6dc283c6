//! `GET /payment/airtime/transaction`. It must show exactly what the top-up showed.

use crate::attributes::Attributes;
use crate::reader::Handling;
use crate::violations::Violations;
use domain::reference::MerchantReference;

/// The report adds nothing to the answer of the top-up and omits nothing (interface §2.4).
pub(crate) use super::top_up::view;

/// Reads which transaction is requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<MerchantReference, Violations> {
    crate::transaction::parse_reference(attributes, handling)
}
