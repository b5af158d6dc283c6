//! `/geolocation/:type`. A type without an operation must be refused, not answered with something
//! else.

pub(super) mod ipaddress;
