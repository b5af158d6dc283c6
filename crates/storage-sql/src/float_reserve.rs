//! Columns of the reserve of a provider. It must hold back what it cannot read.

use domain::float_reserve::{FloatReserve, FloatTranche, TrancheHolder};
use domain::money::{Currency, Money};
use domain::time::Timestamp;

/// What is free in minor units, and when it was counted.
pub type ReserveColumns = (i64, Option<i64>);

/// The holder of a tranche, its amount in minor units, and until when.
pub type TrancheColumns = (i64, i64, i64);

/// A reserve with its tranches.
pub fn reserve((free, counted_at): ReserveColumns, tranches: Vec<TrancheColumns>) -> FloatReserve {
    let tranches = tranches.into_iter();
    FloatReserve {
        free: naira(free),
        counted_at: counted_at.map(Timestamp::from_millis),
        tranches: tranches
            .map(|(holder, amount, until)| FloatTranche {
                holder: TrancheHolder(holder),
                amount: naira(amount),
                until: Timestamp::from_millis(until),
            })
            .collect(),
    }
}

/// An amount of naira in minor units.
pub const fn naira(minor: i64) -> Money {
    Money::from_minor(minor, Currency::Ngn)
}
