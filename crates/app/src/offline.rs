//! What stands in for the providers of a command that is no server. It must never reach anyone:
//! what a command decides rests on what is stored.

use async_trait::async_trait;
use domain::billing::Billing;
use domain::electricity::{DiscoCode, Meter, MeterNumber};
use ports::provider::{LookupFailure, Meters};

/// Billers that cannot be reached from here.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offline;

#[async_trait]
impl Meters for Offline {
    async fn meter(
        &self,
        _disco: &DiscoCode,
        _number: &MeterNumber,
        _billing: Billing,
    ) -> Result<Meter, LookupFailure> {
        Err(LookupFailure::Unreachable)
    }
}
