//! What a transfer abroad will cost and what arrives, for as long as the provider keeps its word.

use super::{DestinationAmount, DestinationCurrency, ExchangeRate};
use crate::country::CountryCode;
use crate::money::Money;
use crate::percent::Percent;
use crate::pricing::Quote;
use crate::provider::ProviderId;
use crate::time::Timestamp;
use std::time::Duration;

/// A country and currency that transfers go to, and their terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corridor {
    /// The country.
    pub country: CountryCode,
    /// What arrives there.
    pub currency: DestinationCurrency,
    /// The smallest amount that is converted.
    pub minimum: Money,
    /// The largest amount that is converted.
    pub maximum: Money,
    /// What is charged of the amount, before tax.
    pub share: Percent,
    /// What is charged beside it, before tax.
    pub fee: Money,
    /// Whether money goes there at the moment.
    pub available: bool,
}

/// What the amount of a quote is given in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AmountAsked {
    /// What is converted.
    Source(Money),
    /// What arrives.
    Destination(DestinationAmount),
}

impl AmountAsked {
    /// What is converted, where that is what was asked for.
    pub const fn source(self) -> Option<Money> {
        match self {
            Self::Source(source) => Some(source),
            Self::Destination(_) => None,
        }
    }
}

/// What a quote is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuoteRequest {
    /// The country it goes to.
    pub country: CountryCode,
    /// What arrives there.
    pub currency: DestinationCurrency,
    /// How much.
    pub amount: AmountAsked,
}

/// What a provider calls its quote: 1 to [`Self::LENGTH_MAX`] visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProviderQuoteId(String);

/// The text cannot name a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be 1 to {} visible ASCII characters",
    ProviderQuoteId::LENGTH_MAX
)]
pub struct InvalidProviderQuoteId;

impl ProviderQuoteId {
    /// Most characters: longer than those of the providers there are.
    pub const LENGTH_MAX: usize = 128;

    /// Reads the name of a quote.
    ///
    /// # Errors
    /// Refuses other characters and lengths.
    pub fn parse(text: &str) -> Result<Self, InvalidProviderQuoteId> {
        let fits = (1..=Self::LENGTH_MAX).contains(&text.len());
        let is_visible = text.bytes().all(|b| b.is_ascii_graphic());
        (fits && is_visible)
            .then(|| Self(text.to_owned()))
            .ok_or(InvalidProviderQuoteId)
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The word of a provider: at which rate it converts, and until when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderQuote {
    /// Whose it is.
    pub provider: ProviderId,
    /// What the provider calls it.
    pub id: ProviderQuoteId,
    /// The rate.
    pub rate: ExchangeRate,
    /// What is converted.
    pub source: Money,
    /// What arrives.
    pub destination: DestinationAmount,
    /// How long the provider keeps it, from its answer on.
    pub lasts: Duration,
    /// How long after the order the money is expected to arrive.
    pub arrives_in: Duration,
}

impl ProviderQuote {
    /// Whether it answers a request, and its amounts are one another's at its rate.
    pub fn answers(&self, asked: &QuoteRequest) -> bool {
        let within_one = |a: i64, b: i64| a.abs_diff(b) <= 1;
        let (source, destination) = (self.source, self.destination);
        let agrees = match asked.amount {
            AmountAsked::Source(asked_for) => {
                let bought = self.rate.buys(source, destination.currency());
                let is_so = |it: DestinationAmount| within_one(it.minor(), destination.minor());
                source == asked_for && bought.is_some_and(is_so)
            }
            AmountAsked::Destination(asked_for) => {
                let cost = self.rate.costs(destination, source.currency());
                let is_so = |it: Money| within_one(it.minor(), source.minor());
                destination == asked_for && cost.is_some_and(is_so)
            }
        };
        agrees && destination.currency() == asked.currency
    }
}

/// A quote as a merchant is given it: the provider's word and the price under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InternationalQuote {
    /// The country it goes to.
    pub country: CountryCode,
    /// The provider's word.
    pub offer: ProviderQuote,
    /// What the balance is charged.
    pub price: Quote,
    /// The first moment at which it is honoured no more: before the provider's.
    pub expires_at: Timestamp,
    /// When the money is expected to arrive, if it is ordered now.
    pub arrives_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;

    fn offer() -> ProviderQuote {
        let cedi = DestinationCurrency::from_code("GHS").unwrap();
        ProviderQuote {
            provider: ProviderId::parse("sandbox").unwrap(),
            id: ProviderQuoteId::parse("q-1").unwrap(),
            rate: ExchangeRate::parse("0.0085").unwrap(),
            source: Money::from_minor(10_000_000, Currency::Ngn),
            destination: DestinationAmount::from_minor(85_000, cedi).unwrap(),
            lasts: Duration::from_mins(30),
            arrives_in: Duration::from_hours(24),
        }
    }

    #[test]
    fn a_quote_answers_what_was_asked_and_nothing_else() {
        let offer = offer();
        let asked = |amount| QuoteRequest {
            country: CountryCode::parse("288").unwrap(),
            currency: offer.destination.currency(),
            amount,
        };
        assert!(offer.answers(&asked(AmountAsked::Source(offer.source))));
        assert!(offer.answers(&asked(AmountAsked::Destination(offer.destination))));
        let more = Money::from_minor(10_000_100, Currency::Ngn);
        assert!(!offer.answers(&asked(AmountAsked::Source(more))));
        let dollars = QuoteRequest {
            currency: DestinationCurrency::from_code("USD").unwrap(),
            ..asked(AmountAsked::Source(offer.source))
        };
        assert!(!offer.answers(&dollars));
        let dear = ProviderQuote {
            rate: ExchangeRate::parse("0.0095").unwrap(),
            ..offer.clone()
        };
        assert!(!dear.answers(&asked(AmountAsked::Source(offer.source))));
    }

    #[test]
    fn what_cannot_name_a_quote_is_refused() {
        for text in ["", "a b", "é", &"a".repeat(129)] {
            assert_eq!(ProviderQuoteId::parse(text), Err(InvalidProviderQuoteId));
        }
    }
}
