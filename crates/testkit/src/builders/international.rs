//! Transfers abroad and their quotes, for tests.

use super::{START, naira};
use crate::builders::PurchaseBuilder;
use domain::bank::charges::Charges;
use domain::country::CountryCode;
use domain::fees::FeeQuote;
use domain::international::{
    AmountAsked, Beneficiary, BeneficiaryAccount, BeneficiaryName, Bic, Corridor,
    DestinationAmount, DestinationCurrency, ExchangeRate, ForeignAccountNumber, Iban,
    InternationalOrder, InternationalQuote, PostalAddress, ProviderQuote, ProviderQuoteId,
    QuoteRequest, TransferPurpose,
};
use domain::order::{Order, Service};
use domain::percent::Percent;
use domain::pricing::{Terms, quote, quote_payout};
use domain::provider::ProviderId;
use domain::quote_identifier::QuoteIdentifier;
use std::time::Duration;

/// 100,000.00 naira sent to Ghana as 850.00 cedis for 101,612.50, ordered like
/// [`airtime`](super::airtime).
pub fn international() -> PurchaseBuilder {
    let offer = provider_quote();
    let order = InternationalOrder {
        quoted_by: offer.provider,
        quote: offer.id,
        quote_ends: START.plus(offer.lasts),
        country: ghana(),
        source: offer.source,
        destination: offer.destination,
        rate: offer.rate,
        beneficiary: beneficiary("1441000126789"),
        purpose: TransferPurpose::Education,
    };
    PurchaseBuilder::of_product(Order::International(order)).charged(charges())
}

/// The same to an account that is named by its IBAN.
pub fn international_to_iban() -> PurchaseBuilder {
    let Order::International(order) = international().order() else {
        panic!("a transfer abroad");
    };
    let iban = Iban::parse("DE89370400440532013000").expect("an IBAN");
    let order = InternationalOrder {
        country: CountryCode::parse("276").expect("a country"),
        beneficiary: Beneficiary {
            account: BeneficiaryAccount::Iban(iban),
            ..order.beneficiary
        },
        ..order
    };
    PurchaseBuilder::of_product(Order::International(order)).charged(charges())
}

/// What a provider answers to the question for 100,000.00 naira in cedis.
pub fn provider_quote() -> ProviderQuote {
    ProviderQuote {
        provider: ProviderId::parse("sandbox").expect("an identity"),
        id: ProviderQuoteId::parse("q-1001").expect("the name of a quote"),
        rate: ExchangeRate::parse("0.0085").expect("a rate"),
        source: naira("100,000.00"),
        destination: cedis("850.00"),
        lasts: Duration::from_mins(30),
        arrives_in: Duration::from_hours(24),
    }
}

/// What that provider answers to any question, at the same rate; `None` where nothing would arrive.
pub fn provider_quote_of(asked: &QuoteRequest) -> Option<ProviderQuote> {
    let quote = provider_quote();
    let (source, destination) = match asked.amount {
        AmountAsked::Source(source) => (source, quote.rate.buys(source, asked.currency)?),
        AmountAsked::Destination(destination) => {
            let currency = quote.source.currency();
            (quote.rate.costs(destination, currency)?, destination)
        }
    };
    Some(ProviderQuote {
        source,
        destination,
        ..quote
    })
}

/// The same as a merchant is given it.
pub fn international_quote() -> (QuoteIdentifier, InternationalQuote) {
    let offer = provider_quote();
    let rule = "catalogue:international.288".to_owned();
    let price = quote_payout(offer.source, &charges(), rule).expect("a price");
    let quote = InternationalQuote {
        country: ghana(),
        price,
        expires_at: START.plus(Duration::from_mins(29)),
        arrives_at: START.plus(offer.arrives_in),
        offer,
    };
    let identifier = QuoteIdentifier::parse("qte_AAAACHNhbmRib3gx").expect("an identifier");
    (identifier, quote)
}

/// What 1,000.00 of MTN costs at 3 %.
pub fn fee_quote() -> (QuoteIdentifier, FeeQuote) {
    let terms = Terms {
        commission: Percent::parse("3").expect("a percentage"),
        discount: Percent::parse("4").expect("a percentage"),
        fee: naira("0.00"),
    };
    let rule = "catalogue:airtime.mtn".to_owned();
    let price = quote(naira("1,000.00"), &terms, rule).expect("a price");
    let quote = FeeQuote {
        service: Service::Airtime,
        price,
        expires_at: START.plus(Duration::from_mins(15)),
    };
    let identifier = QuoteIdentifier::parse("qte_AAAAB2FpcnRpbWU").expect("an identifier");
    (identifier, quote)
}

/// Transfers to Ghana in cedis, at 1 % and 500.00.
pub fn corridor() -> Corridor {
    Corridor {
        country: ghana(),
        currency: cedis("1.00").currency(),
        minimum: naira("1,000.00"),
        maximum: naira("5,000,000.00"),
        share: Percent::parse("1").expect("a percentage"),
        fee: naira("500.00"),
        available: true,
    }
}

/// Who has an account at a bank of Ghana.
pub fn beneficiary(account: &str) -> Beneficiary {
    let bank = Bic::parse("GCBLGHAC").expect("a BIC");
    let number = ForeignAccountNumber::parse(account).expect("the number of an account");
    Beneficiary {
        name: BeneficiaryName::parse("Ama Mensah").expect("a name"),
        account: BeneficiaryAccount::AtBank(bank, number),
        address: PostalAddress::parse("12 High Street, Accra").expect("an address"),
    }
}

/// An amount in cedis.
pub fn cedis(text: &str) -> DestinationAmount {
    let currency = DestinationCurrency::from_code("GHS").expect("a currency");
    let amount = DestinationAmount::parse(text, currency).expect("an amount");
    amount.expect("an amount above zero")
}

fn ghana() -> CountryCode {
    CountryCode::parse("288").expect("a country")
}

fn charges() -> Charges {
    Charges {
        charge: naira("1,500.00"),
        vat: naira("112.50"),
        levy: naira("0.00"),
    }
}
