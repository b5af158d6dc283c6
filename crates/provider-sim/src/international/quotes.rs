//! What the sandbox converts at. It must not need the journal: the same question in the same moment
//! has the same answer in every process.

use crate::simulator::Simulator;
use async_trait::async_trait;
use domain::international::{AmountAsked, ProviderQuote, ProviderQuoteId, QuoteRequest};
use domain::money::Currency;
use ports::exchange::ExchangeQuotes;
use ports::provider::{LookupFailure, Provider as _};
use std::time::Duration;

/// How long a quote of the sandbox lasts.
const LASTS: Duration = Duration::from_mins(30);

/// How long money of the sandbox is said to be on its way.
const ARRIVES_IN: Duration = Duration::from_hours(24);

#[async_trait]
impl ExchangeQuotes for Simulator {
    async fn exchange_quote(&self, asked: &QuoteRequest) -> Result<ProviderQuote, LookupFailure> {
        let QuoteRequest {
            country,
            currency,
            amount,
        } = *asked;
        let name = format!("{country}-{}", currency.code());
        self.reach("quote", &name).await?;
        let rate = self.catalogue.corridors.rate(country, currency);
        let rate = rate.ok_or(LookupFailure::Unknown)?;
        let sides = match amount {
            AmountAsked::Source(source) => rate.buys(source, currency).map(|it| (source, it)),
            AmountAsked::Destination(destination) => {
                let source = rate.costs(destination, Currency::Ngn);
                source.map(|source| (source, destination))
            }
        };
        let (source, destination) = sides.ok_or(LookupFailure::Unknown)?;
        let now = self.clock.now();
        let id = format!(
            "{name}-{}-{}",
            source.minor(),
            now.as_millis().div_euclid(1_000)
        );
        Ok(ProviderQuote {
            provider: self.id().clone(),
            id: ProviderQuoteId::parse(&id).map_err(|_| LookupFailure::Unusable)?,
            rate,
            source,
            destination,
            lasts: LASTS,
            arrives_in: ARRIVES_IN,
        })
    }
}
