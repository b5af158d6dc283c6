//! The operations of every family, one file each. Nothing here may say what an answer looks like:
//! that is learned from the samples.

mod account;
mod airtime;
mod electricity;
mod geolocation;
mod process;

use crate::operation::Family;

/// Every family, in the order they are shown.
pub(crate) fn all() -> Vec<Family> {
    vec![
        airtime::family(),
        electricity::family(),
        geolocation::family(),
        account::family(),
        process::family(),
    ]
}
