//! The ports of access, and of what people sent, as one. It must add nothing to them.

use ports::access_keys::AccessKeys;
use ports::account_changes::AccountChanges;
use ports::account_users::AccountUsers;
use ports::allowlists::Allowlists;
use ports::freezes::Freezes;
use ports::incoming_messages::IncomingMessages;
use ports::request_log::RequestLog;
use ports::retention::RetentionStore;
use ports::spending_limits::SpendingLimits;

/// What a store keeps of who may do what, and of what people sent.
pub trait AccessPorts:
    AccessKeys
    + SpendingLimits
    + Freezes
    + Allowlists
    + AccountChanges
    + RequestLog
    + AccountUsers
    + IncomingMessages
    + RetentionStore
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
        + IncomingMessages
        + RetentionStore
{
}
