//! `manilla review resolve`: a ruling. It must name who decided and on what evidence, and must
//! never make up what was delivered.

use anyhow::{Context as _, anyhow};
use application::review::RulingRefused;
use clap::{Args, ValueEnum};
use domain::account::AccountId;
use domain::billing::Billing;
use domain::electricity::{ElectricityOrder, Token, TokenNumber, Vend, breakdown};
use domain::money::Money;
use domain::order::Order;
use domain::provider::Fulfilment;
use domain::reference::MerchantReference;
use domain::transaction::{Ruling, Status, Transaction, Verdict};
use serde::Serialize;

use crate::commands::{identity, naira, naira_above_zero};
use crate::compose::{Desk, Folder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla review resolve --identity shop_1 --reference order-7 --verdict not-delivered \\
    --by ada --evidence 'provider letter 2026-14'
  manilla review resolve --identity shop_1 --reference order-8 --verdict delivered \\
    --by ada --confirmed-by chidi --evidence 'settlement file 12 May' \\
    --receipt R-99120 --token 1234-5678-9012-3456-7890")]
pub(crate) struct Options {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    #[arg(long, help = "mrcReference of the payment")]
    reference: String,
    /// What is held to be true
    #[arg(long, value_enum)]
    verdict: Word,
    /// Who decides
    #[arg(long, value_name = "NAME")]
    by: String,
    #[arg(
        long,
        value_name = "NAME",
        help = "Who confirms; needed above the amount review.dual_control_above"
    )]
    confirmed_by: Option<String>,
    /// What the decision rests on
    #[arg(long)]
    evidence: String,
    #[command(flatten)]
    vend: VendOptions,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

/// What an electricity company says it handed over.
#[derive(Debug, Args)]
struct VendOptions {
    /// Electricity: the company's receipt number
    #[arg(long)]
    receipt: Option<String>,
    /// Prepaid electricity: the 20 digits of the token
    #[arg(long)]
    token: Option<String>,
    /// Prepaid electricity: kilowatt-hours [default: from the amount and the meter's tariff]
    #[arg(long)]
    units: Option<String>,
    /// Electricity: debt recovered from the amount, in naira
    #[arg(long, default_value = "0.00", value_name = "AMOUNT")]
    recovered: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Word {
    Delivered,
    NotDelivered,
}

#[derive(Serialize)]
struct Resolved<'a> {
    #[serde(rename = "mrcIdentity")]
    identity: &'a str,
    #[serde(rename = "mrcReference")]
    reference: &'a str,
    #[serde(rename = "txnStatus")]
    status: &'static str,
}

pub(super) async fn run(options: &Options, config: &Config) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let reference = MerchantReference::parse(&options.reference)
        .map_err(|error| Failure::flag("--reference", error))?;
    let desk = Desk::open(config, Folder::MustExist).await?;
    let resolved = resolve(&desk, (&account, &reference), options).await;
    desk.close().await;
    let resolved = resolved?;
    let status = status_word(resolved.status());
    if options.json {
        return Ok(output::json(&Resolved {
            identity: account.as_str(),
            reference: reference.as_str(),
            status,
        })?);
    }
    Ok(output::line(format!("{account} {reference} is {status}."))?)
}

/// The word of the interface (`txnStatus`).
const fn status_word(status: Status) -> &'static str {
    match status {
        Status::Pending => "Pending",
        Status::Successful => "Successful",
        Status::Failed => "Failed",
        Status::Reversed => "Reversed",
    }
}

async fn resolve(
    desk: &Desk,
    (account, reference): (&AccountId, &MerchantReference),
    options: &Options,
) -> Result<Transaction, Failure> {
    let stored = desk.gateway.under_reference(account, reference).await?;
    let stored = stored.ok_or(RulingRefused::Unknown)?;
    let verdict = match options.verdict {
        Word::NotDelivered => Verdict::NotDelivered,
        Word::Delivered => Verdict::Delivered(fulfilment(&stored.order, &options.vend)?),
    };
    let ruling = Ruling {
        verdict,
        by: options.by.trim().to_owned(),
        confirmed_by: options.confirmed_by.clone(),
        evidence: options.evidence.trim().to_owned(),
    };
    desk.gateway
        .rule(account, reference, ruling)
        .await
        .map_err(|refused| match refused {
            RulingRefused::SecondPersonNeeded => Failure::from(
                anyhow!(refused)
                    .context("nothing was changed; name a second person with --confirmed-by"),
            ),
            RulingRefused::Unknown
            | RulingRefused::NotInReview
            | RulingRefused::Unfounded
            | RulingRefused::Incomplete
            | RulingRefused::Store(_) => {
                Failure::from(anyhow!(refused).context("nothing was changed"))
            }
        })
}

/// What was handed over, as the order and the flags say.
fn fulfilment(order: &Order, options: &VendOptions) -> Result<Fulfilment, Failure> {
    match order {
        Order::Airtime(_) => {
            let foreign = options.receipt.as_ref().or(options.token.as_ref());
            match foreign.or(options.units.as_ref()) {
                None => Ok(Fulfilment::Airtime),
                Some(_) => Err(Failure::usage(anyhow!(
                    "--receipt, --token and --units belong to electricity; this payment is airtime"
                ))),
            }
        }
        Order::Electricity(order) => vend(order, options).map(Fulfilment::Electricity),
    }
}

fn vend(order: &ElectricityOrder, options: &VendOptions) -> Result<Vend, Failure> {
    let meter = &order.meter;
    let receipt = options.receipt.as_deref().map(str::trim);
    let receipt = receipt.filter(|text| !text.is_empty());
    let receipt =
        receipt.ok_or_else(|| Failure::flag("--receipt", "must name the company's receipt"))?;
    let recovered = naira("--recovered", &options.recovered)?;
    let outstanding = meter
        .debt
        .checked_sub(recovered)
        .filter(|left| left.minor() >= 0)
        .ok_or_else(|| Failure::flag("--recovered", "must not be more than the debt"))?;
    let token = match meter.billing {
        Billing::Prepaid => Some(token(order, options, recovered)?),
        Billing::Postpaid => None,
    };
    Ok(Vend {
        receipt: receipt.to_owned(),
        debt: meter.debt,
        outstanding,
        last_purchase: meter.last_purchase,
        last_paid: meter.last_paid,
        token,
    })
}

fn token(
    order: &ElectricityOrder,
    options: &VendOptions,
    recovered: Money,
) -> Result<Token, Failure> {
    let Some(number) = &options.token else {
        return Err(Failure::flag(
            "--token",
            "must hold the token: a prepaid meter is served only with one",
        ));
    };
    let number = TokenNumber::parse(number).map_err(|error| Failure::flag("--token", error))?;
    let parts = breakdown(order.amount, recovered, order.meter.tariff.rate)
        .context("the amount cannot be divided: --recovered must not be more than the amount")
        .map_err(Failure::usage)?;
    let units = match &options.units {
        None => parts.units,
        // Kilowatt-hours are written as money is: two decimals, perhaps grouped.
        Some(text) => naira_above_zero("--units", text)?
            .to_string()
            .replace(',', "")
            .parse()?,
    };
    Ok(Token {
        number,
        cost: parts.cost,
        units,
    })
}

#[cfg(test)]
mod tests {
    use domain::airtime::AirtimeOrder;
    use domain::country::CountryCode;
    use domain::electricity::{DiscoCode, Meter, MeterNumber, Tariff};
    use domain::money::Currency;
    use domain::phone::PhoneNumber;

    use super::*;

    fn money(text: &str) -> Money {
        Money::parse(text, Currency::Ngn).unwrap()
    }

    fn electricity(billing: Billing) -> Order {
        Order::Electricity(ElectricityOrder {
            meter: Meter {
                disco: DiscoCode::parse("101").unwrap(),
                brandname: "Disco".into(),
                number: MeterNumber::parse("04123456789").unwrap(),
                owner: "Ada".into(),
                address: "Street".into(),
                billing,
                debt: money("500.00"),
                minimum: money("100.00"),
                maximum: money("100000.00"),
                last_purchase: None,
                last_paid: None,
                tariff: Tariff {
                    band: "A".into(),
                    rate: "209.50".parse().unwrap(),
                },
            },
            amount: money("10750.00"),
        })
    }

    fn options(receipt: Option<&str>, token: Option<&str>) -> VendOptions {
        VendOptions {
            receipt: receipt.map(str::to_owned),
            token: token.map(str::to_owned),
            units: None,
            recovered: "0.00".into(),
        }
    }

    fn usage(result: Result<Fulfilment, Failure>) -> String {
        let failure = result.unwrap_err();
        assert!(matches!(failure, Failure::Usage(_)));
        failure.message().unwrap()
    }

    const TOKEN: &str = "1234-5678-9012-3456-7890";

    #[test]
    fn a_prepaid_delivery_needs_receipt_and_token_and_its_units_follow_from_the_tariff() {
        let order = electricity(Billing::Prepaid);
        let Fulfilment::Electricity(vend) =
            fulfilment(&order, &options(Some("R-1"), Some(TOKEN))).unwrap()
        else {
            panic!("not electricity");
        };
        let token = vend.token.unwrap();
        assert_eq!(token.cost, money("10000.00"));
        assert_eq!(token.units.to_string(), "47.73");
        assert_eq!(vend.outstanding, money("500.00"));

        assert!(usage(fulfilment(&order, &options(None, Some(TOKEN)))).contains("--receipt"));
        assert!(usage(fulfilment(&order, &options(Some("R-1"), None))).contains("--token"));
        assert!(usage(fulfilment(&order, &options(Some("R-1"), Some("123")))).contains("--token"));
    }

    #[test]
    fn units_and_recovered_debt_may_be_told() {
        let told = VendOptions {
            units: Some("1,050.5".into()),
            recovered: "500".into(),
            ..options(Some("R-1"), Some(TOKEN))
        };
        let found = fulfilment(&electricity(Billing::Prepaid), &told).unwrap();
        let Fulfilment::Electricity(vend) = found else {
            panic!("not electricity");
        };
        assert_eq!(vend.token.unwrap().units.to_string(), "1050.50");
        assert_eq!(vend.outstanding, money("0.00"));

        let more = VendOptions {
            recovered: "500.01".into(),
            ..told
        };
        assert!(usage(fulfilment(&electricity(Billing::Prepaid), &more)).contains("--recovered"));
    }

    #[test]
    fn a_postpaid_delivery_needs_no_token() {
        let found = fulfilment(&electricity(Billing::Postpaid), &options(Some("R-1"), None));
        assert!(matches!(
            found,
            Ok(Fulfilment::Electricity(Vend { token: None, .. }))
        ));
    }

    #[test]
    fn airtime_takes_nothing_of_electricity() {
        let order = Order::Airtime(AirtimeOrder {
            country: CountryCode::NIGERIA,
            number: PhoneNumber::parse("2348031234567").unwrap(),
            billing: Billing::Prepaid,
            network_code: "mtn".into(),
            network_brandname: "MTN".into(),
            amount: money("100.00"),
        });
        assert_eq!(
            fulfilment(&order, &options(None, None)).unwrap(),
            Fulfilment::Airtime
        );
        assert!(usage(fulfilment(&order, &options(Some("R-1"), None))).contains("airtime"));
    }
}
