//! Keys and users of an account, as its merchant sees them. A merchant must never give away more
//! than the key of the request allows.

mod audit;
mod grant;
mod keys;
mod rotation;
mod seal;
mod users;

pub use grant::{Forbidden, KeyGrant};
pub use keys::{AccessKeyCreated, AccessKeyError, KeyRefusal};
pub use rotation::RotatedKey;
pub(crate) use seal::{SealMessage, is_sealed, verified};
pub use seal::{seal_key, seal_step, seal_user};
pub use users::{AccountUserError, UserInvited};
