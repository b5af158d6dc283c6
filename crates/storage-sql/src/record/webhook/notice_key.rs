//! Names of notices as two numbers. They say all that a name says and are found faster; no two
//! names may have the same.

use domain::money::Currency;
use domain::reference::TransactionNumber;
use domain::statement::StatementEntry;
use domain::time::Timestamp;
use domain::webhook::WebhookEventId;

/// The numbers in the name of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NoticeKey {
    /// The number of the transaction, or of the notice where no transaction caused it. That of a
    /// line of a statement is below zero and has its place above, its currency below; its moment is
    /// that of the notice.
    pub number: i64,
    /// The sequence of the event; 0 where there is no event.
    pub sequence: i32,
}

/// Bits of a currency: three letters of 26.
const CURRENCY_BITS: u32 = 15;

/// The largest place of a line that has a number.
const POSITION_MAX: u64 = (1 << 48) - 1;

impl NoticeKey {
    /// The numbers in a name; `None` where it is the name of nothing that can be stored.
    pub fn of(id: &WebhookEventId) -> Option<Self> {
        let name = id.as_str().strip_prefix("evt_")?;
        let parts: Vec<_> = name.split('_').collect();
        let (key, at) = match parts.as_slice() {
            [number] => (Self::named(number, "0")?, 0),
            [number, sequence] => (Self::named(number, sequence)?, 0),
            [currency, position, at] => {
                let currency = Currency::from_code(currency)?;
                let key = Self::of_place(currency, position.parse().ok()?);
                (key, at.parse().ok()?)
            }
            _ => return None,
        };
        // Another spelling of the same numbers is the name of nothing.
        let same = key.id(Timestamp::from_millis(at));
        (same.as_ref() == Some(id)).then_some(key)
    }

    fn named(number: &str, sequence: &str) -> Option<Self> {
        Some(Self {
            number: number.parse().ok()?,
            sequence: sequence.parse().ok()?,
        })
    }

    /// The numbers of a line of a statement.
    pub(super) fn of_line(line: &StatementEntry) -> Self {
        Self::of_place(line.amount.currency(), line.position)
    }

    fn of_place(currency: Currency, position: u64) -> Self {
        let place = position.min(POSITION_MAX) << CURRENCY_BITS | letters(currency);
        Self {
            number: i64::MIN.saturating_add_unsigned(place),
            sequence: 0,
        }
    }

    /// The number of a transaction or notice; it is below 2^53, so nothing is lost.
    pub(super) fn number_of(number: TransactionNumber) -> i64 {
        i64::try_from(number.get()).unwrap_or(i64::MAX)
    }

    /// The name, where it is of a moment.
    pub fn id(self, at: Timestamp) -> Option<WebhookEventId> {
        let Self { number, sequence } = self;
        if number < 0 && sequence == 0 {
            let place = number.abs_diff(i64::MIN);
            let wanted = place & ((1 << CURRENCY_BITS) - 1);
            let mut all = Currency::ALL.into_iter();
            let currency = all.find(|currency| letters(*currency) == wanted)?;
            return Some(WebhookEventId::of_place(
                (currency, place >> CURRENCY_BITS),
                at,
            ));
        }
        WebhookEventId::parse(&match sequence {
            0 => format!("evt_{number}"),
            _ => format!("evt_{number}_{sequence}"),
        })
    }
}

/// The letters of a currency's code as a number: it stays the same however many currencies there
/// are.
fn letters(currency: Currency) -> u64 {
    let letters = currency.code().bytes();
    letters.fold(0, |sum, letter| {
        sum * 26 + u64::from(letter.saturating_sub(b'A'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const AT: Timestamp = Timestamp::from_millis(1_795_296_019_893);

    #[test]
    fn the_numbers_of_lines_rise_with_their_places_and_are_unique() {
        let mut before = i64::MIN;
        for position in [1, 2, 3, 1000, POSITION_MAX] {
            for currency in [Currency::Crd, Currency::Ngn] {
                let key = NoticeKey::of_place(currency, position);
                assert!(before < key.number && key.number < 0, "{key:?}");
                let name = WebhookEventId::of_place((currency, position), AT);
                assert_eq!((key.id(AT), NoticeKey::of(&name)), (Some(name), Some(key)));
                before = key.number;
            }
        }
        let too_far = WebhookEventId::of_place((Currency::Ngn, POSITION_MAX + 1), AT);
        assert_eq!(NoticeKey::of(&too_far), None);
    }

    proptest! {
        #[test]
        fn a_name_is_read_back_from_its_numbers(first in 1_u64..1 << 53, second in 1_i32..) {
            let names = [
                format!("evt_{first}"),
                format!("evt_{first}_{second}"),
                format!("evt_NGN_{second}_{}", AT.as_millis()),
                format!("evt_CRD_{second}_{}", AT.as_millis()),
            ];
            let ids = names.map(|name| WebhookEventId::parse(&name).unwrap());
            let keys = ids.clone().map(|id| NoticeKey::of(&id).unwrap());
            prop_assert_eq!(keys.map(|key| key.id(AT).unwrap()), ids);
            let distinct: std::collections::HashSet<_> = keys.into_iter().collect();
            prop_assert_eq!(distinct.len(), 4);
        }
    }
}
