//! Accounts at a bank and their numbers. A number must keep its leading zeros.

use super::{Bank, BankCode, BankIdentifier, BankKind};
use crate::country::CountryCode;
use std::{fmt, iter};

/// The number of a bank account: exactly 10 digits, the length of a NUBAN (interface §4.7).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccountNumber(String);

/// The text is not an account number by shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an account number of 10 digits, with the zeros it begins with")]
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

    /// The number of a bank's account with a serial number: nine digits, to which its check digit
    /// is added. What is missing of the nine is zeros before them.
    pub fn numbered(bank: &BankCode, serial: &str) -> Self {
        let serial: String = serial.chars().filter(char::is_ascii_digit).collect();
        let width = Self::DIGITS - 1;
        let serial = serial.get(..width).unwrap_or(&serial);
        let mut number = format!("{serial:0>width$}");
        number.push(check_digit(bank.as_str(), &number));
        Self(number)
    }

    /// The digits, leading zeros included.
    pub fn digits(&self) -> &str {
        &self.0
    }

    /// The last four digits behind asterisks, for statements.
    pub fn masked(&self) -> String {
        let last = self.0.get(Self::DIGITS - 4..).unwrap_or_default();
        format!("******{last}")
    }

    /// Whether the number can be one of this bank's. Nigerian deposit money banks number their
    /// accounts with a check digit over bank code and serial number (Central Bank of Nigeria,
    /// "Revised Standards on Nigeria Uniform Bank Account Number", 2020). Others are asked to and
    /// many do not: wallets go by telephone numbers. So theirs are never refused here, and neither
    /// are those of a bank without a known code.
    pub fn fits(&self, bank: &Bank) -> bool {
        match (&bank.code, numbers_with_check_digit(bank)) {
            (Some(code), true) => self.has_check_digit_of_any(code),
            _ => true,
        }
    }

    fn has_check_digit_of_any(&self, code: &BankCode) -> bool {
        let also = TAKEN_OVER
            .iter()
            .filter(|(bank, _)| *bank == code.as_str())
            .flat_map(|(_, others)| *others)
            .copied();
        iter::once(code.as_str())
            .chain(also)
            .any(|code| self.0.ends_with(check_digit(code, &self.0)))
    }
}

/// Bank codes whose account numbers live on at another bank. A bank that takes another over keeps
/// its customers' numbers, check digits and all, so every merger since the scheme began in 2010
/// counts.
const TAKEN_OVER: [(&str, &[&str]); 9] = [
    ("032", &["102"]),        // Union, merged with Titan Trust
    ("044", &["063", "069"]), // Access: Diamond, Intercontinental
    ("050", &["056"]),        // Ecobank: Oceanic
    ("076", &["014"]),        // Polaris: Mainstreet, once Afribank
    ("101", &["215"]),        // Providus: Unity
    ("102", &["032"]),        // Titan Trust, merged with Union
    ("214", &["085"]),        // First City Monument: FinBank
    ("232", &["040"]),        // Sterling: Equitorial Trust
    ("304", &["232"]),        // Alternative, parted from Sterling
];

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
fn check_digit(code: &str, number: &str) -> char {
    const WEIGHTS: [u32; 3] = [3, 7, 3];
    const SERIAL_DIGITS: usize = AccountNumber::DIGITS - 1;
    let digits = code.chars().chain(number.chars().take(SERIAL_DIGITS));
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bank(kind: BankKind, code: Option<&str>) -> Bank {
        Bank {
            identifier: BankIdentifier::parse("NGNIP000016").unwrap(),
            country: CountryCode::NIGERIA,
            kind,
            shortname: "Bank".to_owned(),
            fullname: "Bank Plc".to_owned(),
            code: code.map(|code| BankCode::parse(code).unwrap()),
            transfer_code: None,
            ussd: None,
        }
    }

    fn fits(number: &str, code: &str) -> bool {
        let number = AccountNumber::parse(number).unwrap();
        number.fits(&bank(BankKind::Commercial, Some(code)))
    }

    /// The last digits that fit a code and a serial number.
    fn fitting(code: &str, serial: &str) -> Vec<u32> {
        let fit = |digit: &u32| fits(&format!("{serial}{digit}"), code);
        (0..10).filter(fit).collect()
    }

    /// The standard's own words: A*3+B*7+C*3+D*3+... , modulo 10, from 10, and 10 is 0.
    fn by_the_standard(code: &str, serial: &str) -> u32 {
        let weights = "000373373373373".chars().map(|c| c.to_digit(10).unwrap());
        let digits = format!("000{code}{serial}");
        let digits = digits.chars().map(|c| c.to_digit(10).unwrap());
        let sum: u32 = digits
            .zip(weights)
            .map(|(digit, weight)| digit * weight)
            .sum();
        match 10 - sum % 10 {
            10 => 0,
            digit => digit,
        }
    }

    #[test]
    fn an_account_number_is_ten_digits_with_leading_zeros() {
        let number = AccountNumber::parse("0000014579").unwrap();
        assert_eq!(
            (number.digits(), number.to_string().as_str()),
            ("0000014579", "0000014579")
        );
        for text in [
            "",
            "000001457",
            "00000014579",
            "000001457a",
            " 000014579",
            "+000014579",
            "٠٠٠٠٠",
        ] {
            assert_eq!(
                AccountNumber::parse(text),
                Err(InvalidAccountNumber),
                "{text:?}"
            );
        }
    }

    #[test]
    fn published_examples_fit_and_no_other_last_digit_does() {
        // The first two are the examples of the standard.
        let examples = [
            ("011", "0000014579"),
            ("011", "0000000220"),
            ("058", "0016563228"),
            ("035", "9930020212"),
        ];
        for (code, number) in examples {
            let last = number[9..].parse::<u32>().unwrap();
            assert_eq!(fitting(code, &number[..9]), [last], "{code} {number}");
        }
    }

    #[test]
    fn a_number_of_another_bank_does_not_fit() {
        assert!(fits("0000014579", "011"));
        assert!(!fits("0000014579", "058"));
    }

    #[test]
    fn only_nigerian_deposit_money_banks_with_a_code_have_check_digits() {
        let wrong = AccountNumber::parse("0000014570").unwrap();
        for kind in BankKind::ALL {
            let checked = matches!(
                kind,
                BankKind::Commercial | BankKind::Merchant | BankKind::NonInterest
            );
            assert_eq!(wrong.fits(&bank(kind, Some("011"))), !checked, "{kind:?}");
            assert!(wrong.fits(&bank(kind, None)), "{kind:?} without a code");
            let mut abroad = bank(kind, Some("011"));
            abroad.country = CountryCode::parse("288").unwrap();
            assert!(wrong.fits(&abroad), "{kind:?} abroad");
        }
    }

    #[test]
    fn a_bank_keeps_the_numbers_of_those_it_took_over() {
        for (code, others) in TAKEN_OVER {
            for other in others {
                let digit = by_the_standard(other, "012345678");
                assert!(
                    fits(&format!("012345678{digit}"), code),
                    "{other} at {code}"
                );
            }
        }
        // Only one way: Diamond's own numbers are not Access's.
        let access = format!("012345678{}", by_the_standard("044", "012345678"));
        assert!(fits(&access, "044") && !fits(&access, "063"));
    }

    #[test]
    fn kinds_of_account_are_read_back() {
        for kind in AccountKind::ALL {
            assert_eq!(AccountKind::from_code(kind.code()), Some(kind));
        }
        assert_eq!(AccountKind::from_code("Savings"), None);
    }

    /// Codes no merger touches.
    fn code() -> impl Strategy<Value = String> {
        let merged = |code: &String| TAKEN_OVER.iter().any(|(bank, _)| bank == code);
        "[0-9]{3}".prop_filter("merged", move |code| !merged(code))
    }

    proptest! {
        #[test]
        fn one_last_digit_fits_and_it_is_the_one_of_the_standard(
            code in code(), serial in "[0-9]{9}",
        ) {
            prop_assert_eq!(fitting(&code, &serial), [by_the_standard(&code, &serial)]);
        }

        #[test]
        fn a_number_with_one_digit_wrong_does_not_fit(
            code in code(), serial in "[0-9]{9}", place in 0_usize..10, by in 1_u8..10,
        ) {
            let mut digits = format!("{serial}{}", by_the_standard(&code, &serial)).into_bytes();
            digits[place] = b'0' + (digits[place] - b'0' + by) % 10;
            prop_assert!(!fits(std::str::from_utf8(&digits).unwrap(), &code));
        }
    }
}
