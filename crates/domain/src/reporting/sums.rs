//! The sums of reports, by group and in total. Totals must be added up from the rows themselves,
//! not from the groups.

use super::GroupKey;
use crate::money::{Currency, Money};
use crate::pricing::Quote;
use std::collections::BTreeMap;

/// A sum beyond the largest amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a sum of the report is beyond the largest amount")]
pub struct SumTooLarge;

/// Sums of one kind of report in one currency.
pub trait ReportSums: Clone {
    /// Of no rows.
    fn zero(currency: Currency) -> Self;

    /// Of the rows of both; `None` beyond the largest amount.
    fn checked_add(&self, other: &Self) -> Option<Self>;

    /// Without the rows of the other; `None` beyond the largest amount.
    fn checked_sub(&self, other: &Self) -> Option<Self>;
}

/// Defines sums from their amounts; each counts its rows as well.
macro_rules! sums {
    ($(#[$doc:meta])* $Name:ident { $($(#[$field_doc:meta])* $field:ident,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $Name {
            /// How many rows; less than zero where more was taken back than delivered.
            pub count: i64,
            $($(#[$field_doc])* pub $field: Money,)*
        }

        impl ReportSums for $Name {
            fn zero(currency: Currency) -> Self {
                Self { count: 0, $($field: Money::zero(currency),)* }
            }

            fn checked_add(&self, other: &Self) -> Option<Self> {
                Some(Self {
                    count: self.count.checked_add(other.count)?,
                    $($field: self.$field.checked_add(other.$field)?,)*
                })
            }

            fn checked_sub(&self, other: &Self) -> Option<Self> {
                Some(Self {
                    count: self.count.checked_sub(other.count)?,
                    $($field: self.$field.checked_sub(other.$field)?,)*
                })
            }
        }
    };
}

sums! {
    /// Of prices.
    PriceSums {
        /// What was bought.
        face,
        /// What the merchant keeps of it.
        commission,
        /// Fees.
        charges,
        /// Value-added tax on them.
        vat,
        /// Levies on electronic transfers.
        duty,
        /// What is paid: face less commission, with charges, tax and duty.
        net,
    }
}

impl PriceSums {
    /// Of one price.
    pub const fn of(quote: &Quote) -> Self {
        Self {
            count: 1,
            face: quote.amount,
            commission: quote.commission,
            charges: quote.fee,
            vat: quote.vat,
            duty: quote.levy,
            net: quote.price,
        }
    }
}

sums! {
    /// Of money that settled.
    SettlementSums {
        /// Taken for what was delivered.
        captured,
        /// Given back for what was taken back.
        refunded,
        /// Paid in, by another account too, or bought into the wallet.
        credited,
        /// What the wallet has more: refunded and credited less captured.
        net,
    }
}

sums! {
    /// Of prices of transactions, and what became of them.
    ReconciliationSums {
        /// Set aside.
        held,
        /// Of that, taken for what was delivered.
        captured,
        /// Of that, given back.
        released,
        /// What is still set aside, by the states of the transactions.
        open,
        /// Held less captured, released and open: zero.
        difference,
    }
}

/// Sums by group, and in total by currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupedSums<S> {
    groups: BTreeMap<GroupKey, S>,
    totals: BTreeMap<Currency, S>,
}

impl<S> Default for GroupedSums<S> {
    fn default() -> Self {
        Self {
            groups: BTreeMap::new(),
            totals: BTreeMap::new(),
        }
    }
}

impl<S: ReportSums> GroupedSums<S> {
    /// Adds the part of one row.
    ///
    /// # Errors
    /// Refuses a sum beyond the largest amount.
    pub fn add(&mut self, key: GroupKey, part: &S) -> Result<(), SumTooLarge> {
        let currency = key.currency;
        for sum in [
            self.groups.entry(key).or_insert_with(|| S::zero(currency)),
            self.totals
                .entry(currency)
                .or_insert_with(|| S::zero(currency)),
        ] {
            *sum = sum.checked_add(part).ok_or(SumTooLarge)?;
        }
        Ok(())
    }

    /// The groups in their order.
    pub const fn groups(&self) -> &BTreeMap<GroupKey, S> {
        &self.groups
    }

    /// The totals by currency.
    pub const fn totals(&self) -> &BTreeMap<Currency, S> {
        &self.totals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reporting::ReportGrouping;
    use crate::time::Timestamp;

    fn credited(minor: i64) -> SettlementSums {
        SettlementSums {
            count: 1,
            credited: Money::from_minor(minor, Currency::Ngn),
            ..SettlementSums::zero(Currency::Ngn)
        }
    }

    fn day(millis: i64) -> GroupKey {
        let day = Timestamp::from_millis(millis);
        ReportGrouping::Day.key(day, (None, None), Currency::Ngn)
    }

    #[test]
    fn a_row_is_in_its_group_and_in_the_total() {
        let mut sums = GroupedSums::default();
        for (at, minor) in [(1, 5), (2, 7), (1, 11)] {
            sums.add(day(at), &credited(minor)).unwrap();
        }
        let groups: Vec<_> = sums.groups().values().cloned().collect();
        let of = |count, minor| SettlementSums {
            count,
            ..credited(minor)
        };
        assert_eq!(groups, [of(2, 16), of(1, 7)]);
        assert_eq!(sums.totals()[&Currency::Ngn], of(3, 23));
    }

    #[test]
    fn a_sum_beyond_the_largest_amount_is_refused() {
        let mut sums = GroupedSums::default();
        sums.add(day(1), &credited(Money::MAX_MINOR)).unwrap();
        assert_eq!(sums.add(day(2), &credited(1)), Err(SumTooLarge));
    }
}
