//! `/geolocation/:type`. What is not an operation here must say so, not answer something.

pub(super) mod ipaddress;
