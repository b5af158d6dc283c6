//! What a bank knows of an account. It must not remember anything: an account is derived from the
//! seed, its bank and its number, so that every process sees the same.

use crate::draw::Draw;
use crate::people;
use domain::bank::{AccountKind, AccountNumber, BankAccount, BankIdentifier};

/// One account in so many is a company's.
const COMPANIES: u64 = 6;

/// Of people's accounts, one in so many is for foreign money and one in so many for money in use.
const DOMICILIARY: u64 = 40;
const CURRENT: u64 = 5;

/// The account as its bank knows it.
pub(crate) fn account(seed: u64, bank: &BankIdentifier, number: &AccountNumber) -> BankAccount {
    let draw = Draw::new(seed, &["account", bank.as_str(), number.digits()]);
    let (name, kind) = if draw.one_in("company", COMPANIES) {
        (people::company(&draw), AccountKind::Current)
    } else {
        (people::surname_first(&draw), kind(&draw))
    };
    BankAccount {
        bank: bank.clone(),
        number: number.clone(),
        name,
        kind,
    }
}

fn kind(draw: &Draw) -> AccountKind {
    if draw.one_in("domiciliary", DOMICILIARY) {
        AccountKind::Domiciliary
    } else if draw.one_in("current", CURRENT) {
        AccountKind::Current
    } else {
        AccountKind::Savings
    }
}
