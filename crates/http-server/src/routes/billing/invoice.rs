//! `/billing/invoice` and what is below it. They must leave it to what was credited how much was
//! paid, and show invoices of the account in the request alone.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use crate::routes::shown_with::ShownWith;
use application::Gateway;
use application::expected_version::ExpectedVersion;
use application::invoices::{InvoiceName, InvoiceStep};
use domain::invoice::{InvoiceState, InvoiceStatus};
use http::StatusCode;
use wire::billing::invoice_document::{self, InvoiceForm};
use wire::billing::invoice_terms;
use wire::billing::invoices::{self, InvoicesPart, ShownInvoice, view_one};
use wire::collection::CollectionContext;
use wire::transaction::parse_reference;

/// What the invoices of a request are shown with.
struct InvoicesWith {
    all: ShownWith,
    /// Whether customers reach pages.
    has_pages: bool,
}

impl InvoicesWith {
    fn of(gateway: &Gateway, call: &AuthenticatedRequest) -> Self {
        Self {
            all: ShownWith::of(gateway, call),
            has_pages: gateway.is_checkout_ready(&call.merchant),
        }
    }

    fn context(&self, gateway: &Gateway) -> CollectionContext<'_> {
        self.all.context(gateway)
    }
}

pub(super) async fn create(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let shown_with = InvoicesWith::of(&gateway, &call);
    let wanted = invoice_terms::parse(&call.attributes, call.handling, &shown_with.all.zone)?;
    let made = gateway.create_invoice(&call.merchant, wanted, call.retry_key());
    let made = made.await?;
    let reply = shown(&gateway, (StatusCode::CREATED, &made.state), &shown_with);
    let reply = reply.located(&invoices::path(&made.state.invoice.reference));
    Ok(reply.marked(made.replay))
}

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let paging = invoices::parse_list(&call.attributes, call.handling)?;
    let wanted = collection::page_of(&paging);
    let found = gateway.invoices(&call.merchant, wanted).await?;
    let shown_with = InvoicesWith::of(&gateway, &call);
    let all = found.invoices.iter();
    let all: Vec<_> = all.map(|it| with_page(&gateway, it, &shown_with)).collect();
    let part = InvoicesPart {
        invoices: &all,
        total: found.total,
    };
    let fields = invoices::view(part, &paging, shown_with.context(&gateway));
    let reply = HttpReply::success(StatusCode::OK, "The invoices.", fields);
    let links = invoices::link_header(part, &paging);
    Ok(collection::part(reply, found.total, &links))
}

pub(super) async fn report(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let reference = parse_reference(&call.attributes, call.handling)?;
    let name = InvoiceName::Reference(&reference);
    let found = gateway.invoice(&call.merchant, name).await?;
    let shown_with = InvoicesWith::of(&gateway, &call);
    Ok(shown(&gateway, (StatusCode::OK, &found), &shown_with))
}

pub(super) async fn document(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let (reference, form) = invoice_document::parse(&call.attributes, call.handling)?;
    let name = InvoiceName::Reference(&reference);
    let found = gateway.invoice(&call.merchant, name).await?;
    let shown_with = InvoicesWith::of(&gateway, &call);
    match form {
        InvoiceForm::Pdf => {}
        InvoiceForm::Fields => {
            return Ok(shown(&gateway, (StatusCode::OK, &found), &shown_with));
        }
    }
    let page = with_page(&gateway, &found, &shown_with).page;
    let pages = invoice_document::file(
        &call.merchant.account.name,
        (&found, page.as_deref()),
        shown_with.context(&gateway),
    );
    let opened = found.invoice.stage.opened();
    let name = match opened {
        Some(opened) => format!("{}.pdf", opened.number),
        None => format!("draft-{reference}.pdf"),
    };
    Ok(HttpReply::pdf(pages.into()).attached(&name))
}

pub(super) async fn open(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    change(gateway, call, InvoiceStep::Open).await
}

pub(super) async fn void(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    change(gateway, call, InvoiceStep::Void).await
}

async fn change(
    gateway: Gateway,
    call: AuthenticatedRequest,
    step: InvoiceStep,
) -> Result<HttpReply, HttpReply> {
    let (number, stated) = invoices::parse_change(&call.attributes, call.handling)?;
    let seen = ExpectedVersion {
        stated,
        only_in: call.only_in.clone(),
    };
    let changed = gateway.change_invoice(&call.merchant, (number, step), &seen);
    let changed = changed.await?;
    let shown_with = InvoicesWith::of(&gateway, &call);
    Ok(shown(&gateway, (StatusCode::OK, &changed), &shown_with))
}

/// An invoice with the address of the page on which it is paid, where customers reach it.
fn with_page<'a>(
    gateway: &Gateway,
    state: &'a InvoiceState,
    shown_with: &InvoicesWith,
) -> ShownInvoice<'a> {
    let bill = state.invoice.bill().filter(|_| shown_with.has_pages);
    ShownInvoice {
        state,
        page: bill.map(|bill| gateway.checkout_links(&bill).page),
    }
}

/// An answer that shows an invoice, with its version for `If-Match`.
fn shown(
    gateway: &Gateway,
    (status, state): (StatusCode, &InvoiceState),
    shown_with: &InvoicesWith,
) -> HttpReply {
    let context = shown_with.context(gateway);
    let said = match state.status(context.now) {
        InvoiceStatus::Draft => "The invoice is a draft.",
        InvoiceStatus::Open => "The invoice is to be paid.",
        InvoiceStatus::Paid => "The invoice is paid.",
        InvoiceStatus::Void => "The invoice is void.",
        InvoiceStatus::Overdue => "The invoice is overdue.",
    };
    let fields = view_one(&with_page(gateway, state, shown_with), context);
    let reply = HttpReply::success(status, said, fields);
    reply.in_version(state.invoice.version)
}

#[cfg(test)]
#[path = "invoice_tests.rs"]
mod tests;
