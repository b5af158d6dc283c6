//! `manilla transaction list`. It must show nothing that is handed over: no token, no text.

use application::transaction_list::{LOOKED_THROUGH_MAX, TransactionFilter};
use clap::{Args, ValueEnum};
use domain::account::AccountId;
use domain::order::Service;
use domain::statement::Sort;
use domain::transaction::{Status, Transaction};
use ports::backlog::OpenState;
use serde::Serialize;

use super::state_words;
use crate::commands::{identity, known, moment, moment_of};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla transaction list --open in-doubt                   of every account, the oldest first
  manilla transaction list --open any --limit 2000 --json
  manilla transaction list --identity shop_1                 the newest first
  manilla transaction list --identity shop_1 --number 04123456789
  manilla transaction list --identity shop_1 --service electricity --status failed \\
      --from 2026-11-20T00:00:00+01:00 --until 2026-11-21T00:00:00+01:00

Of one account the newest 2,000 payments of the range are looked through. `manilla transaction show`
shows all of one payment. Times are in UTC.")]
pub(crate) struct TransactionListOptions {
    #[arg(
        long,
        value_name = "ID",
        required_unless_present = "open",
        help = "Of one account, by mrcIdentity"
    )]
    identity: Option<String>,
    #[arg(
        long,
        value_enum,
        value_name = "STATE",
        conflicts_with_all = ["status", "number", "from", "until"],
        help = "Only payments that are not final, in this state: queued, sending, in-doubt, \
                review, or any of them"
    )]
    open: Option<Open>,
    #[arg(
        long,
        value_name = "NAME",
        help = "Only of one service, such as airtime, electricity or bank"
    )]
    service: Option<String>,
    #[arg(
        long,
        value_enum,
        value_name = "STATUS",
        help = "Only with this txnStatus"
    )]
    status: Option<Standing>,
    #[arg(
        long,
        value_name = "DIGITS",
        help = "Only for this telephone, meter, card or account number"
    )]
    number: Option<String>,
    #[arg(
        long,
        value_name = "MOMENT",
        help = "Accepted at this moment or later (RFC 3339, such as 2026-11-20T00:00:00+01:00)"
    )]
    from: Option<String>,
    #[arg(long, value_name = "MOMENT", help = "Accepted before this moment")]
    until: Option<String>,
    #[arg(
        long,
        value_name = "COUNT",
        default_value_t = 50,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(LOOKED_THROUGH_MAX)),
        help = "Most payments to show, up to 2000"
    )]
    limit: u32,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

/// A state that is not final, or any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Open {
    Queued,
    Sending,
    InDoubt,
    Review,
    Any,
}

impl Open {
    fn states(self) -> Vec<OpenState> {
        match self {
            Self::Queued => vec![OpenState::Queued],
            Self::Sending => vec![OpenState::Sending],
            Self::InDoubt => vec![OpenState::InDoubt],
            Self::Review => vec![OpenState::Review],
            Self::Any => OpenState::ALL.to_vec(),
        }
    }
}

/// `txnStatus`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Standing {
    Pending,
    Successful,
    Failed,
    Reversed,
}

impl Standing {
    const fn status(self) -> Status {
        match self {
            Self::Pending => Status::Pending,
            Self::Successful => Status::Successful,
            Self::Failed => Status::Failed,
            Self::Reversed => Status::Reversed,
        }
    }
}

#[derive(Serialize)]
struct Document {
    transactions: Vec<TransactionRow>,
    /// How many there are of those that are asked for, in what was looked through.
    found: usize,
    /// Whether all there are were looked through, and not only the newest or the oldest of them.
    complete: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TransactionRow {
    mrc_identity: String,
    mrc_reference: String,
    txn_reference: u64,
    service: &'static str,
    order: String,
    provider: String,
    state: &'static str,
    price: String,
    currency: &'static str,
    opened_at: String,
    updated_at: String,
}

impl TransactionRow {
    fn of(tx: &Transaction) -> Self {
        let price = tx.charged().price;
        Self {
            mrc_identity: tx.account.to_string(),
            mrc_reference: tx.reference.to_string(),
            txn_reference: tx.number.get(),
            service: tx.order.service().code(),
            order: tx.order.narration(),
            provider: tx.provider().to_string(),
            state: state_words::of(&tx.state),
            currency: price.currency().code(),
            price: price.to_string(),
            opened_at: moment(tx.opened_at),
            updated_at: moment(tx.updated_at),
        }
    }

    fn cells(&self) -> [String; 7] {
        [
            self.opened_at.clone(),
            self.mrc_identity.clone(),
            self.mrc_reference.clone(),
            self.state.to_owned(),
            self.provider.clone(),
            format!("{} {}", self.currency, self.price),
            self.order.clone(),
        ]
    }
}

pub(super) async fn run(options: &TransactionListOptions, config: &Config) -> Result<(), Failure> {
    let wanted = Wanted::of(options)?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let found = wanted.read(&context).await;
    context.close().await;
    let Matches {
        transactions,
        found,
        complete,
    } = found?;
    let transactions: Vec<_> = transactions.iter().map(TransactionRow::of).collect();
    if options.json {
        return Ok(output::json(&Document {
            transactions,
            found,
            complete,
        })?);
    }
    let shown = transactions.len();
    if shown > 0 {
        output::line(table(&transactions))?;
    } else {
        output::line("No payment.")?;
    }
    if shown < found {
        output::line(format!("{shown} of {found}; see more with --limit"))?;
    }
    if !complete {
        let end = if options.open.is_some() {
            "oldest"
        } else {
            "newest"
        };
        output::line(format!(
            "Only the {end} {LOOKED_THROUGH_MAX} were looked through; there may be more."
        ))?;
    }
    Ok(())
}

fn table(transactions: &[TransactionRow]) -> String {
    let headings = [
        "OPENED",
        "IDENTITY",
        "REFERENCE",
        "STATE",
        "PROVIDER",
        "PRICE",
        "ORDER",
    ];
    let rows: Vec<_> = transactions.iter().map(TransactionRow::cells).collect();
    output::table(headings, &rows)
}

/// What is asked for.
struct Wanted {
    account: Option<AccountId>,
    open: Option<Open>,
    filter: TransactionFilter,
}

impl Wanted {
    fn of(options: &TransactionListOptions) -> Result<Self, Failure> {
        let moment = |flag, text: &Option<String>| {
            let moment = text.as_deref().map(|text| moment_of(flag, text));
            moment.transpose()
        };
        let services = match &options.service {
            Some(name) => vec![service(name)?],
            None => Service::all().collect(),
        };
        let account = options.identity.as_deref().map(identity);
        let (from, until) = (
            moment("--from", &options.from)?,
            moment("--until", &options.until)?,
        );
        if from.zip(until).is_some_and(|(from, until)| from >= until) {
            return Err(Failure::flag("--until", "must be after --from"));
        }
        Ok(Self {
            account: account.transpose()?,
            open: options.open,
            filter: TransactionFilter {
                services,
                from,
                until,
                reference: None,
                status: options.status.map(Standing::status),
                number: options.number.clone(),
                offset: 0,
                length: options.limit,
                sort: Sort::Descending,
            },
        })
    }

    async fn read(&self, context: &AdminContext) -> Result<Matches, Failure> {
        if let Some(account) = &self.account {
            known(context, account).await?;
        }
        match (self.open, &self.account) {
            (Some(open), _) => self.unsettled(context, open).await,
            (None, Some(account)) => {
                let page = context.gateway.transactions_of(account, &self.filter);
                let page = page.await?;
                Ok(Matches {
                    transactions: page.transactions,
                    found: usize::try_from(page.found).unwrap_or(usize::MAX),
                    complete: page.total < u64::from(LOOKED_THROUGH_MAX),
                })
            }
            // The command line asks for one of the two.
            (None, None) => Err(Failure::flag("--identity", "is needed, or --open")),
        }
    }

    /// What is not final, the oldest first.
    async fn unsettled(&self, context: &AdminContext, open: Open) -> Result<Matches, Failure> {
        let most = usize::try_from(LOOKED_THROUGH_MAX).unwrap_or(usize::MAX);
        let (mut transactions, mut complete) = (Vec::new(), true);
        for state in open.states() {
            let found = context.gateway.unsettled(state, LOOKED_THROUGH_MAX).await?;
            complete &= found.len() < most;
            transactions.extend(found);
        }
        transactions.retain(|tx| {
            let is_its = self.account.as_ref().is_none_or(|only| tx.account == *only);
            is_its && self.filter.services.contains(&tx.order.service())
        });
        transactions.sort_by_key(|tx| tx.opened_at);
        let found = transactions.len();
        transactions.truncate(usize::try_from(self.filter.length).unwrap_or(usize::MAX));
        Ok(Matches {
            transactions,
            found,
            complete,
        })
    }
}

/// What was found of what is asked for.
struct Matches {
    /// As many as are to be shown.
    transactions: Vec<Transaction>,
    found: usize,
    /// Whether all there are were looked through.
    complete: bool,
}

fn service(name: &str) -> Result<Service, Failure> {
    Service::from_code(name).ok_or_else(|| {
        let all: Vec<_> = Service::all().map(Service::code).collect();
        Failure::flag("--service", format!("must be one of {}", all.join(", ")))
    })
}
