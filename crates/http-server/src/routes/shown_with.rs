//! What collections, sessions and invoices are shown with. It must be that of the account in the
//! request.

use crate::authenticated_request::AuthenticatedRequest;
use application::Gateway;
use domain::top_up::ReceivingAccount;
use wire::collection::CollectionContext;
use wire::zone::Zone;

/// What those of a request are shown with.
pub(in crate::routes) struct ShownWith {
    receiving: Option<ReceivingAccount>,
    pub(in crate::routes) zone: Zone,
}

impl ShownWith {
    pub(in crate::routes) fn of(gateway: &Gateway, call: &AuthenticatedRequest) -> Self {
        Self {
            receiving: gateway.collecting_account(call.merchant.account.environment),
            zone: call.zone(),
        }
    }

    pub(in crate::routes) fn context(&self, gateway: &Gateway) -> CollectionContext<'_> {
        CollectionContext {
            receiving: self.receiving.as_ref(),
            now: gateway.now(),
            zone: &self.zone,
        }
    }
}
