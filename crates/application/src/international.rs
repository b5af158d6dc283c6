//! Transfers abroad. A provider's quote is frozen and sealed before any money is held, and a
//! transfer goes by it at that price or is refused: it must never be sent dearer.

use crate::fingerprint::Fingerprinted;
use crate::gateway::{Gateway, Merchant};
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::{QuoteRefusal, RequestError};
use crate::routes::{RouteDraw, RouteQuery};
use crate::sealed_quotes::{QuoteScope, QuoteSealer, is_honoured};
use domain::bank::charges::Charges;
use domain::country::CountryCode;
use domain::international::{
    Corridor, DestinationAmount, DestinationCurrency, ExchangeRate, InternationalOrder,
    InternationalQuote, InternationalTransfer, ProviderQuote, ProviderQuoteId, QuoteRequest,
};
use domain::money::{Currency, Money};
use domain::order::{Order, Service};
use domain::pricing;
use domain::provider::ProviderId;
use domain::quote_identifier::QuoteIdentifier;
use domain::reference::MerchantReference;
use domain::time::Timestamp;
use ports::provider::LookupFailure;
use std::time::Duration;

/// How much sooner than the provider the gateway honours a quote no more: longer than opening and
/// sending an order take. No attempt begins after the provider's end, so a second one may be too
/// late.
pub const QUOTE_MARGIN: Duration = Duration::from_mins(1);

/// How long a quote is honoured at most, however long its provider keeps it: the fees beside the
/// rate are the gateway's own, and may change.
pub const QUOTE_LASTS_MAX: Duration = Duration::from_mins(30);

/// What distinguishes its quotes from others.
const KIND: &str = "international";

/// A quote with the text that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedQuote {
    /// The text.
    pub identifier: QuoteIdentifier,
    /// The quote.
    pub quote: InternationalQuote,
}

impl Gateway {
    /// What a transfer abroad costs and what arrives.
    ///
    /// # Errors
    /// When nothing is sent there, the amount is not within the limits, or the provider gives no
    /// quote.
    pub async fn quote_international(
        &self,
        merchant: &Merchant,
        asked: &QuoteRequest,
    ) -> Result<SealedQuote, RequestError> {
        let corridor = self.corridor(asked.country, asked.currency)?;
        let source = asked.amount.source();
        self.unless_closed(corridor, merchant, source)?;
        if let Some(source) = source {
            within(corridor, source)?;
        }
        // The provider keeps its quote from its answer on, which is later.
        let since = self.now();
        let quotes = &self.lookups(merchant).exchange_quotes;
        let currency = merchant.account.currency;
        let is_asked_for =
            |quote: &ProviderQuote| quote.answers(asked) && quote.source.currency() == currency;
        let found = self.looked_up(quotes.exchange_quote(asked), is_asked_for);
        let failed = |failure| RequestError::Lookup(Service::International, failure);
        let offer = found.await.map_err(failed)?;
        within(corridor, offer.source)?;
        // What is to arrive was asked of the first provider; another may be given this amount.
        if !self.leads_to(corridor, merchant, &offer) {
            return Err(RequestError::ProviderUnavailable(Service::International));
        }
        let lasts = offer.lasts.checked_sub(QUOTE_MARGIN);
        let lasts = lasts.filter(|lasts| !lasts.is_zero());
        let lasts = lasts.ok_or_else(|| failed(LookupFailure::Unusable))?;
        let price = self.price_international(corridor, offer.source)?;
        let quote = InternationalQuote {
            country: asked.country,
            expires_at: since.plus(lasts.min(QUOTE_LASTS_MAX)).whole_second(),
            arrives_at: since.plus(offer.arrives_in),
            offer,
            price,
        };
        let identifier = self.sealed(merchant, &quote);
        let identifier = identifier.ok_or_else(|| failed(LookupFailure::Unusable))?;
        Ok(SealedQuote { identifier, quote })
    }

    /// Pays to an account abroad by a quote.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn pay_international(
        &self,
        merchant: &Merchant,
        purchase: Purchase<InternationalTransfer>,
    ) -> Result<PaymentResult, RequestError> {
        let asked = async { self.prepare_international(merchant, &purchase.command) };
        self.pay_once(merchant, &purchase, asked).await
    }

    fn prepare_international(
        &self,
        merchant: &Merchant,
        transfer: &InternationalTransfer,
    ) -> Result<PricedOrder, RequestError> {
        let quoted = self.quoted(merchant, &transfer.quote)?;
        if !transfer.beneficiary.account.is_of(quoted.country) {
            return Err(RequestError::BeneficiaryElsewhere {
                country: quoted.country,
                has_iban: transfer.beneficiary.account.bank().is_none(),
            });
        }
        // Where nothing is sent any more, no quote is honoured.
        let corridor = self.corridor(quoted.country, quoted.destination.currency());
        let corridor = corridor.map_err(|_| QuoteRefusal::Expired)?;
        self.unless_closed(corridor, merchant, Some(quoted.source))?;
        let quote = pricing::quote_payout(quoted.source, &quoted.charges, quoted.rule);
        let order = InternationalOrder {
            quoted_by: quoted.provider,
            quote: quoted.id,
            quote_ends: quoted.expires_at.plus(QUOTE_MARGIN),
            country: quoted.country,
            source: quoted.source,
            destination: quoted.destination,
            rate: quoted.rate,
            beneficiary: transfer.beneficiary.clone(),
            purpose: transfer.purpose,
        };
        Ok(PricedOrder {
            order: Order::International(order),
            quote: quote.map_err(|_| RequestError::Unpriceable)?,
        })
    }

    /// Where money goes, by country and currency.
    fn corridor(
        &self,
        country: CountryCode,
        currency: DestinationCurrency,
    ) -> Result<&Corridor, RequestError> {
        let there = || {
            self.catalogue()
                .corridors()
                .iter()
                .filter(move |it| it.country == country)
        };
        let found = there().find(|it| it.currency == currency);
        found.ok_or_else(|| {
            let currencies: Vec<_> = there().map(|it| it.currency).collect();
            if currencies.is_empty() {
                RequestError::CountryNotServed(country)
            } else {
                RequestError::CurrencyNotServed(currencies)
            }
        })
    }

    /// Refuses a corridor that nothing is sent through now.
    fn unless_closed(
        &self,
        corridor: &Corridor,
        merchant: &Merchant,
        source: Option<Money>,
    ) -> Result<(), RequestError> {
        let query = route_query(corridor, merchant, source);
        if corridor.available && self.providers().deliver(&query) {
            Ok(())
        } else {
            Err(RequestError::ProviderUnavailable(Service::International))
        }
    }

    /// Whether a route leads to the provider of a quote for the amount that it converts.
    fn leads_to(&self, corridor: &Corridor, merchant: &Merchant, offer: &ProviderQuote) -> bool {
        let query = route_query(corridor, merchant, Some(offer.source));
        let candidates = self.providers().candidates(&query, RouteDraw::FIRST);
        let mut providers = candidates.iter().map(|it| &it.decision.provider);
        providers.any(|provider| *provider == offer.provider)
    }

    fn price_international(
        &self,
        corridor: &Corridor,
        source: Money,
    ) -> Result<pricing::Quote, RequestError> {
        let charges = || {
            let share = corridor.share.of(source)?;
            let charge = share.checked_add(corridor.fee)?;
            let vat = self.parts().charges.vat(self.now())?.of(charge)?;
            Some(Charges {
                charge,
                vat,
                levy: Money::zero(source.currency()),
            })
        };
        let charges = charges().ok_or(RequestError::Unpriceable)?;
        let (country, currency) = (corridor.country, corridor.currency.code());
        let rule = format!("catalogue:international.{country}.{currency}");
        let quote = pricing::quote_payout(source, &charges, rule);
        quote.map_err(|_| RequestError::Unpriceable)
    }

    fn sealed(&self, merchant: &Merchant, quote: &InternationalQuote) -> Option<QuoteIdentifier> {
        let InternationalQuote {
            country,
            offer,
            price,
            expires_at,
            arrives_at: _,
        } = quote;
        let minor = |money: Money| money.minor().to_string();
        let fields = [
            offer.provider.as_str().to_owned(),
            offer.id.as_str().to_owned(),
            country.to_string(),
            minor(offer.source),
            offer.source.currency().code().to_owned(),
            offer.destination.minor().to_string(),
            offer.destination.currency().code().to_owned(),
            offer.rate.to_string(),
            minor(price.fee),
            minor(price.vat),
            price.rule.clone(),
            expires_at.as_millis().to_string(),
        ];
        QuoteSealer::new(&self.parts().pepper).seal(scope(merchant), &fields)
    }

    fn quoted(
        &self,
        merchant: &Merchant,
        quote: &QuoteIdentifier,
    ) -> Result<QuotedTransfer, RequestError> {
        let fields = QuoteSealer::new(&self.parts().pepper).open(scope(merchant), quote);
        let quoted = fields.and_then(|fields| QuotedTransfer::read(&fields));
        let quoted = quoted.ok_or(QuoteRefusal::Unknown)?;
        if is_honoured(quoted.expires_at, self.now(), QUOTE_LASTS_MAX) {
            Ok(quoted)
        } else {
            Err(QuoteRefusal::Expired.into())
        }
    }
}

fn scope(merchant: &Merchant) -> QuoteScope<'_> {
    QuoteScope {
        account: &merchant.account.id,
        kind: KIND,
    }
}

fn route_query(
    corridor: &Corridor,
    merchant: &Merchant,
    amount: Option<Money>,
) -> RouteQuery<'static> {
    RouteQuery {
        country: Some(corridor.country),
        amount,
        ..RouteQuery::of(Service::International, merchant.account.environment)
    }
}

fn within(corridor: &Corridor, source: Money) -> Result<(), RequestError> {
    let limits = (corridor.minimum, corridor.maximum);
    RequestError::unless_within(limits, source, Service::International)
}

/// What a sealed quote says.
struct QuotedTransfer {
    provider: ProviderId,
    id: ProviderQuoteId,
    country: CountryCode,
    source: Money,
    destination: DestinationAmount,
    rate: ExchangeRate,
    charges: Charges,
    rule: String,
    expires_at: Timestamp,
}

impl QuotedTransfer {
    /// The quote of the fields that [`Gateway::sealed`] wrote; `None` where an older or newer
    /// gateway wrote others.
    fn read(fields: &[String]) -> Option<Self> {
        let [
            provider,
            id,
            country,
            source,
            source_currency,
            arrives,
            currency,
            rate,
            fee,
            vat,
            rule,
            expires,
        ] = fields
        else {
            return None;
        };
        let source_currency = Currency::from_code(source_currency)?;
        let money = |minor: &str| Some(Money::from_minor(minor.parse().ok()?, source_currency));
        let currency = DestinationCurrency::from_code(currency)?;
        Some(Self {
            provider: ProviderId::parse(provider).ok()?,
            id: ProviderQuoteId::parse(id).ok()?,
            country: CountryCode::parse(country).ok()?,
            source: money(source)?,
            destination: DestinationAmount::from_minor(arrives.parse().ok()?, currency)?,
            rate: ExchangeRate::parse(rate).ok()?,
            charges: Charges {
                charge: money(fee)?,
                vat: money(vat)?,
                levy: Money::zero(source_currency),
            },
            rule: rule.clone(),
            expires_at: Timestamp::from_millis(expires.parse().ok()?),
        })
    }
}

impl Fingerprinted for InternationalTransfer {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            quote,
            beneficiary,
            purpose,
        } = self;
        let bank = beneficiary.account.bank();
        vec![
            "international".into(),
            reference.to_string(),
            quote.as_str().into(),
            beneficiary.name.as_str().into(),
            bank.map_or("iban", |bank| bank.as_str()).into(),
            beneficiary.account.number().into(),
            beneficiary.address.as_str().into(),
            purpose.code().into(),
        ]
    }
}
