//! `GET /account/balance`. It must show what is held apart from what can be spent.

use crate::attributes::Attributes;
use crate::reader::{Handling, Reader};
use crate::tree::Object;
use crate::violations::Violations;
use domain::ledger::Wallet;

/// The request has no attributes; under strict handling each one sent is refused.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<(), Violations> {
    Reader::new(attributes, handling).finish(|| Ok(()))
}

/// The balance: what can be spent, and what is set aside for payments without a final outcome.
pub fn view(wallet: &Wallet) -> Object {
    Object::new()
        .with("accBalance", wallet.available)
        .with("accHeld", wallet.held)
        .with("accCurrency", wallet.available.currency().code())
}
