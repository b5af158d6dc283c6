//! Errors about invoices. An invoice of another account and one that does not exist must get the
//! same answer.

use super::{conflict, invalid, reference_used, unknown};
use crate::reply::HttpReply;
use application::collections::CollectionSort;
use application::invoices::InvoiceError;
use domain::reference::MerchantReference;
use http::StatusCode;
use wire::attribute::{DUE_DATE, IF_MATCH, INVOICE, REFERENCE, VERSION};
use wire::billing::invoices;
use wire::checkout;
use wire::collection::{account, invoice};
use wire::violations::Violations;

impl From<InvoiceError> for HttpReply {
    fn from(refused: InvoiceError) -> Self {
        match refused {
            InvoiceError::ReferenceTaken(reference) => reference_used(
                "was used before; Location leads to its invoice, use another for a new one",
                &invoices::path(&reference),
            ),
            InvoiceError::CollectionTaken(reference, sort) => reference_used(
                "was used before for a collection, and an invoice is paid under its reference; \
                 Location leads to the collection, use another for a new invoice",
                &address(sort, &reference),
            ),
            InvoiceError::DueOver => invalid(&DUE_DATE, "is over; send a moment that is to come"),
            InvoiceError::DueFar => invalid(
                &DUE_DATE,
                "is too far away; an invoice is due within ten years",
            ),
            InvoiceError::DraftOver => conflict(
                &INVOICE,
                "The invoice cannot be opened.",
                "names a draft whose dueDate is over; nothing was done: void it and create \
                 another one"
                    .to_owned(),
            ),
            InvoiceError::Unknown => unknown(
                &INVOICE,
                "names no invoice of your account; GET /billing/invoice lists those you have",
            ),
            InvoiceError::ReferenceUnknown => unknown(
                &REFERENCE,
                "names no invoice of your account; GET /billing/invoice lists those you have",
            ),
            InvoiceError::Stale(version) => conflict(
                &VERSION,
                "The version does not match.",
                format!("is not the version of the invoice, {version}; look at it again"),
            ),
            InvoiceError::Changed => Self::params(
                StatusCode::PRECONDITION_FAILED,
                "The invoice was changed.",
                Violations::of(
                    &IF_MATCH,
                    "matches no present version of the invoice; read it again and repeat the \
                     change with its ETag",
                ),
            ),
            InvoiceError::Void => conflict(
                &INVOICE,
                "The invoice is void.",
                "names an invoice that is void, which is for ever; create another one".to_owned(),
            ),
            InvoiceError::Paid => conflict(
                &INVOICE,
                "The invoice cannot be voided.",
                "names an invoice to which something was paid; nothing was done".to_owned(),
            ),
            InvoiceError::Request(refused) => refused.into(),
        }
    }
}

/// The address of what has a reference.
pub(super) fn address(sort: CollectionSort, reference: &MerchantReference) -> String {
    match sort {
        CollectionSort::Account => account::path(reference),
        CollectionSort::Invoice => invoice::path(reference),
        CollectionSort::Checkout => checkout::path(reference),
        CollectionSort::Bill => invoices::path(reference),
    }
}
