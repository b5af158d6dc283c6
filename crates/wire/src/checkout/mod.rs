//! `/checkout`: sessions in which customers pay on a page of the gateway. An answer must show as
//! paid what was credited, and nothing else.

use crate::attribute::{self, Attribute};
use crate::attributes::Attributes;
use crate::collection::{CollectionContext, amount, naira_alone};
use crate::page::{self, Paging};
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::account::EmailAddress;
use domain::bank::GroupLabel;
use domain::collection::{
    CheckoutStatus, CheckoutTerms, CollectedPayment, CollectionState, NewCheckout, NewCollection,
    RedirectUrl, SALE_ITEMS_MAX, SALE_QUANTITY_MAX, SaleItem,
};
use domain::money::{Currency, Money};
use domain::phone::PhoneNumber;
use domain::reference::MerchantReference;

const PATH: &str = "/checkout/session";

/// The only way in which a session is paid.
pub const TRANSFER: &str = "transfer";

/// Ways of other gateways, which this one has none of.
const NOT_OFFERED: [&str; 4] = ["card", "ussd", "bank", "wallet"];

/// A session, and the address of its page.
#[derive(Debug, Clone, Copy)]
pub struct ShownCheckout<'a> {
    pub state: &'a CollectionState,
    pub terms: &'a CheckoutTerms,
    pub page: &'a str,
}

/// Reads the session that is wanted; moments are in the time zone of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    zone: &Zone,
) -> Result<NewCollection, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let total = amount(&mut reader, &attribute::AMOUNT);
    let total = reader.needed(&attribute::AMOUNT, total, "a session");
    let currency = reader.required(&attribute::CURRENCY, naira_alone);
    let customer = customer(&mut reader);
    let channels = reader.required(&attribute::CHECKOUT_CHANNELS, channels);
    let redirect = reader.required(&attribute::REDIRECT_URL, RedirectUrl::parse);
    let expires_at = reader.optional(&attribute::CHECKOUT_EXPIRES, |text| zone.parse(text));
    let items = items(&mut reader, (total.as_ref().ok().copied(), handling));
    reader.finish(|| {
        let (customer, email, phone) = customer?;
        currency?;
        channels?;
        Ok(NewCollection::Checkout(NewCheckout {
            reference: reference?,
            amount: total?,
            customer,
            email,
            phone,
            redirect: redirect?,
            items: items?,
            expires_at: expires_at?,
        }))
    })
}

fn channels(text: &str) -> Result<(), String> {
    let named: Vec<_> = text.split(',').map(str::trim).collect();
    let others = |it: &&&str| !it.eq_ignore_ascii_case(TRANSFER);
    let is_known = |word: &str| NOT_OFFERED.iter().any(|it| it.eq_ignore_ascii_case(word));
    match named.iter().find(others) {
        None => Ok(()),
        Some(other) if is_known(other) => Err(format!(
            "{other} is not offered here; send {TRANSFER} alone"
        )),
        Some(_) => Err(format!("must be {TRANSFER}")),
    }
}

/// A customer without a name is called by the address or the number.
type Customer = (GroupLabel, Option<EmailAddress>, Option<PhoneNumber>);

fn customer(reader: &mut FieldReader<'_>) -> Result<Customer, InvalidField> {
    let name = reader.optional(&attribute::CUSTOMER_NAME, GroupLabel::parse);
    let email = reader.optional(&attribute::CUSTOMER_EMAIL, EmailAddress::parse);
    let phone = reader.optional(&attribute::CUSTOMER_TELEPHONE, PhoneNumber::parse);
    let (name, email, phone) = (name?, email?, phone?);
    let contact = CheckoutTerms::contact_of(email.as_ref(), phone.as_ref());
    let Some(contact) = contact else {
        let message = "is required where customerPhone is not sent; add one of them to the body";
        return Err(reader.fault(&attribute::CUSTOMER_EMAIL, message));
    };
    let name = name.unwrap_or(contact);
    Ok((name, email, phone))
}

/// The items, which add up to the total where there are any.
fn items(
    reader: &mut FieldReader<'_>,
    (total, handling): (Option<Money>, Handling),
) -> Result<Vec<SaleItem>, InvalidField> {
    let read = |item: &Attributes| item_of(item, handling);
    let items = reader.optional_objects(&attribute::ITEMS, SALE_ITEMS_MAX, read)?;
    let Some(total) = total.filter(|_| !items.is_empty()) else {
        return Ok(items);
    };
    match SaleItem::sum(&items) {
        Some(sum) if sum == total => Ok(items),
        Some(sum) => {
            let message = format!("must add up to amount, {total}, but come to {sum}");
            Err(reader.fault(&attribute::ITEMS, &message))
        }
        None => Err(reader.fault(&attribute::ITEMS, "come to more than may be collected")),
    }
}

fn item_of(attributes: &Attributes, handling: Handling) -> Result<SaleItem, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let name = reader.required(&attribute::ITEM_NAME, GroupLabel::parse);
    let quantity = reader.integer(&attribute::ITEM_QUANTITY, 1..=SALE_QUANTITY_MAX.into());
    let quantity = reader.needed(&attribute::ITEM_QUANTITY, quantity, "an item");
    let price = amount(&mut reader, &attribute::AMOUNT);
    let price = reader.needed(&attribute::AMOUNT, price, "an item");
    reader.finish(|| {
        Ok(SaleItem {
            name: name?,
            quantity: u32::try_from(quantity?).unwrap_or(SALE_QUANTITY_MAX),
            amount: price?,
        })
    })
}

/// Reads which sessions are requested.
pub fn parse_list(attributes: &Attributes, handling: Handling) -> Result<Paging<()>, Violations> {
    crate::collection::parse_list(attributes, handling)
}

/// Reads which session is to be cancelled, and the version of it that was seen.
pub fn parse_cancel(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(MerchantReference, Option<u32>), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let seen = reader.version();
    reader.finish(|| Ok((reference?, seen?)))
}

/// The word of a status.
pub const fn status(status: CheckoutStatus) -> &'static str {
    match status {
        CheckoutStatus::Open => "Open",
        CheckoutStatus::Paid => "Paid",
        CheckoutStatus::Expired => "Expired",
        CheckoutStatus::Cancelled => "Cancelled",
    }
}

/// A session and what was paid in it.
pub fn view_one(shown: ShownCheckout<'_>, context: CollectionContext<'_>) -> Object {
    let ShownCheckout { state, terms, page } = shown;
    let (collection, zone) = (&state.collection, context.zone);
    let receiving = context.receiving;
    let net = state.paid.total.checked_sub(state.paid.fees);
    let expires_at = collection.expires_at;
    Object::new()
        .with("mrcReference", collection.reference.as_str())
        .with("chkIdentifier", collection.number.get())
        .with("chkUrl", page)
        .with("chkStatus", status(state.checkout_status(context.now)))
        .with(
            "chkChannels",
            Node::texts("chkChannel", [TRANSFER.to_owned()]),
        )
        .with("chkExpires", expires_at.map(|it| zone.date_time(it)))
        .with("txnAmount", collection.amount)
        .with("currency", Currency::Ngn.code())
        .with("customerName", collection.payer.as_str())
        .with(
            "customerEmail",
            terms.email.as_ref().map(EmailAddress::as_str),
        )
        .with(
            "customerPhone",
            terms.phone.as_ref().map(PhoneNumber::digits),
        )
        .with("redirectUrl", terms.redirect.as_str())
        .with("items", Node::objects("item", terms.items.iter().map(item)))
        .with("colReference", terms.reference.as_str())
        .with("bankFullname", receiving.map(|it| it.bank.as_str()))
        .with("accountNumber", receiving.map(|it| it.number.digits()))
        .with("accountName", receiving.map(|it| it.name.as_str()))
        .with("chkPaid", state.paid.total)
        .with("chkDifference", state.difference())
        .with("txnCharges", state.paid.fees)
        .with("chkNet", net)
        .with("txnDate", zone.date_time(collection.created_at))
        .with("version", u64::from(collection.version))
}

fn item(item: &SaleItem) -> Object {
    Object::new()
        .with("name", item.name.as_str())
        .with("quantity", u64::from(item.quantity))
        .with("amount", item.amount)
}

/// A session that was opened, with the key of the signature of its redirect.
pub fn view_opened(
    shown: ShownCheckout<'_>,
    secret: &str,
    context: CollectionContext<'_>,
) -> Object {
    view_one(shown, context).with("chkSecret", secret)
}

/// A session with who paid last.
pub fn view_report(
    shown: ShownCheckout<'_>,
    last: Option<&CollectedPayment>,
    context: CollectionContext<'_>,
) -> Object {
    let paid_at = last.map(|it| context.zone.date_time(it.paid_at));
    view_one(shown, context)
        .with("chkChannel", last.map(|_| TRANSFER))
        .with("payDate", paid_at)
        .with("payerName", last.and_then(|it| it.payer.name.as_deref()))
        .with("payerBank", last.and_then(|it| it.payer.bank.as_deref()))
}

/// A page of sessions.
pub fn view(
    sessions: &[ShownCheckout<'_>],
    (query, total): (&Paging<()>, u64),
    context: CollectionContext<'_>,
) -> Object {
    let all = sessions.iter().map(|it| view_one(*it, context));
    Object::new()
        .with("sessions", Node::objects("session", all))
        .with("metadata", page::metadata(sessions.len()))
        .with("query", page::query(&query.window(total)))
}

/// The `Link` header of the answer (RFC 8288).
pub fn link_header((query, total): (&Paging<()>, u64)) -> String {
    query.link_header(PATH, total)
}

/// The address of a session, for `Location`.
pub fn path(reference: &MerchantReference) -> String {
    let name: &Attribute = &attribute::REFERENCE;
    format!("{PATH}/transaction?{}={reference}", name.name)
}

#[cfg(test)]
mod tests;
