//! Transfers to cards in the sandbox. A token is one of its own where it ends in the last four
//! digits of a card.

mod lookup;
pub(crate) mod table;

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress};
use domain::card::{CardDigits, CardOrder, CardToken};
use domain::order::Service;
use domain::provider::Fulfilment;

/// The card that is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CardProduct {
    /// Its last digits: nothing needs the token.
    pub(crate) last: CardDigits,
}

impl FamilyProduct for CardProduct {
    type Order = CardOrder;

    fn of(order: &CardOrder, _: &SandboxCatalogue) -> Self {
        Self {
            last: order.last.clone(),
        }
    }

    fn is_served(order: &CardOrder, _: &SandboxCatalogue) -> bool {
        last_digits(&order.token).is_some_and(|last| last == order.last)
    }

    fn service(&self) -> Service {
        Service::Card
    }

    fn digits(&self) -> &str {
        self.last.as_str()
    }

    fn fields(&self) -> (Option<String>, Option<String>) {
        (None, None)
    }

    fn read(_: Service, fields: ProductFields<'_>) -> Option<Self> {
        let last = CardDigits::parse(fields.digits)?;
        Some(Self { last })
    }

    fn fulfilment(
        &self,
        _: &EntryFacts<'_>,
        _: Progress,
        _: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        Some(Fulfilment::Card)
    }
}

/// The digits a token of the sandbox ends in.
fn last_digits(token: &CardToken) -> Option<CardDigits> {
    let token = token.as_str();
    CardDigits::parse(token.get(token.len().saturating_sub(4)..)?)
}
