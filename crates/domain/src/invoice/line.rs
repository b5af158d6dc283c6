//! Lines of an invoice and what they come to. Tax is rounded once for each line, so that the lines
//! that are shown add up to the totals that are shown.

use super::INVOICE_LINES_MAX;
use crate::bank::GroupLabel;
use crate::collection::{COLLECTION_MAX, NewCollection, SALE_QUANTITY_MAX, SaleItem};
use crate::money::{Currency, Money};
use crate::percent::Percent;

/// One line of an invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoiceLine {
    /// What is sold, how many of it, and what one costs before tax.
    pub item: SaleItem,
    /// The share of the line that is value-added tax, on top of it; `None` where none is due.
    pub vat_rate: Option<Percent>,
}

/// What an invoice comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvoiceTotals {
    /// The value-added tax on all lines.
    pub vat: Money,
    /// All of it, with the tax.
    pub total: Money,
}

impl InvoiceLine {
    /// What the line costs before tax; `None` above the largest amount.
    pub fn net(&self) -> Option<Money> {
        self.item.total()
    }

    /// The value-added tax on the line, rounded half-up to the kobo.
    pub fn vat(&self) -> Option<Money> {
        let net = self.net()?;
        match self.vat_rate {
            Some(rate) => rate.of(net),
            None => Some(Money::zero(net.currency())),
        }
    }

    /// Whether it is one: a price above zero, and as many pieces as a sale may have.
    pub fn fits(&self) -> bool {
        self.item.amount.is_positive()
            && (1..=SALE_QUANTITY_MAX).contains(&self.item.quantity)
            && self.net().is_some()
    }

    /// What the payer is shown as sold: the lines, and the tax as a line of its own, so that they
    /// add up to the total.
    pub(super) fn sold(lines: &[Self], totals: InvoiceTotals) -> Vec<SaleItem> {
        let tax = GroupLabel::parse("VAT").ok().map(|name| SaleItem {
            name,
            quantity: 1,
            amount: totals.vat,
        });
        let items = lines.iter().map(|line| line.item.clone());
        items
            .chain(tax.filter(|_| totals.vat.is_positive()))
            .collect()
    }
}

impl InvoiceTotals {
    /// What some lines come to; `None` where they are too few or too many, or come to an amount
    /// that is not collected ([`NewCollection::check`]).
    pub fn of(lines: &[InvoiceLine]) -> Option<Self> {
        if !(1..=INVOICE_LINES_MAX).contains(&lines.len()) {
            return None;
        }
        let zero = Money::zero(Currency::Ngn);
        let bounded = |sum: Money| (sum.minor() <= COLLECTION_MAX.minor()).then_some(sum);
        let (net, vat) = lines.iter().try_fold((zero, zero), |(net, vat), line| {
            let net = net.checked_add(line.net()?).and_then(bounded)?;
            let vat = vat.checked_add(line.vat()?).and_then(bounded)?;
            Some((net, vat))
        })?;
        let total = net.checked_add(vat)?;
        NewCollection::check(total).ok()?;
        Some(Self { vat, total })
    }

    /// What all lines cost before tax.
    pub fn net(self) -> Money {
        let zero = Money::zero(self.total.currency());
        self.total.checked_sub(self.vat).unwrap_or(zero)
    }
}
