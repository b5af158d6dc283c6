//! The ports of access as one. It must add nothing to them.

use ports::access_keys::AccessKeys;
use ports::account_changes::AccountChanges;
use ports::account_users::AccountUsers;
use ports::allowlists::Allowlists;
use ports::freezes::Freezes;
use ports::request_log::RequestLog;
use ports::spending_limits::SpendingLimits;

/// What a store keeps of who may do what.
pub trait AccessPorts:
    AccessKeys + SpendingLimits + Freezes + Allowlists + AccountChanges + RequestLog + AccountUsers
{
}

impl<S> AccessPorts for S where
    S: AccessKeys
        + SpendingLimits
        + Freezes
        + Allowlists
        + AccountChanges
        + RequestLog
        + AccountUsers
{
}
