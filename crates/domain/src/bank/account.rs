//! Accounts at a bank and their numbers. A number must keep its leading zeros.

use super::{Bank, BankCode, BankIdentifier, BankKind};
use crate::country::CountryCode;
use std::fmt;

/// The number of a bank account: exactly 10 digits, the length of a NUBAN (interface §4.7).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccountNumber(String);

/// The text is not an account number by shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an account number of 10 digits")]
pub struct InvalidAccountNumber;

impl AccountNumber {
    /// Digits of every account number: nine of serial number and a check digit.
    pub const DIGITS: usize = 10;

    /// Reads an account number.
    ///
    /// # Errors
    /// Refuses anything but 10 ASCII digits.
    pub fn parse(text: &str) -> Result<Self, InvalidAccountNumber> {
        let fits = text.len() == Self::DIGITS && text.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| Self(text.to_owned()))
            .ok_or(InvalidAccountNumber)
    }

    /// The digits, leading zeros included.
    pub fn digits(&self) -> &str {
        &self.0
    }

    /// Whether the number can be one of this bank's. Nigerian deposit money banks number their
    /// accounts with a check digit over bank code and serial number (Central Bank of Nigeria,
    /// "Revised Standards on Nigeria Uniform Bank Account Number", 2020). Others are asked to and
    /// many do not: wallets go by telephone numbers. So theirs are never refused here, and neither
    /// are those of a bank without a known code.
    pub fn fits(&self, bank: &Bank) -> bool {
        match (&bank.code, numbers_with_check_digit(bank)) {
            (Some(code), true) => self.0.ends_with(check_digit(code, &self.0)),
            _ => true,
        }
    }
}

impl fmt::Display for AccountNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn numbers_with_check_digit(bank: &Bank) -> bool {
    let deposit_money_bank = match bank.kind {
        BankKind::Commercial | BankKind::Merchant | BankKind::NonInterest => true,
        BankKind::Microfinance
        | BankKind::Mortgage
        | BankKind::Finance
        | BankKind::Development
        | BankKind::PaymentService
        | BankKind::MobileMoney => false,
    };
    deposit_money_bank && bank.country == CountryCode::NIGERIA
}

/// The last digit of a NUBAN. The revised standard puts three zeros before the code of a deposit
/// money bank; they weigh nothing, so they are left out.
fn check_digit(code: &BankCode, number: &str) -> char {
    const WEIGHTS: [u32; 3] = [3, 7, 3];
    const SERIAL_DIGITS: usize = AccountNumber::DIGITS - 1;
    let digits = code
        .as_str()
        .chars()
        .chain(number.chars().take(SERIAL_DIGITS));
    let weighted = digits
        .filter_map(|c| c.to_digit(10))
        .zip(WEIGHTS.iter().cycle());
    let sum = weighted.fold(0_u32, |sum, (digit, weight)| {
        sum.saturating_add(digit.saturating_mul(*weight))
    });
    let left = sum.checked_rem(10).unwrap_or(0);
    let digit = if left == 0 {
        0
    } else {
        10_u32.saturating_sub(left)
    };
    char::from_digit(digit, 10).unwrap_or('0')
}

/// What an account is for (interface §2.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccountKind {
    /// Money put by.
    Savings,
    /// Money in use.
    Current,
    /// Foreign money.
    Domiciliary,
}

impl AccountKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Savings, Self::Current, Self::Domiciliary];

    /// The lower-case word of answers and records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Savings => "savings",
            Self::Current => "current",
            Self::Domiciliary => "domiciliary",
        }
    }

    /// Reads the word of a record; `None` for any other word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// An account as its bank knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankAccount {
    /// The bank that keeps it.
    pub bank: BankIdentifier,
    /// Its number.
    pub number: AccountNumber,
    /// Whose it is, in the bank's words.
    pub name: String,
    /// What it is for.
    pub kind: AccountKind,
}
