//! The cases of every operation, one file per family.

mod account;
mod airtime;
mod electricity;
pub(crate) mod geolocation;
mod health;
mod meters;

use crate::case::Case;

/// Every case, purchases before their reports.
pub(crate) fn all() -> Vec<Case> {
    let families = [
        airtime::cases(),
        meters::cases(),
        electricity::cases(),
        geolocation::cases(),
        account::cases(),
        health::cases(),
    ];
    families.into_iter().flatten().collect()
}
