//! What names an event, as the columns of a delivery. They say all that a name says and are found
//! faster; no two names may have the same.

use crate::record::RecordError;
use domain::money::Currency;
use domain::reference::TransactionNumber;
use domain::statement::StatementEntry;
use domain::time::Timestamp;
use domain::webhook::WebhookEventId;

/// What names an event; with the moment of the event, which the name of a line has too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventKey {
    /// The number of the transaction, the place of the line in its statement, or the number of the
    /// event where neither caused it.
    pub number: i64,
    /// The sequence of the event; 0 where there is no event.
    pub sequence: i32,
    /// The currency of the statement; none where it tells of no line.
    pub currency: Option<Currency>,
}

impl EventKey {
    /// What names an event; `None` where it is the name of nothing that can be stored.
    pub fn of(id: &WebhookEventId) -> Option<Self> {
        let name = id.as_str().strip_prefix("evt_")?;
        let parts: Vec<_> = name.split('_').collect();
        let (key, at) = match parts.as_slice() {
            [number] => (Self::named(number, "0", None)?, 0),
            [number, sequence] => (Self::named(number, sequence, None)?, 0),
            [currency, position, at] => {
                let currency = Currency::from_code(currency)?;
                (
                    Self::named(position, "0", Some(currency))?,
                    at.parse().ok()?,
                )
            }
            _ => return None,
        };
        // Another spelling of the same numbers is the name of nothing.
        let same = key.id(Timestamp::from_millis(at));
        (same.as_ref() == Some(id)).then_some(key)
    }

    fn named(number: &str, sequence: &str, currency: Option<Currency>) -> Option<Self> {
        Some(Self {
            number: number.parse().ok()?,
            sequence: sequence.parse().ok()?,
            currency,
        })
    }

    /// What names a line of a statement.
    pub(super) fn of_line(line: &StatementEntry) -> Self {
        Self {
            number: i64::try_from(line.position).unwrap_or(i64::MAX),
            sequence: 0,
            currency: Some(line.amount.currency()),
        }
    }

    /// The number of a transaction or event; it is below 2^53, so nothing is lost.
    pub(super) fn number_of(number: TransactionNumber) -> i64 {
        i64::try_from(number.get()).unwrap_or(i64::MAX)
    }

    /// Whether it names an event that neither a transaction nor a line of a statement caused.
    pub const fn is_of_no_cause(&self) -> bool {
        self.sequence == 0 && self.currency.is_none()
    }

    /// The column of the currency: empty where there is none.
    pub fn currency_code(&self) -> &'static str {
        self.currency.map_or("", Currency::code)
    }

    /// Reads [`Self::currency_code`] back.
    pub(super) fn currency_of(code: &str) -> Result<Option<Currency>, RecordError> {
        if code.is_empty() {
            return Ok(None);
        }
        let currency = Currency::from_code(code).ok_or(RecordError::Value("currency"))?;
        Ok(Some(currency))
    }

    /// The name, where it is of a moment.
    pub fn id(self, at: Timestamp) -> Option<WebhookEventId> {
        let Self {
            number,
            sequence,
            currency,
        } = self;
        match (currency, sequence) {
            (Some(currency), 0) => {
                let position = u64::try_from(number).ok()?;
                Some(WebhookEventId::of_place((currency, position), at))
            }
            (Some(_), _) => None,
            (None, 0) => WebhookEventId::parse(&format!("evt_{number}")),
            (None, _) => WebhookEventId::parse(&format!("evt_{number}_{sequence}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const AT: Timestamp = Timestamp::from_millis(1_795_296_019_893);

    #[test]
    fn a_line_has_its_place_for_a_number_whatever_else_has_it() {
        let most = u64::try_from(i64::MAX).unwrap();
        for position in [1, 2, 3, 1000, most] {
            for currency in Currency::ALL {
                let name = WebhookEventId::of_place((currency, position), AT);
                let key = EventKey::of(&name).unwrap();
                assert_eq!(u64::try_from(key.number).unwrap(), position);
                assert_eq!((key.sequence, key.currency), (0, Some(currency)));
                assert_eq!(key.id(AT), Some(name));
                assert_eq!(
                    EventKey::currency_of(key.currency_code()).unwrap(),
                    key.currency
                );
            }
        }
        let too_far = WebhookEventId::of_place((Currency::Ngn, most + 1), AT);
        assert_eq!(EventKey::of(&too_far), None);
        assert!(EventKey::currency_of("USD").is_err());
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
            let keys = ids.clone().map(|id| EventKey::of(&id).unwrap());
            prop_assert_eq!(keys.map(|key| key.id(AT).unwrap()), ids);
            let distinct: std::collections::HashSet<_> = keys.into_iter().collect();
            prop_assert_eq!(distinct.len(), 4);
        }
    }
}
