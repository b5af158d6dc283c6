//! `/collection`: account numbers and payment references, and what is paid to them. An answer must
//! show as paid what was credited, and nothing else.

pub mod account;
pub mod invoice;
pub mod payment;
pub mod step;

use crate::attribute::{self, Attribute};
use crate::page::{self, Paging};
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::tree::{Node, Object};
use crate::zone::Zone;
use crate::{attributes::Attributes, violations::Violations};
use domain::bank::GroupLabel;
use domain::collection::{CollectionKind, CollectionState, CollectionStatus, NewCollection};
use domain::money::{Currency, Money};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use domain::top_up::ReceivingAccount;

/// The only order of lists: by the moment it was made.
const ORDERS: [(&str, ()); 1] = [("txnDate", ())];

/// What collections, checkout sessions and invoices are shown with.
#[derive(Debug, Clone, Copy)]
pub struct CollectionContext<'a> {
    /// Where those who name a payment reference pay into.
    pub receiving: Option<&'a ReceivingAccount>,
    /// The present moment.
    pub now: Timestamp,
    /// The time zone of the account.
    pub zone: &'a Zone,
}

/// A page of the collections of an account.
#[derive(Debug, Clone, Copy)]
pub struct CollectionsPart<'a> {
    pub collections: &'a [CollectionState],
    /// The number of collections of the kind.
    pub total: u64,
}

/// Reads which collections are requested.
pub fn parse_list(attributes: &Attributes, handling: Handling) -> Result<Paging<()>, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = Paging::read(&mut reader, &ORDERS);
    reader.finish(|| paging)
}

/// The word of a status.
pub const fn status(status: CollectionStatus) -> &'static str {
    match status {
        CollectionStatus::Active => "Active",
        CollectionStatus::Open => "Open",
        CollectionStatus::Part => "Part",
        CollectionStatus::Paid => "Paid",
        CollectionStatus::Expired => "Expired",
        CollectionStatus::Suspended => "Suspended",
        CollectionStatus::Closed => "Closed",
    }
}

/// A collection and what was paid to it.
pub fn view_one(state: &CollectionState, context: CollectionContext<'_>) -> Object {
    let shown = match &state.collection.kind {
        CollectionKind::Account(made) => account::fields(state, made, context.zone),
        CollectionKind::Invoice {
            reference,
            purpose,
            in_parts,
        } => invoice::fields(state, (reference, *purpose, *in_parts), context),
        // Their own families show what else they have.
        CollectionKind::Checkout(_) | CollectionKind::Bill(_) => identity(state),
    };
    let collection = &state.collection;
    let zone = context.zone;
    shown
        .with("colStatus", status(state.status(context.now)))
        .with("colPaid", state.paid.total)
        .with("colDue", state.due())
        .with("colPayments", state.paid.count)
        .with("currency", Currency::Ngn.code())
        .with("txnDate", zone.date_time(collection.created_at))
        .with("version", u64::from(collection.version))
}

/// A page of collections: `root` is the plural of what it lists.
fn page_of(
    (plural, singular): (&'static str, &'static str),
    part: CollectionsPart<'_>,
    (query, context): (&Paging<()>, CollectionContext<'_>),
) -> Object {
    let all = part.collections.iter().map(|it| view_one(it, context));
    Object::new()
        .with(plural, Node::objects(singular, all))
        .with("metadata", page::metadata(part.collections.len()))
        .with("query", page::query(&query.window(part.total)))
}

/// What every view of a collection begins with.
fn identity(state: &CollectionState) -> Object {
    let collection = &state.collection;
    Object::new()
        .with("mrcReference", collection.reference.as_str())
        .with("colIdentifier", collection.number.get())
}

/// The address of a collection, for `Location`.
fn address(path: &str, reference: &MerchantReference) -> String {
    format!(
        "{path}/transaction?{}={reference}",
        attribute::REFERENCE.name
    )
}

fn name(reader: &mut FieldReader<'_>, of: &Attribute) -> Result<GroupLabel, InvalidField> {
    reader.required(of, GroupLabel::parse)
}

fn truth(reader: &mut FieldReader<'_>, of: &Attribute) -> Result<bool, InvalidField> {
    Ok(reader.truth(of)?.unwrap_or_default())
}

/// What is collected is naira.
pub(crate) fn naira_alone(text: &str) -> Result<(), &'static str> {
    let is_naira = text.eq_ignore_ascii_case(Currency::Ngn.code());
    is_naira.then_some(()).ok_or("must be NGN")
}

/// An amount within the limits of collections, where it was sent.
pub(crate) fn amount(
    reader: &mut FieldReader<'_>,
    of: &Attribute,
) -> Result<Option<Money>, InvalidField> {
    let amount = reader.optional_amount(of, Currency::Ngn)?;
    match amount.map(NewCollection::check) {
        None | Some(Ok(())) => Ok(amount),
        Some(Err(why)) => Err(reader.fault(of, &why.to_string())),
    }
}

fn identifier(reader: &mut FieldReader<'_>) -> Result<TransactionNumber, InvalidField> {
    reader.required(&attribute::COLLECTION, collection_number)
}

fn collection_number(text: &str) -> Result<TransactionNumber, &'static str> {
    crate::transaction::number(text)
        .ok_or("must be the colIdentifier of a collection, such as 7213340023")
}

/// What was sent of an attribute, for tests of its readers.
#[cfg(test)]
fn read<T>(
    pairs: &[(&str, &str)],
    parse: impl FnOnce(&Attributes) -> Result<T, Violations>,
) -> Result<T, Violations> {
    parse(&crate::fixtures::body(pairs))
}
