//! What products cost, as quotes that are honoured. An order that names one is charged its price or
//! is refused: it must never be charged another one.

use crate::gateway::{Gateway, Merchant};
use crate::payment::PricedOrder;
use crate::price_overrides::product_of_rule;
use crate::request_error::{QuoteRefusal, RequestError};
use crate::sealed_quotes::{QuoteScope, QuoteSealer, is_honoured};
use domain::account::AccountId;
use domain::country::CountryCode;
use domain::fees::{FeeQuote, FeeRequest, PayoutService};
use domain::money::{Currency, Money};
use domain::order::Service;
use domain::pricing::{self, Quote, Terms};
use domain::quote_identifier::QuoteIdentifier;
use domain::time::Timestamp;
use std::time::Duration;

/// How long a price is honoured: long enough to show it to a customer who decides, and short enough
/// that a change of terms is in force soon.
pub const FEES_QUOTE_LASTS: Duration = Duration::from_mins(15);

/// What distinguishes its quotes from others.
const KIND: &str = "fees";

/// A quote of fees with the text that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedFees {
    /// The text.
    pub identifier: QuoteIdentifier,
    /// The quote.
    pub quote: FeeQuote,
}

impl Gateway {
    /// What a product costs the account now, and for a while.
    ///
    /// # Errors
    /// When it is not sold here, or its amount is not within limits that are the same for every
    /// customer.
    pub fn quote_fees(
        &self,
        merchant: &Merchant,
        asked: &FeeRequest,
    ) -> Result<SealedFees, RequestError> {
        let quote = FeeQuote {
            service: asked.service(),
            price: self.fees(merchant, asked)?,
            expires_at: self.now().plus(FEES_QUOTE_LASTS).whole_second(),
        };
        let sealer = QuoteSealer::new(&self.parts().pepper);
        let identifier = sealer.seal(scope(&merchant.account.id), &fields(&quote));
        let identifier = identifier.ok_or(RequestError::Unpriceable)?;
        Ok(SealedFees { identifier, quote })
    }

    /// An order at the price of the quote that it names, where it names one.
    pub(crate) fn at_quoted_price(
        &self,
        account: &AccountId,
        quote: Option<&QuoteIdentifier>,
        priced: PricedOrder,
    ) -> Result<PricedOrder, RequestError> {
        let Some(quote) = quote else {
            return Ok(priced);
        };
        let sealer = QuoteSealer::new(&self.parts().pepper);
        let read = sealer.open(scope(account), quote);
        let quoted = read.and_then(|read| QuotedFees::read(&read));
        let quoted = quoted.ok_or(QuoteRefusal::Unknown)?;
        if !is_honoured(quoted.expires_at, self.now(), FEES_QUOTE_LASTS) {
            return Err(QuoteRefusal::Expired.into());
        }
        if !quoted.is_of(&priced) {
            return Err(QuoteRefusal::OfAnother.into());
        }
        // What the provider takes is as it is now: it is no part of what was promised.
        let cost = priced.quote.cost;
        let quote = Quote {
            cost,
            ..quoted.price
        };
        Ok(PricedOrder { quote, ..priced })
    }

    fn fees(&self, merchant: &Merchant, asked: &FeeRequest) -> Result<Quote, RequestError> {
        let account = &merchant.account.id;
        let catalogue = self.catalogue();
        let service = asked.service();
        let unknown = || RequestError::ProviderUnknown(service);
        let (amount, (terms, rule)) = match asked {
            FeeRequest::Airtime(country, network, amount) => {
                let network = catalogue.network(*country, network);
                let network = network.ok_or(RequestError::NetworkNotServed)?;
                let limits = (network.minimum, network.maximum);
                RequestError::unless_within(limits, *amount, service)?;
                (*amount, self.airtime_terms(account, network))
            }
            FeeRequest::CableTv(provider, amount) => {
                let provider = catalogue.cable_provider(provider).ok_or_else(unknown)?;
                (*amount, self.cable_terms(account, provider))
            }
            FeeRequest::Electricity(disco, billing, amount) => {
                let disco = catalogue.disco(disco).ok_or_else(unknown)?;
                (*amount, self.disco_terms(account, disco, *billing))
            }
            FeeRequest::Internet(plan) => {
                let known = catalogue.data_plan(plan);
                let (provider, plan) =
                    known.ok_or_else(|| self.not_sold(merchant, (service, plan)))?;
                (plan.amount, self.data_terms(account, provider))
            }
            FeeRequest::Sms(country, parts) => {
                let rate = catalogue.message(*country, merchant.account.message_currency);
                let rate = rate.ok_or(RequestError::CountryNotServed(*country))?;
                let amount = rate.of(*parts).ok_or(RequestError::Unpriceable)?;
                (amount, self.message_terms(account, *country, rate.terms))
            }
            FeeRequest::Bill(category, biller, amount) => {
                let biller = self.known_biller(*category, biller)?;
                let limits = (biller.minimum, biller.maximum);
                RequestError::unless_within(limits, *amount, service)?;
                (*amount, self.bill_terms(account, biller))
            }
            FeeRequest::Payout(to, amount) => {
                self.within_payouts(*to, *amount)?;
                return self.quote_payout(*amount);
            }
        };
        priced(amount, &terms, rule)
    }
}

impl Gateway {
    /// Refuses an amount that no payout of the kind may have; a wallet's limits are its operator's.
    fn within_payouts(&self, to: PayoutService, amount: Money) -> Result<(), RequestError> {
        let currency = amount.currency();
        let limits = match to {
            PayoutService::Bank => self.catalogue().payouts(CountryCode::NIGERIA, currency),
            PayoutService::Card => self.catalogue().card_transfers(currency),
            PayoutService::MobileMoney => return Ok(()),
        };
        let unavailable = RequestError::ProviderUnavailable(to.service());
        RequestError::unless_within(limits.ok_or(unavailable)?, amount, to.service())
    }
}

fn priced(amount: Money, terms: &Terms, rule: String) -> Result<Quote, RequestError> {
    pricing::quote(amount, terms, rule).map_err(|_| RequestError::Unpriceable)
}

const fn scope(account: &AccountId) -> QuoteScope<'_> {
    QuoteScope {
        account,
        kind: KIND,
    }
}

/// What distinguishes prices of a family, beside their amount. The charges on a payout are the same
/// for every payee, and their rule is named after its first day.
fn product(service: Service, rule: &str) -> &str {
    match service {
        Service::Bank | Service::MobileMoney | Service::Card => "",
        Service::Airtime
        | Service::CableTv
        | Service::Electricity
        | Service::Internet
        | Service::Sms
        | Service::Whatsapp
        | Service::Rcs
        | Service::Voice
        | Service::Ivr
        | Service::Hlr
        | Service::Lookup(_)
        | Service::International
        | Service::Wallet
        | Service::User
        | Service::Bill(_) => product_of_rule(rule),
    }
}

fn fields(quote: &FeeQuote) -> [String; 9] {
    let price = &quote.price;
    let minor = |money: Money| money.minor().to_string();
    [
        quote.service.code().to_owned(),
        minor(price.amount),
        minor(price.commission),
        minor(price.fee),
        minor(price.vat),
        minor(price.levy),
        price.price.currency().code().to_owned(),
        price.rule.clone(),
        quote.expires_at.as_millis().to_string(),
    ]
}

/// What a sealed quote says.
struct QuotedFees {
    service: String,
    price: Quote,
    expires_at: Timestamp,
}

impl QuotedFees {
    /// The quote of the fields that [`fields`] wrote; `None` where an older or newer gateway wrote
    /// others, or its sum is none.
    fn read(fields: &[String]) -> Option<Self> {
        let [
            service,
            amount,
            commission,
            fee,
            vat,
            levy,
            currency,
            rule,
            expires,
        ] = fields
        else {
            return None;
        };
        let currency = Currency::from_code(currency)?;
        let money = |minor: &str| Some(Money::from_minor(minor.parse().ok()?, currency));
        let (amount, commission) = (money(amount)?, money(commission)?);
        let (fee, vat, levy) = (money(fee)?, money(vat)?, money(levy)?);
        let on_top = [fee, vat, levy];
        let price = on_top
            .into_iter()
            .try_fold(amount.checked_sub(commission)?, Money::checked_add)?;
        Some(Self {
            service: service.clone(),
            price: Quote {
                amount,
                commission,
                fee,
                vat,
                levy,
                price,
                cost: amount,
                rule: rule.clone(),
            },
            expires_at: Timestamp::from_millis(expires.parse().ok()?),
        })
    }

    /// Whether it was made for this product and this amount.
    fn is_of(&self, priced: &PricedOrder) -> bool {
        let service = priced.order.service();
        self.service == service.code()
            && self.price.amount == priced.quote.amount
            && product(service, &self.price.rule) == product(service, &priced.quote.rule)
    }
}
