//! Times at which a service is free.

use super::StaffName;
use crate::reference::TransactionNumber;
use crate::time::Timestamp;

/// Which free times are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotQuery {
    /// Of which service.
    pub service: TransactionNumber,
    /// Those that begin at this moment or later.
    pub from: Timestamp,
    /// Those that begin before this moment, a bounded time later.
    pub until: Timestamp,
    /// With whom.
    pub staff: Option<StaffName>,
}

/// A time at which an appointment can begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeSlot {
    /// When it begins.
    pub starts_at: Timestamp,
    /// When it ends.
    pub ends_at: Timestamp,
    /// Who is free; empty for a service without staff.
    pub staff: Vec<StaffName>,
    /// How many appointments there is room for.
    pub seats: u32,
}
