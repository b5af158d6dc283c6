//! Invoices. A number must be given while the tables are locked, and never twice.

use super::collections::part;
use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::collection::{Collection, CollectionAdmission};
use domain::invoice::{Invoice, InvoiceNumber, InvoiceState, OpenedInvoice};
use domain::money::{Currency, Money};
use ports::PortError;
use ports::batches::PageOf;
use ports::invoices::{InvoiceName, InvoiceOpening, InvoicePage, InvoiceWrite, Invoices};

impl MemoryTables {
    fn invoice_state(&self, invoice: &Invoice) -> InvoiceState {
        let payments = self.collections.payments.iter();
        let own = payments.filter(|paid| {
            let is_opened = invoice.stage.opened().is_some();
            is_opened && paid.account == invoice.account && paid.collection == invoice.number
        });
        let paid = own.map(|paid| paid.amount.minor()).sum();
        InvoiceState {
            invoice: invoice.clone(),
            paid: Money::from_minor(paid, Currency::Ngn),
        }
    }

    /// What stands in the way of a draft, or of opening one that is stored.
    fn invoice_in_the_way(&self, draft: &Invoice, is_stored: bool) -> Option<InvoiceWrite> {
        if self.account(&draft.account).is_none() {
            return Some(InvoiceWrite::AccountUnknown);
        }
        let invoices = || {
            self.invoices
                .iter()
                .filter(|it| it.account == draft.account)
        };
        let collections = || {
            let all = self.collections.collections.iter();
            all.filter(|it| it.account == draft.account)
        };
        let is_drawn = !is_stored && invoices().any(|it| it.number == draft.number)
            || collections().any(|it| it.number == draft.number);
        if is_drawn {
            return Some(InvoiceWrite::NumberTaken);
        }
        if !is_stored && invoices().any(|it| it.reference == draft.reference) {
            return Some(InvoiceWrite::ReferenceTaken);
        }
        collections()
            .any(|it| it.reference == draft.reference)
            .then_some(InvoiceWrite::CollectionTaken)
    }

    /// What an invoice is opened with, and its collection.
    fn invoice_opened(
        &self,
        draft: &Invoice,
        opening: &InvoiceOpening,
    ) -> Result<(OpenedInvoice, Collection), InvoiceWrite> {
        let mut collections = self.collections.collections.iter();
        if collections.any(|it| it.kind.payee() == opening.payable.as_str()) {
            return Err(InvoiceWrite::NumberTaken);
        }
        let own = self
            .invoices
            .iter()
            .filter(|it| it.account == draft.account);
        let last = own
            .filter_map(|it| it.stage.opened())
            .max_by_key(|it| it.number);
        let opened = OpenedInvoice {
            number: InvoiceNumber::after(last.map(|it| it.number)).expect("a number"),
            payable: opening.payable.clone(),
            at: last.map_or(opening.at, |it| opening.at.max(it.at)),
        };
        let bill = draft.created_open(opened.clone()).bill();
        Ok((opened, bill.expect("a collection of an opened invoice")))
    }

    fn stored_invoice(&mut self, read: &Invoice) -> Option<&mut Invoice> {
        let mut all = self.invoices.iter_mut();
        all.find(|it| {
            (&it.account, it.number, it.version) == (&read.account, read.number, read.version)
        })
    }
}

#[async_trait]
impl Invoices for MemoryStore {
    async fn create_invoice(
        &self,
        draft: &Invoice,
        opening: Option<&InvoiceOpening>,
    ) -> Result<InvoiceWrite, PortError> {
        let mut tables = self.tables();
        if let Some(obstacle) = tables.invoice_in_the_way(draft, false) {
            return Ok(obstacle);
        }
        let mut created = draft.clone();
        if let Some(opening) = opening {
            match tables.invoice_opened(draft, opening) {
                Ok((opened, bill)) => {
                    created = draft.created_open(opened);
                    tables.collections.collections.push(bill);
                }
                Err(obstacle) => return Ok(obstacle),
            }
        }
        tables.invoices.push(created.clone());
        Ok(InvoiceWrite::Done(Box::new(created)))
    }

    async fn open_invoice(
        &self,
        draft: &Invoice,
        opening: &InvoiceOpening,
    ) -> Result<InvoiceWrite, PortError> {
        let mut tables = self.tables();
        if tables.stored_invoice(draft).is_none() {
            return Ok(InvoiceWrite::Conflict);
        }
        if let Some(obstacle) = tables.invoice_in_the_way(draft, true) {
            return Ok(obstacle);
        }
        match tables.invoice_opened(draft, opening) {
            Ok((opened, bill)) => {
                let opened = draft.opened(opened);
                tables.collections.collections.push(bill);
                if let Some(stored) = tables.stored_invoice(draft) {
                    *stored = opened.clone();
                }
                Ok(InvoiceWrite::Done(Box::new(opened)))
            }
            Err(obstacle) => Ok(obstacle),
        }
    }

    async fn void_invoice(&self, invoice: &Invoice) -> Result<InvoiceWrite, PortError> {
        let mut tables = self.tables();
        if tables.invoice_state(invoice).paid.is_positive() {
            return Ok(InvoiceWrite::Paid);
        }
        let Some(stored) = tables.stored_invoice(invoice) else {
            return Ok(InvoiceWrite::Conflict);
        };
        let voided = invoice.voided();
        *stored = voided.clone();
        let mut collections = tables.collections.collections.iter_mut();
        let own =
            collections.find(|it| it.account == invoice.account && it.number == invoice.number);
        if let Some(bill) = own {
            bill.admission = CollectionAdmission::Closed;
            bill.version = bill.version.saturating_add(1);
        }
        Ok(InvoiceWrite::Done(Box::new(voided)))
    }

    async fn invoice(
        &self,
        account: &AccountId,
        name: InvoiceName<'_>,
    ) -> Result<Option<InvoiceState>, PortError> {
        let tables = self.tables();
        let mut own = tables.invoices.iter().filter(|it| it.account == *account);
        let found = own.find(|it| match name {
            InvoiceName::Reference(reference) => it.reference == *reference,
            InvoiceName::Number(number) => it.number == number,
        });
        Ok(found.map(|it| tables.invoice_state(it)))
    }

    async fn invoices(&self, account: &AccountId, page: PageOf) -> Result<InvoicePage, PortError> {
        let tables = self.tables();
        let own = tables.invoices.iter().filter(|it| it.account == *account);
        let mut own: Vec<_> = own.map(|it| tables.invoice_state(it)).collect();
        own.sort_by_key(|it| (it.invoice.created_at, it.invoice.number));
        let total = own.len() as u64;
        Ok(InvoicePage {
            invoices: part(own, page),
            total,
        })
    }
}
