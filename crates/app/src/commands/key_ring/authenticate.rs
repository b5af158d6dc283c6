//! `manilla key-ring authenticate`: codes for rows that have none, or none that fits. A wallet that
//! is not what its transfers leave must get none.

use clap::Args;
use domain::operator::{Act, OperatorOrder};
use serde::Serialize;
use storage_sql::row_macs::{AuthenticatedRows, RowsWithoutCode};

use crate::commands::reason;
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla key-ring authenticate --database postgres://owner@127.0.0.1/manilla
  manilla key-ring authenticate --altered --reason 'balance of corner-shop put right, ticket 4711'

Wallets and transactions carry authentication codes under the key ring, and a row without the right
one is refused. Run it once over a shared database after an upgrade from a version that wrote none,
when no instance of that version runs any more, as the owner of the tables; a data folder needs no
command. With --altered, rows whose codes do not fit are given others: after the key ring was lost
and another accepted, or after a person has put right what `manilla audit` (I35) named. A wallet
that is not the sum of its transfers is given none.")]
pub(crate) struct KeyRingAuthenticateOptions {
    /// Rows whose codes do not fit too
    #[arg(long, requires = "reason")]
    altered: bool,
    #[arg(
        long,
        requires = "altered",
        help = "Why, in one line of 200 characters at most; all operators see it"
    )]
    reason: Option<String>,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    /// Whether rows had to have their codes before.
    were_required: bool,
    /// How many were given theirs.
    transactions: u64,
    wallets: u64,
    /// Wallets that were given none.
    refused: Vec<RefusedWallet>,
}

#[derive(Serialize)]
struct RefusedWallet {
    account: String,
    currency: String,
}

pub(super) async fn run(
    options: &KeyRingAuthenticateOptions,
    config: &Config,
) -> Result<(), Failure> {
    let why = options.reason.as_deref().map(reason).transpose()?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let given = authenticate(&context, why, config).await;
    context.close().await;
    let given = given?;
    if options.json {
        return Ok(output::json(&Answer::from(given))?);
    }
    for (account, currency) in &given.unbalanced {
        output::line(format!(
            "The wallet of {account} in {currency} is not the sum of its transfers: it was given \
             no code, and payments from it are refused. See `manilla audit`."
        ))?;
    }
    Ok(output::line(if given.was_done && !options.altered {
        "Rows must have their codes already; nothing was changed.".to_owned()
    } else {
        format!(
            "{} transactions and {} wallets were given their codes. A row without the right one is \
             refused.",
            given.transactions, given.wallets
        )
    })?)
}

async fn authenticate(
    context: &AdminContext,
    reason: Option<String>,
    config: &Config,
) -> Result<AuthenticatedRows, Failure> {
    let which = match reason {
        None => RowsWithoutCode::Earlier,
        Some(reason) => {
            let order = OperatorOrder::new(Act::RowsAuthenticate).with(reason);
            sign(context, config, &order).await?;
            RowsWithoutCode::Altered
        }
    };
    Ok(context.storage.authenticate_rows(which).await?)
}

impl From<AuthenticatedRows> for Answer {
    fn from(given: AuthenticatedRows) -> Self {
        let refused = given.unbalanced.into_iter();
        let refused = refused.map(|(account, currency)| RefusedWallet { account, currency });
        Self {
            were_required: given.was_done,
            transactions: given.transactions,
            wallets: given.wallets,
            refused: refused.collect(),
        }
    }
}
