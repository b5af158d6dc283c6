//! Whose a connection is. It must be known only after a request of it was authenticated.

use domain::account::AccountId;
use std::fmt::Debug;

/// The place of a connection.
pub(crate) trait ConnectionOwner: Debug + Send + Sync {
    /// Records that the connection has carried an authenticated request of an account.
    fn is_of(&self, account: &AccountId);
}
