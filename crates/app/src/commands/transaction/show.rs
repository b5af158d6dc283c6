//! `manilla transaction show`. It must show everything that is known of one payment, and nothing
//! that is a secret: no token, no text of a message.

use application::price_overrides::catalogue_of_rule;
use clap::Args;
use domain::reference::MerchantReference;
use domain::transaction::Transaction;
use serde::Serialize;

use super::attempts::{self, AttemptRow, RouteRow};
use super::next::NextStep;
use super::state_words;
use crate::commands::delivery::{ShownDelivery, table};
use crate::commands::{identity, known, moment, no_such_payment};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla transaction show --identity shop_1 --reference order-7
  manilla transaction show --identity shop_1 --reference order-7 --json

Times are in UTC. A refusal says whose fault it is: the order's, our account's at the provider
(float, keys), the moment's (busy, down), or a look-alike of an earlier order.

A DELIVERY is an event on its way to an endpoint of the merchant: due, delivered, or parked after
every attempt had failed; `manilla webhook replay` has it made again.")]
pub(crate) struct TransactionShowOptions {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    #[arg(long, help = "mrcReference of the payment")]
    reference: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    mrc_identity: String,
    mrc_reference: String,
    txn_reference: u64,
    order: String,
    state: &'static str,
    amount: String,
    price: String,
    currency: &'static str,
    /// The rule that made the price.
    rule: String,
    /// The version of the catalogue it was made by; 0 is that of the program.
    catalogue_version: u32,
    opened_at: String,
    updated_at: String,
    attempts: Vec<AttemptRow>,
    events: Vec<EventRow>,
    transfers: Vec<TransferRow>,
    /// Of its events to the endpoints of the merchant.
    deliveries: Vec<ShownDelivery>,
    next: NextStep,
}

#[derive(Serialize)]
struct EventRow {
    sequence: u32,
    event: &'static str,
    at: String,
}

#[derive(Serialize)]
struct TransferRow {
    kind: &'static str,
    amount: String,
    currency: &'static str,
    at: String,
}

impl Document {
    async fn read(context: &AdminContext, tx: &Transaction) -> Result<Self, Failure> {
        let (account, number) = (&tx.account, tx.number);
        let events = context.transactions.events(account, number).await?;
        let transfers = context.transactions.transfers(account, number).await?;
        let deliveries = context.outbox.deliveries_of(account, number).await?;
        let due_at = context.transactions.due_at(account, number).await?;
        let events = events.into_iter().map(|event| EventRow {
            sequence: event.sequence,
            event: event.kind.code(),
            at: moment(event.at),
        });
        let transfers = transfers.into_iter().map(|transfer| TransferRow {
            kind: transfer.kind.code(),
            amount: transfer.amount.to_string(),
            currency: transfer.amount.currency().code(),
            at: moment(transfer.at),
        });
        Ok(Self {
            mrc_identity: tx.account.to_string(),
            mrc_reference: tx.reference.to_string(),
            txn_reference: tx.number.get(),
            order: tx.order.narration(),
            state: state_words::of(&tx.state),
            amount: tx.quote.amount.to_string(),
            price: tx.charged().price.to_string(),
            currency: tx.quote.price.currency().code(),
            rule: tx.quote.rule.clone(),
            catalogue_version: catalogue_of_rule(&tx.quote.rule),
            opened_at: moment(tx.opened_at),
            updated_at: moment(tx.updated_at),
            attempts: attempts::of(tx),
            events: events.collect(),
            transfers: transfers.collect(),
            deliveries: deliveries.iter().map(ShownDelivery::of).collect(),
            next: NextStep::of(tx, due_at),
        })
    }

    fn text(&self) -> String {
        let price = format!("{} {}", self.currency, self.price);
        let head = [
            ["account", &self.mrc_identity],
            ["reference", &self.mrc_reference],
            ["order", &self.order],
            ["price", &price],
            ["priced by", &self.rule],
            ["state", self.state],
            ["opened", &self.opened_at],
            ["changed", &self.updated_at],
            ["next", &self.next.text()],
        ];
        let head: Vec<_> = head.iter().map(|row| row.map(str::to_owned)).collect();
        let attempts: Vec<_> = self.attempts.iter().map(attempt).collect();
        let events: Vec<_> = self.events.iter().map(event).collect();
        let transfers: Vec<_> = self.transfers.iter().map(transfer).collect();
        let attempts = output::table(
            ["ATTEMPT", "PROVIDER", "ROUTE", "STATE", "SINCE", "BECAUSE"],
            &attempts,
        );
        let events = output::table(["EVENT", "KIND", "AT"], &events);
        let transfers = output::table(["TRANSFER", "AMOUNT", "AT"], &transfers);
        let mut parts = vec![output::columns(&head), attempts, events, transfers];
        if !self.deliveries.is_empty() {
            parts.push(table(&self.deliveries));
        }
        parts.join("\n\n")
    }
}

fn attempt(row: &AttemptRow) -> [String; 6] {
    let late = row.contradicted_at.as_ref().map(|at| {
        let back = row.taken_back_at.as_ref();
        let back = back.map(|at| format!(", taken back at {at}"));
        format!(
            "; delivered after all, said at {at}{}",
            back.unwrap_or_default()
        )
    });
    let kind = row.refusal.as_ref().map(|refusal| {
        let fault = refusal.kind;
        format!(" ({fault})")
    });
    let id = row
        .provider_id
        .as_ref()
        .map(|id| format!("; its id is {id}"));
    let cost = row.cost.as_ref().map(|cost| format!("; it cost {cost}"));
    let because = [Some(row.because.clone()), kind, late, id, cost];
    let because: String = because.into_iter().flatten().collect();
    [
        row.attempt.to_string(),
        row.provider.clone(),
        row.route.as_ref().map(RouteRow::text).unwrap_or_default(),
        row.state.to_owned(),
        row.since.clone(),
        because,
    ]
}

fn event(row: &EventRow) -> [String; 3] {
    [
        row.sequence.to_string(),
        row.event.to_owned(),
        row.at.clone(),
    ]
}

fn transfer(row: &TransferRow) -> [String; 3] {
    let amount = format!("{} {}", row.amount, row.currency);
    [row.kind.to_owned(), amount, row.at.clone()]
}

pub(super) async fn run(options: &TransactionShowOptions, config: &Config) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let reference = MerchantReference::parse(&options.reference)
        .map_err(|error| Failure::flag("--reference", error))?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let document = async {
        let stored = context
            .gateway
            .under_reference(&account, &reference)
            .await?;
        if let Some(tx) = stored {
            return Document::read(&context, &tx).await;
        }
        known(&context, &account).await?;
        Err(no_such_payment(&account, &reference))
    };
    let document = document.await;
    context.close().await;
    let document = document?;
    if options.json {
        return Ok(output::json(&document)?);
    }
    Ok(output::line(document.text())?)
}
