//! Money that moves beside purchases: payments to collections, codes, and invoices. As with
//! purchases, names are drawn from few.

use super::operation::ACCOUNTS;
use proptest::prelude::*;

/// How many collections, invoices and batches of codes a sequence draws from.
pub(super) const THINGS: u8 = 2;
/// How many references of steps of codes, and how many payments at a bank.
pub(super) const NAMES: u8 = 4;

/// One movement.
#[derive(Debug, Clone)]
pub enum ModelMovement {
    /// Makes a collection: an account number, a payment reference or a checkout session.
    Collection {
        /// Of which account.
        account: u8,
        /// Which.
        thing: u8,
        /// What kind of collection.
        kind: u8,
    },
    /// A payment to a collection or an invoice arrives, where there is one.
    Collect {
        /// Of which account.
        account: u8,
        /// To which.
        thing: u8,
        /// Which payment at the bank.
        session: u8,
        /// How much, in minor units.
        minor: i64,
    },
    /// Makes codes.
    Issue {
        /// Of which account.
        account: u8,
        /// Which batch.
        thing: u8,
        /// What kind of code.
        kind: u8,
    },
    /// Redeems a code.
    Redeem {
        /// Of which account.
        account: u8,
        /// The first code of which batch.
        thing: u8,
        /// Under which reference.
        name: u8,
        /// For how much, in minor units.
        minor: i64,
    },
    /// Takes a redemption back.
    RollBack {
        /// Of which account.
        account: u8,
        /// Of the first code of which batch.
        thing: u8,
        /// Under which reference.
        name: u8,
        /// Which redemption.
        original: u8,
    },
    /// Ends a code.
    Void {
        /// Of which account.
        account: u8,
        /// The first code of which batch.
        thing: u8,
        /// The version that was seen.
        seen: Option<u32>,
    },
    /// Bills a customer.
    Invoice {
        /// Of which account.
        account: u8,
        /// Which.
        thing: u8,
        /// Whether it is opened at once.
        opens: bool,
    },
    /// Opens a draft, where there is one.
    OpenInvoice {
        /// Of which account.
        account: u8,
        /// Which.
        thing: u8,
    },
    /// Voids an invoice, where there is one.
    VoidInvoice {
        /// Of which account.
        account: u8,
        /// Which.
        thing: u8,
    },
}

/// Any movement.
pub(super) fn movements() -> impl Strategy<Value = ModelMovement> {
    let of = || (0..ACCOUNTS, 0..THINGS);
    prop_oneof![
        2 => (of(), 0..3_u8).prop_map(|((account, thing), kind)| {
            ModelMovement::Collection { account, thing, kind }
        }),
        4 => (of(), 0..NAMES, minors()).prop_map(|((account, thing), session, minor)| {
            ModelMovement::Collect { account, thing, session, minor }
        }),
        2 => (of(), 0..3_u8).prop_map(|((account, thing), kind)| {
            ModelMovement::Issue { account, thing, kind }
        }),
        4 => (of(), 0..NAMES, minors()).prop_map(|((account, thing), name, minor)| {
            ModelMovement::Redeem { account, thing, name, minor }
        }),
        2 => (of(), 0..NAMES, 0..NAMES).prop_map(|((account, thing), name, original)| {
            ModelMovement::RollBack { account, thing, name, original }
        }),
        1 => (of(), proptest::option::weighted(0.3, 1..4_u32))
            .prop_map(|((account, thing), seen)| ModelMovement::Void { account, thing, seen }),
        2 => (of(), any::<bool>()).prop_map(|((account, thing), opens)| {
            ModelMovement::Invoice { account, thing, opens }
        }),
        2 => of().prop_map(|(account, thing)| ModelMovement::OpenInvoice { account, thing }),
        1 => of().prop_map(|(account, thing)| ModelMovement::VoidInvoice { account, thing }),
    ]
}

/// An amount that a code or a collection of the builders may have, or more.
fn minors() -> impl Strategy<Value = i64> {
    prop_oneof![10_000..60_000_i64, Just(50_000), Just(500_000)]
}
