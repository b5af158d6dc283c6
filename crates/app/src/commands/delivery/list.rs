//! `manilla delivery list`. It must show only what the account that is named has.

use clap::Args;
use domain::account::AccountId;
use domain::reference::MerchantReference;
use domain::statement::Sort;
use domain::webhook::{Attempt, Delivery};
use ports::webhooks::DeliveryQuery;
use serde::Serialize;

use super::{ShownDelivery, table};
use crate::commands::{endpoint_id, identity, known, no_such_payment};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

/// Most that one list shows: what an operator can read, and some milliseconds of the database.
const LIMIT_MAX: u32 = 1_000;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla delivery list --identity shop_1
  manilla delivery list --identity shop_1 --parked --limit 1000 --json
  manilla delivery list --identity shop_1 --reference order-7    of one payment

STATE is due (attempted at AT), delivered (at AT), or parked (given up at AT, after every attempt
had failed). `manilla webhook replay` has a delivery made again. Times are in UTC.")]
pub(crate) struct DeliveryListOptions {
    #[arg(long, value_name = "ID", help = "Whose, by mrcIdentity")]
    identity: String,
    #[arg(
        long,
        value_name = "NUMBER",
        help = "To one endpoint, by whkIdentifier"
    )]
    endpoint: Option<String>,
    /// Only what was given up after every attempt had failed
    #[arg(long)]
    parked: bool,
    #[arg(
        long,
        conflicts_with_all = ["endpoint", "parked", "limit"],
        help = "Only the events of one payment, by mrcReference"
    )]
    reference: Option<String>,
    #[arg(
        long,
        value_name = "COUNT",
        default_value_t = 50,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(LIMIT_MAX)),
        help = "Most deliveries to show, up to 1000"
    )]
    limit: u32,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    deliveries: Vec<ShownDelivery>,
    /// How many there are of those that are asked for, counted up to 10,000.
    total: u64,
}

pub(super) async fn run(options: &DeliveryListOptions, config: &Config) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let wanted = options.wanted()?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let found = async {
        known(&context, &account).await?;
        read(&context, &account, &wanted).await
    };
    let found = found.await;
    context.close().await;
    let (deliveries, total) = found?;
    let deliveries: Vec<_> = deliveries.iter().map(ShownDelivery::of).collect();
    if options.json {
        return Ok(output::json(&Document { deliveries, total })?);
    }
    if deliveries.is_empty() {
        return Ok(output::line("No delivery.")?);
    }
    output::line(table(&deliveries))?;
    let shown = u64::try_from(deliveries.len()).unwrap_or(u64::MAX);
    if shown < total {
        output::line(format!("{shown} of {total}; see more with --limit"))?;
    }
    Ok(())
}

/// What is asked for.
enum Wanted {
    OfPayment(MerchantReference),
    Newest(DeliveryQuery),
}

impl DeliveryListOptions {
    fn wanted(&self) -> Result<Wanted, Failure> {
        if let Some(reference) = &self.reference {
            let reference = MerchantReference::parse(reference);
            let reference = reference.map_err(|error| Failure::flag("--reference", error))?;
            return Ok(Wanted::OfPayment(reference));
        }
        let endpoint = self.endpoint.as_deref().map(endpoint_id);
        Ok(Wanted::Newest(DeliveryQuery {
            endpoint: endpoint.transpose()?,
            parked: self.parked,
            offset: 0,
            length: self.limit,
            sort: Sort::Descending,
        }))
    }
}

async fn read(
    context: &AdminContext,
    account: &AccountId,
    wanted: &Wanted,
) -> Result<(Vec<(Delivery, Vec<Attempt>)>, u64), Failure> {
    match wanted {
        Wanted::Newest(query) => {
            let page = context.outbox.deliveries(account, query).await?;
            Ok((page.deliveries, page.found))
        }
        Wanted::OfPayment(reference) => {
            let payment = context
                .transactions
                .by_reference(account, reference)
                .await?;
            let payment = payment.ok_or_else(|| no_such_payment(account, reference))?;
            let found = context
                .outbox
                .deliveries_of(account, payment.number)
                .await?;
            let total = u64::try_from(found.len()).unwrap_or(u64::MAX);
            Ok((found, total))
        }
    }
}
