//! `manilla review resolve`: a ruling. It must name who decided and on what evidence, and must
//! never make up what was delivered.

use anyhow::{Context as _, anyhow};
use application::operators::{Decision, fingerprint};
use application::review::RulingRefused;
use clap::{Args, ValueEnum};
use domain::account::AccountId;
use domain::bill::{BillOrder, BillReceipt};
use domain::billing::Billing;
use domain::electricity::{ElectricityOrder, Vend};
use domain::ivr::FlowRun;
use domain::money::Money;
use domain::operator::{self, Act};
use domain::order::Order;
use domain::provider::Fulfilment;
use domain::reference::MerchantReference;
use domain::token::{Token, TokenNumber, breakdown};
use domain::transaction::{Ruling, Status, Transaction, Verdict};
use rust_decimal::Decimal;
use serde::Serialize;

use super::vend::VendOptions;
use crate::commands::{above_zero, identity, line, naira, no_such_account};
use crate::compose::{AdminContext, DataFolder};
use crate::config::{Config, limit_is_everybodys};
use crate::failure::Failure;
use crate::operator::{not_signed, signer};
use crate::output;

/// Longest account of the evidence, in characters: it names a document, it is not one.
const EVIDENCE_MAX: usize = 500;

/// Longest receipt number, in characters; companies use some 20.
const RECEIPT_MAX: usize = 64;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla review resolve --identity shop_1 --reference order-7 --verdict not-delivered \\
    --evidence 'provider letter 2026-14'
  manilla review resolve --identity shop_1 --reference order-8 --verdict delivered \\
    --evidence 'settlement file 12 May' --receipt R-99120 --token 1234-5678-9012-3456-7890
  manilla review resolve --identity shop_1 --reference call-9 --verdict delivered \\
    --evidence 'call records 12 May' --seconds 74

Above the amount review.dual_control_above two operators decide: the first proposes it, and another
decides it by running the very same command with a key of their own.")]
pub(crate) struct ReviewResolveOptions {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    pub(in crate::commands) identity: String,
    #[arg(long, help = "mrcReference of the payment")]
    pub(in crate::commands) reference: String,
    /// Decision: delivered or not delivered
    #[arg(long, value_enum)]
    pub(in crate::commands) verdict: VerdictArg,
    /// What the decision rests on
    #[arg(long)]
    pub(in crate::commands) evidence: String,
    #[command(flatten)]
    pub(in crate::commands) vend: VendOptions,
    /// One JSON document for scripts
    #[arg(long)]
    pub(in crate::commands) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum VerdictArg {
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
    /// The entry of the operators' log that waits for another operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposed: Option<u64>,
}

/// What came of it.
enum Resolution {
    Resolved(Transaction),
    Proposed { entry: u64, stored: Transaction },
}

pub(in crate::commands) async fn run(
    options: &ReviewResolveOptions,
    config: &Config,
) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let reference = MerchantReference::parse(&options.reference)
        .map_err(|error| Failure::flag("--reference", error))?;
    limit_is_everybodys(&config.shown).map_err(|wrong| Failure::usage(anyhow::anyhow!(wrong)))?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let resolved = resolve(&context, config, (&account, &reference, options)).await;
    context.close().await;
    let (resolved, proposed) = match resolved? {
        Resolution::Resolved(resolved) => (resolved, None),
        Resolution::Proposed { entry, stored } => (stored, Some(entry)),
    };
    let status = status_word(resolved.status());
    if options.json {
        return Ok(output::json(&Resolved {
            identity: account.as_str(),
            reference: reference.as_str(),
            status,
            proposed,
        })?);
    }
    Ok(output::line(match proposed {
        None => format!("{account} {reference} is {status}."),
        Some(entry) => format!(
            "Entry {entry} proposes it; {account} {reference} is {status} still. Another operator \
             decides it by the same command."
        ),
    })?)
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
    context: &AdminContext,
    config: &Config,
    (account, reference, options): (&AccountId, &MerchantReference, &ReviewResolveOptions),
) -> Result<Resolution, Failure> {
    let stored = context.gateway.under_reference(account, reference).await?;
    let Some(stored) = stored else {
        return Err(match context.accounts.credentials(account).await? {
            Some(_) => RulingRefused::Unknown.into(),
            None => no_such_account(account),
        });
    };
    let verdict = verdict(&stored.order, (options.verdict, &options.vend))?;
    let evidence = line("--evidence", &options.evidence, EVIDENCE_MAX)?;
    let order = operator::OperatorOrder::new(Act::ReviewResolve)
        .to(account)
        .under(reference);
    let order = order.moving(Some(stored.quote.amount));
    let order = order.with(options.verdict_label(&evidence));
    let signer = signer(config)?;
    let mut ruling = Ruling {
        verdict,
        by: signer.name.to_string(),
        confirmed_by: None,
        evidence,
    };
    match context.gateway.may_rule(&stored, &ruling) {
        Ok(()) => {
            let entry = context.operators.sign(&signer, &order).await;
            entry.map_err(not_signed)?;
        }
        Err(RulingRefused::SecondPersonNeeded) => {
            let decided = context.operators.decide(&signer, &order).await;
            match decided.map_err(not_signed)? {
                Decision::Proposed { entry } => return Ok(Resolution::Proposed { entry, stored }),
                Decision::Approved { proposed_by } => {
                    let confirmed_by = std::mem::replace(&mut ruling.by, proposed_by.to_string());
                    ruling.confirmed_by = Some(confirmed_by);
                }
            }
        }
        Err(refused) => return Err(unchanged(refused)),
    }
    let resolved = context.gateway.rule(account, reference, ruling).await;
    resolved.map(Resolution::Resolved).map_err(unchanged)
}

fn unchanged(refused: RulingRefused) -> Failure {
    Failure::from(anyhow!(refused).context("nothing was changed"))
}

impl ReviewResolveOptions {
    /// What is decided, as it is signed. A token is worth money to who reads it, so the log holds
    /// its fingerprint only.
    fn verdict_label(&self, evidence: &str) -> String {
        let verdict = match self.verdict {
            VerdictArg::Delivered => "delivered",
            VerdictArg::NotDelivered => "not-delivered",
        };
        let vend = &self.vend;
        let token = vend.token.as_deref().map(fingerprint);
        let seconds = vend.seconds.map(|it| it.to_string());
        let parts = [
            ("receipt", vend.receipt.as_deref()),
            ("token", token.as_deref()),
            ("units", vend.units.as_deref()),
            ("recovered", vend.recovered.as_deref()),
            ("seconds", seconds.as_deref()),
        ];
        let parts = parts
            .into_iter()
            .filter_map(|(word, value)| value.map(|value| format!("; {word} {value}")));
        let parts: String = parts.collect();
        format!("{verdict}: {evidence}{parts}")
    }
}

/// What is decided, by what the flags say of an order.
///
/// # Errors
/// When a flag is missing that the order needs, or one is given that it does not take.
pub(in crate::commands) fn verdict(
    order: &Order,
    (verdict, vend): (VerdictArg, &VendOptions),
) -> Result<Verdict, Failure> {
    match verdict {
        VerdictArg::NotDelivered => nothing_handed_over(vend),
        VerdictArg::Delivered => fulfilment(order, vend).map(Verdict::Delivered),
    }
}

fn nothing_handed_over(options: &VendOptions) -> Result<Verdict, Failure> {
    match options.given() {
        None => Ok(Verdict::NotDelivered),
        Some(flag) => Err(Failure::flag(
            flag,
            "says what was delivered, which --verdict not-delivered denies; leave one of them out",
        )),
    }
}

/// What was handed over, as the order and the flags say.
fn fulfilment(order: &Order, options: &VendOptions) -> Result<Fulfilment, Failure> {
    if matches!(order, Order::Voice(_)) {
        return options.call().map(Fulfilment::Voice);
    }
    if matches!(order, Order::Ivr(_)) {
        return options.call().map(|call| {
            Fulfilment::Ivr(FlowRun {
                call,
                ..FlowRun::UNDER_WAY
            })
        });
    }
    if options.seconds.is_some() {
        let why = "belongs to calls; leave it out";
        return Err(Failure::flag("--seconds", why));
    }
    if let Order::Electricity(order) = order {
        return vend(order, options).map(Fulfilment::Electricity);
    }
    if let Order::Bill(order) = order
        && order.has_token
    {
        return bill(order, options).map(Fulfilment::Bill);
    }
    let service = order.service().code();
    let fulfilment = order.fulfilment_without_details().ok_or_else(|| {
        let why = format!("needs details of the delivery that no flag takes for {service} yet");
        Failure::flag("--verdict", why)
    })?;
    match options.given() {
        None => Ok(fulfilment),
        Some(flag) => {
            let wrong = format!(
                "belongs to electricity and to bills with a token; this payment is {service}, \
                 leave it out"
            );
            Err(Failure::flag(flag, wrong))
        }
    }
}

fn vend(order: &ElectricityOrder, options: &VendOptions) -> Result<Vend, Failure> {
    let meter = &order.meter;
    let receipt = options.receipt.as_deref();
    let receipt =
        receipt.ok_or_else(|| Failure::flag("--receipt", "must name the company's receipt"))?;
    let receipt = line("--receipt", receipt, RECEIPT_MAX)?;
    let recovered = naira(
        "--recovered",
        options.recovered.as_deref().unwrap_or("0.00"),
    )?;
    let outstanding = meter.debt.map(|debt| {
        let left = debt.checked_sub(recovered);
        let left = left.filter(|left| left.minor() >= 0);
        left.ok_or_else(|| Failure::flag("--recovered", "must not be more than the debt"))
    });
    let token = match meter.billing {
        Billing::Prepaid => Some(token(order, options, recovered)?),
        Billing::Postpaid => no_token(options)?,
    };
    Ok(Vend {
        receipt,
        debt: meter.debt,
        outstanding: outstanding.transpose()?,
        last_purchase: meter.last_purchase,
        last_paid: meter.last_paid,
        token,
    })
}

/// A prepaid bill: what its biller's receipt says. The price of a unit is the biller's, so that the
/// units have to be given.
fn bill(order: &BillOrder, options: &VendOptions) -> Result<BillReceipt, Failure> {
    if options.recovered.is_some() {
        let why = "belongs to electricity; what is owed on a bill is known, leave it out";
        return Err(Failure::flag("--recovered", why));
    }
    let receipt = options.receipt.as_deref();
    let receipt =
        receipt.ok_or_else(|| Failure::flag("--receipt", "must name the biller's receipt"))?;
    let number = options.token.as_deref().ok_or_else(|| {
        Failure::flag(
            "--token",
            "must hold the token: this bill is paid only with one",
        )
    })?;
    let units = options.units.as_deref().ok_or_else(|| {
        Failure::flag(
            "--units",
            "must hold the units of the token, as the receipt says",
        )
    })?;
    let nothing = Money::zero(order.amount.currency());
    let parts = breakdown(order.amount, nothing, Decimal::ONE)
        .context("the amount cannot be divided")
        .map_err(Failure::usage)?;
    Ok(BillReceipt {
        category: order.category,
        receipt: line("--receipt", receipt, RECEIPT_MAX)?,
        outstanding: order.outstanding(),
        token: Some(Token {
            number: Some(
                TokenNumber::parse(number).map_err(|error| Failure::flag("--token", error))?,
            ),
            cost: Some(parts.cost),
            units: Some(decimals(units, order.amount)?),
        }),
    })
}

/// Units are written as money is: two decimals, perhaps grouped.
fn decimals(text: &str, amount: Money) -> Result<Decimal, Failure> {
    let units = above_zero(("--units", text), amount.currency())?;
    Ok(units.to_string().replace(',', "").parse()?)
}

/// A postpaid account is credited; there is no token.
fn no_token(options: &VendOptions) -> Result<Option<Token>, Failure> {
    let foreign = options.token.as_ref().or(options.units.as_ref());
    match foreign {
        None => Ok(None),
        Some(_) => Err(Failure::usage(anyhow!(
            "--token and --units belong to a prepaid meter; this account is postpaid, leave them \
             out"
        ))),
    }
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
    // Without a tariff only the cost follows from the amount.
    let rate = order.meter.tariff.rate;
    let parts = breakdown(order.amount, recovered, rate.unwrap_or(Decimal::ONE))
        .context("the amount cannot be divided: --recovered must not be more than the amount")
        .map_err(Failure::usage)?;
    let units = match &options.units {
        None => rate.map(|_| parts.units),
        Some(text) => Some(decimals(text, order.amount)?),
    };
    Ok(Token {
        number: Some(number),
        cost: Some(parts.cost),
        units,
    })
}

#[cfg(test)]
mod tests {
    use domain::airtime::AirtimeOrder;
    use domain::bill::{BillCategory, BillNumber};
    use domain::country::CountryCode;
    use domain::electricity::{DiscoCode, Meter, MeterNumber, Tariff};
    use domain::money::Currency;
    use domain::phone::PhoneNumber;
    use domain::subscription::BillerCode;

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
                owner: "Alpha".into(),
                address: "Street".into(),
                billing,
                debt: Some(money("500.00")),
                minimum: money("100.00"),
                maximum: money("100000.00"),
                last_purchase: None,
                last_paid: None,
                tariff: Tariff {
                    band: "A".into(),
                    rate: Some(rate("209.50")),
                },
            },
            amount: money("10750.00"),
            customer_phone: None,
        })
    }

    fn rate(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    fn options(receipt: Option<&str>, token: Option<&str>) -> VendOptions {
        VendOptions {
            receipt: receipt.map(str::to_owned),
            token: token.map(str::to_owned),
            units: None,
            recovered: None,
            seconds: None,
        }
    }

    fn usage(result: Result<Fulfilment, Failure>) -> String {
        let failure = result.unwrap_err();
        assert!(matches!(failure, Failure::Usage(_)));
        failure.message().unwrap()
    }

    const TOKEN: &str = "1234-5678-9012-3456-7890";

    #[test]
    fn a_call_needs_its_length_and_nothing_else_takes_one() {
        let order = testkit::builders::voice_call().order();
        let took = VendOptions {
            seconds: Some(61),
            ..options(None, None)
        };
        let handed_over = fulfilment(&order, &took).unwrap();
        assert!(handed_over.completes(&order));
        assert_eq!(handed_over.call().unwrap().seconds, Some(61));
        let missing = usage(fulfilment(&order, &options(None, None)));
        assert!(missing.contains("--seconds"), "{missing}");
        let more = VendOptions {
            receipt: Some("R-1".to_owned()),
            ..took
        };
        assert!(usage(fulfilment(&order, &more)).contains("--receipt"));
        let elsewhere = VendOptions {
            receipt: None,
            ..more
        };
        let airtime = testkit::builders::airtime().order();
        assert!(usage(fulfilment(&airtime, &elsewhere)).contains("--seconds"));
    }

    #[test]
    fn a_prepaid_delivery_needs_receipt_and_token_and_its_units_follow_from_the_tariff() {
        let order = electricity(Billing::Prepaid);
        let Fulfilment::Electricity(vend) =
            fulfilment(&order, &options(Some("R-1"), Some(TOKEN))).unwrap()
        else {
            panic!("not electricity");
        };
        let token = vend.token.unwrap();
        assert_eq!(token.cost, Some(money("10000.00")));
        assert_eq!(token.units, Some(rate("47.73")));
        assert_eq!(vend.outstanding, Some(money("500.00")));

        assert!(usage(fulfilment(&order, &options(None, Some(TOKEN)))).contains("--receipt"));
        assert!(usage(fulfilment(&order, &options(Some("R-1"), None))).contains("--token"));
        assert!(usage(fulfilment(&order, &options(Some("R-1"), Some("123")))).contains("--token"));
    }

    #[test]
    fn units_and_debt_that_no_one_knows_stay_unknown() {
        let Order::Electricity(mut order) = electricity(Billing::Prepaid) else {
            panic!("not electricity");
        };
        order.meter.debt = None;
        order.meter.tariff.rate = None;
        let found = fulfilment(
            &Order::Electricity(order),
            &options(Some("R-1"), Some(TOKEN)),
        );
        let Fulfilment::Electricity(vend) = found.unwrap() else {
            panic!("not electricity");
        };
        assert_eq!((vend.debt, vend.outstanding), (None, None));
        let token = vend.token.unwrap();
        assert_eq!((token.cost, token.units), (Some(money("10000.00")), None));
    }

    #[test]
    fn units_and_recovered_debt_may_be_given() {
        let given = VendOptions {
            units: Some("1,050.5".into()),
            recovered: Some("500".into()),
            ..options(Some("R-1"), Some(TOKEN))
        };
        let found = fulfilment(&electricity(Billing::Prepaid), &given).unwrap();
        let Fulfilment::Electricity(vend) = found else {
            panic!("not electricity");
        };
        assert_eq!(vend.token.unwrap().units, Some(rate("1050.50")));
        assert_eq!(vend.outstanding, Some(money("0.00")));

        let more = VendOptions {
            recovered: Some("500.01".into()),
            ..given
        };
        assert!(usage(fulfilment(&electricity(Billing::Prepaid), &more)).contains("--recovered"));
    }

    fn water(has_token: bool) -> Order {
        let category = BillCategory::from_code("water").unwrap();
        Order::Bill(BillOrder {
            category,
            biller: BillerCode::parse("601").unwrap(),
            brandname: "Lagos Water".into(),
            number: BillNumber::parse(category, "04123456789").unwrap(),
            fields: Vec::new(),
            customer_name: "Alpha".into(),
            billing: Billing::Prepaid,
            debt: money("0.00"),
            bill_reference: None,
            plan: None,
            has_token,
            amount: money("10750.00"),
            customer_phone: None,
        })
    }

    #[test]
    fn a_bill_with_a_token_needs_receipt_token_and_units() {
        let given = VendOptions {
            units: Some("31.25".into()),
            ..options(Some("R-1"), Some(TOKEN))
        };
        let found = fulfilment(&water(true), &given).unwrap();
        assert!(found.completes(&water(true)));
        let token = found.bill_receipt().unwrap().token.clone().unwrap();
        assert_eq!(token.cost, Some(money("10000.00")));
        assert_eq!(token.units, Some(rate("31.25")));

        let refused = |options: &VendOptions| usage(fulfilment(&water(true), options));
        assert!(refused(&options(None, Some(TOKEN))).contains("--receipt"));
        assert!(refused(&options(Some("R-1"), None)).contains("--token"));
        assert!(refused(&options(Some("R-1"), Some(TOKEN))).contains("--units"));
        let more = VendOptions {
            recovered: Some("1.00".into()),
            ..given
        };
        assert!(refused(&more).contains("--recovered"));
        assert!(usage(fulfilment(&water(false), &more)).contains("leave it out"));
        let bare = fulfilment(&water(false), &options(None, None)).unwrap();
        assert!(bare.completes(&water(false)));
    }

    #[test]
    fn a_postpaid_delivery_needs_no_token() {
        let found = fulfilment(&electricity(Billing::Postpaid), &options(Some("R-1"), None));
        assert!(matches!(
            found,
            Ok(Fulfilment::Electricity(Vend { token: None, .. }))
        ));
        let foreign = options(Some("R-1"), Some(TOKEN));
        assert!(usage(fulfilment(&electricity(Billing::Postpaid), &foreign)).contains("postpaid"));
    }

    #[test]
    fn a_receipt_holds_nothing_that_could_not_be_shown() {
        let order = electricity(Billing::Postpaid);
        for receipt in ["", "R\n1", "R\u{1}", "R\u{202e}1"] {
            let refused = usage(fulfilment(&order, &options(Some(receipt), None)));
            assert!(refused.contains("--receipt must be"), "{refused}");
        }
    }

    #[test]
    fn what_was_delivered_is_not_accepted_for_what_was_not() {
        let nothing = options(None, None);
        assert_eq!(
            nothing_handed_over(&nothing).unwrap(),
            Verdict::NotDelivered
        );
        for (flag, given) in [
            ("--receipt", options(Some("R-1"), None)),
            ("--token", options(None, Some(TOKEN))),
        ] {
            let refused = nothing_handed_over(&given).unwrap_err();
            let said = refused.message().unwrap();
            assert!(
                said.contains(flag) && said.contains("not-delivered"),
                "{said}"
            );
        }
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
        let recovered = VendOptions {
            recovered: Some("5.00".into()),
            ..options(None, None)
        };
        assert!(usage(fulfilment(&order, &recovered)).contains("--recovered"));
    }
}
