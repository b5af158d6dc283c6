//! `manilla collection record`: a payment arrived at the bank. It must never be credited with an
//! amount that was not typed.

use application::collections::PaymentReport;
use clap::Args;
use domain::collection::{CollectedPayment, CollectionPayer};
use domain::money::Currency;
use domain::time::Timestamp;
use serde::Serialize;

use super::crediting::{Crediting, ReportedPayment, credited, judged};
use super::statement::{NAME_MAX, last_digits, payee, session};
use crate::commands::{above_zero, line};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::signer;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
PAYEE is what the payer typed: an account number of 10 digits that POST /collection/account made, or
a payment reference of 12 that POST /collection/invoice or POST /checkout/session made. A session
of a bank is credited once, however often it is recorded.

Examples:
  manilla collection record --payee 7740000127 --session 000013241128120000123456789012 \\
      --amount 5000.00 --payer-name 'Ada Obi'
  manilla collection record --payee 102938475690 --session S42 --amount 5000.00 --json")]
pub(crate) struct CollectionRecordOptions {
    #[arg(
        long,
        value_name = "NUMBER",
        help = "Account number or payment reference"
    )]
    payee: String,
    /// The session of the transfer, as your bank's statement has it
    #[arg(long)]
    session: String,
    /// How much arrived
    #[arg(long, allow_hyphen_values = true)]
    amount: String,
    #[arg(long, value_name = "NAME", help = "Who paid")]
    payer_name: Option<String>,
    #[arg(long, value_name = "NAME", help = "From which bank")]
    payer_bank: Option<String>,
    #[arg(
        long,
        value_name = "NUMBER",
        help = "From which account; its last four digits are kept"
    )]
    payer_account: Option<String>,
    #[arg(
        long,
        value_name = "MOMENT",
        help = "When the bank took it, such as 2026-11-28T12:00:00Z [default: now]"
    )]
    paid_at: Option<String>,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(rename = "mrcIdentity")]
    identity: &'a str,
    #[serde(rename = "mrcReference")]
    reference: &'a str,
    #[serde(rename = "txnReference")]
    number: u64,
    #[serde(rename = "sessionId")]
    session: &'a str,
    #[serde(rename = "colAmount")]
    amount: String,
    #[serde(rename = "colNet")]
    net: String,
    /// `false` where it had been credited before: nothing was changed.
    credited: bool,
}

impl CollectionRecordOptions {
    fn reported(&self, now: Timestamp) -> Result<ReportedPayment, Failure> {
        let name = |flag: &'static str, text: &Option<String>| {
            let text = text.as_deref();
            text.map(|text| line(flag, text, NAME_MAX)).transpose()
        };
        let account = self.payer_account.as_deref().map(last_digits).transpose();
        let paid_at = self.paid_at.as_deref().map(super::statement::moment);
        let paid_at = paid_at.transpose();
        Ok(ReportedPayment {
            line: 0,
            payee: payee(&self.payee).map_err(|error| Failure::flag("--payee", error))?,
            report: PaymentReport {
                session: session(&self.session)
                    .map_err(|error| Failure::flag("--session", error))?,
                amount: above_zero(("--amount", &self.amount), Currency::Ngn)?,
                payer: CollectionPayer {
                    name: name("--payer-name", &self.payer_name)?,
                    bank: name("--payer-bank", &self.payer_bank)?,
                    account_last: account
                        .map_err(|error| Failure::flag("--payer-account", error))?,
                },
                paid_at: paid_at
                    .map_err(|error| Failure::flag("--paid-at", error))?
                    .unwrap_or(now),
            },
        })
    }
}

pub(super) async fn run(options: &CollectionRecordOptions, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let recorded = async {
        let reported = options.reported(context.now())?;
        match judged(&context, &reported).await? {
            Crediting::Credited(payment) => credited(&context, &signer(config)?, *payment).await,
            other @ (Crediting::Known(_)
            | Crediting::Differs(_)
            | Crediting::BeforeItWasMade
            | Crediting::BalanceLimit
            | Crediting::Unmatched
            | Crediting::TestAccount) => Ok(other),
        }
    };
    let recorded = recorded.await;
    context.close().await;
    let (payment, is_new) = settled(options, recorded?)?;
    if options.json {
        return Ok(output::json(&Answer {
            identity: payment.account.as_str(),
            reference: payment.reference.as_str(),
            number: payment.number.get(),
            session: payment.session.as_str(),
            amount: payment.amount.to_string(),
            net: payment.net().to_string(),
            credited: is_new,
        })?);
    }
    let (net, account) = (payment.net(), &payment.account);
    let said = if is_new {
        format!(
            "Credited NGN {net} of {} to {account} for {}.",
            payment.amount, payment.reference
        )
    } else {
        format!(
            "Nothing was changed: session {} was credited before.",
            payment.session
        )
    };
    Ok(output::line(said)?)
}

/// The payment that is credited, and whether it is now; the refusal otherwise.
fn settled(
    options: &CollectionRecordOptions,
    recorded: Crediting,
) -> Result<(Box<CollectedPayment>, bool), Failure> {
    match recorded {
        Crediting::Credited(payment) => Ok((payment, true)),
        Crediting::Known(payment) => Ok((payment, false)),
        Crediting::Differs(payment) => Err(differs(&payment)),
        Crediting::Unmatched => Err(Failure::flag(
            "--payee",
            format!(
                "{} is the number of no collection; nothing was credited. Ask the payer and \
                     the merchants, and pay in what belongs to one with `manilla account credit`",
                options.payee
            ),
        )),
        Crediting::BeforeItWasMade => Err(Failure::flag(
            "--paid-at",
            "is before the number was made: it was no number of the collection then; look at \
                 the statement of the bank, and pay in what belongs to an account with `manilla \
                 account credit`",
        )),
        Crediting::BalanceLimit => Err(Failure::flag(
            "--amount",
            "would take the balance above the largest amount; nothing was credited",
        )),
        Crediting::TestAccount => Err(Failure::flag(
            "--payee",
            "is a number of a test account, which banks pay nothing to; POST \
                 /collection/simulate pays it",
        )),
    }
}

fn differs(known: &CollectedPayment) -> Failure {
    anyhow::anyhow!(
        "nothing was credited: session {} was credited before with NGN {} to {} for {}; look at \
         the statement of the bank, and pay in what arrived beside it under its own session",
        known.session,
        known.amount,
        known.account,
        known.reference
    )
    .into()
}
