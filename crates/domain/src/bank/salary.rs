//! A salary: what a payout to a member of staff is made of. What is paid must be the gross pay less
//! its deductions, to the kobo.

use crate::money::Money;
use crate::text::{self, Breaks, UnfitText};
use crate::time::Timestamp;
use std::fmt;

/// Most deductions of one salary: more than any pay slip has, so that what is stored of a salary is
/// bounded.
pub const DEDUCTIONS_MAX: usize = 20;

/// What an employer calls a member of staff: one line of 1–64 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffIdentifier(String);

/// Why a text is not a staff identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidStaffIdentifier {
    /// Nothing but blanks.
    #[error("must not be empty")]
    Empty,
    /// Over [`StaffIdentifier::LENGTH_MAX`].
    #[error("must be at most {} characters", StaffIdentifier::LENGTH_MAX)]
    TooLong,
    /// A character that is not shown.
    #[error(transparent)]
    Unfit(#[from] UnfitText),
}

impl StaffIdentifier {
    /// Most characters: as many as a merchant's reference has.
    pub const LENGTH_MAX: usize = 64;

    /// Reads an identifier; blanks around it are dropped.
    ///
    /// # Errors
    /// Refuses an empty text, one over [`Self::LENGTH_MAX`], line breaks and hidden characters.
    pub fn parse(text: &str) -> Result<Self, InvalidStaffIdentifier> {
        text::check(text, Breaks::Refused)?;
        let text = text.trim();
        if text.is_empty() {
            return Err(InvalidStaffIdentifier::Empty);
        }
        if text.chars().count() > Self::LENGTH_MAX {
            return Err(InvalidStaffIdentifier::TooLong);
        }
        Ok(Self(text.to_owned()))
    }

    /// The identifier as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The month that a salary is for, `2026-11`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PayPeriod {
    year: u16,
    month: u8,
}

/// A text that is not a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a month such as 2026-11")]
pub struct InvalidPayPeriod;

impl PayPeriod {
    /// Reads a month of the years 2000 to 2999.
    ///
    /// # Errors
    /// Refuses any other text.
    pub fn parse(text: &str) -> Result<Self, InvalidPayPeriod> {
        let (year, month) = text.split_once('-').ok_or(InvalidPayPeriod)?;
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if !(year.len() == 4 && month.len() == 2 && digits(year) && digits(month)) {
            return Err(InvalidPayPeriod);
        }
        let period = Self {
            year: year.parse().map_err(|_| InvalidPayPeriod)?,
            month: month.parse().map_err(|_| InvalidPayPeriod)?,
        };
        let exists = (2000..=2999).contains(&period.year) && (1..=12).contains(&period.month);
        exists.then_some(period).ok_or(InvalidPayPeriod)
    }
}

impl fmt::Display for PayPeriod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month } = self;
        write!(f, "{year:04}-{month:02}")
    }
}

/// Why something is kept back from a salary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeductionKind {
    /// Income tax (pay as you earn).
    Paye,
    /// The employee's share of the pension.
    Pension,
    /// The National Housing Fund.
    Nhf,
    /// Anything else, such as a loan.
    Other,
}

impl DeductionKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Paye, Self::Pension, Self::Nhf, Self::Other];

    /// The word it is stored and shown as.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Paye => "paye",
            Self::Pension => "pension",
            Self::Nhf => "nhf",
            Self::Other => "other",
        }
    }

    /// The kind of a stored word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// An amount that is kept back from a salary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deduction {
    /// Why.
    pub kind: DeductionKind,
    /// How much, above zero.
    pub amount: Money,
}

/// What a payout to a member of staff is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Salary {
    /// Whose it is.
    pub staff: StaffIdentifier,
    /// The month that it is for.
    pub period: PayPeriod,
    /// The beginning of the pay day in the time zone of the employer: it is not sent before.
    pub pay_date: Timestamp,
    /// The pay before deductions.
    pub gross: Money,
    /// What is kept back, up to [`DEDUCTIONS_MAX`].
    pub deductions: Vec<Deduction>,
}

impl Salary {
    /// What is paid: the gross pay less its deductions. `None` where nothing would be left, or the
    /// amounts are not of one currency.
    pub fn net(&self) -> Option<Money> {
        Self::net_of(self.gross, &self.deductions)
    }

    /// What is left of a gross pay after deductions, as [`Self::net`].
    pub fn net_of(gross: Money, deductions: &[Deduction]) -> Option<Money> {
        let mut deducted = deductions.iter();
        let net = deducted.try_fold(gross, |left, it| left.checked_sub(it.amount))?;
        net.is_positive().then_some(net)
    }

    /// What is kept back for a reason; zero where nothing is. `None` beyond the largest amount.
    pub fn deducted(&self, kind: DeductionKind) -> Option<Money> {
        let mut of_kind = self.deductions.iter().filter(|it| it.kind == kind);
        let none = Money::zero(self.gross.currency());
        of_kind.try_fold(none, |sum, it| sum.checked_add(it.amount))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;
    use proptest::prelude::*;

    fn kobo(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    fn salary(gross: i64, deductions: &[(DeductionKind, i64)]) -> Salary {
        let deduction = |(kind, amount): &(DeductionKind, i64)| Deduction {
            kind: *kind,
            amount: kobo(*amount),
        };
        Salary {
            staff: StaffIdentifier::parse("E-17").unwrap(),
            period: PayPeriod::parse("2026-11").unwrap(),
            pay_date: Timestamp::from_millis(0),
            gross: kobo(gross),
            deductions: deductions.iter().map(deduction).collect(),
        }
    }

    #[test]
    fn a_month_is_written_as_it_is_read() {
        for text in ["2026-11", "2000-01", "2999-12"] {
            assert_eq!(PayPeriod::parse(text).unwrap().to_string(), text);
        }
        for text in [
            "",
            "2026",
            "2026-13",
            "2026-00",
            "1999-12",
            "11-2026",
            "2026-1",
            "2026-+1",
            "2026-11-01",
        ] {
            assert_eq!(PayPeriod::parse(text), Err(InvalidPayPeriod), "{text}");
        }
    }

    #[test]
    fn a_staff_identifier_is_one_short_line() {
        assert_eq!(StaffIdentifier::parse(" E-17 ").unwrap().as_str(), "E-17");
        assert_eq!(
            StaffIdentifier::parse("  "),
            Err(InvalidStaffIdentifier::Empty)
        );
        let long = "x".repeat(StaffIdentifier::LENGTH_MAX + 1);
        assert_eq!(
            StaffIdentifier::parse(&long),
            Err(InvalidStaffIdentifier::TooLong)
        );
        assert!(StaffIdentifier::parse("a\nb").is_err());
    }

    #[test]
    fn the_words_of_records_stay_and_read_back() {
        let words = DeductionKind::ALL.map(DeductionKind::code);
        assert_eq!(words, ["paye", "pension", "nhf", "other"]);
        for kind in DeductionKind::ALL {
            assert_eq!(DeductionKind::from_code(kind.code()), Some(kind));
        }
        assert_eq!(DeductionKind::from_code("bonus"), None);
    }

    #[test]
    fn something_must_be_left_of_a_salary() {
        let taxed = |tax| salary(100, &[(DeductionKind::Paye, tax)]).net();
        assert_eq!(taxed(99), Some(kobo(1)));
        assert_eq!(taxed(100), None);
        assert_eq!(taxed(101), None);
        assert_eq!(taxed(i64::MAX), None);
    }

    proptest! {
        #[test]
        fn net_and_deductions_come_to_the_gross_pay(
            gross in 1..=Money::MAX_MINOR,
            parts in prop::collection::vec((0..4_usize, 1..=Money::MAX_MINOR / 20), 0..20),
        ) {
            let parts: Vec<_> = parts
                .into_iter()
                .map(|(kind, amount)| (DeductionKind::ALL[kind], amount))
                .collect();
            let salary = salary(gross, &parts);
            let kept: i64 = DeductionKind::ALL
                .iter()
                .map(|kind| salary.deducted(*kind).unwrap().minor())
                .sum();
            match salary.net() {
                Some(net) => prop_assert_eq!(net.minor() + kept, gross),
                None => prop_assert!(kept >= gross),
            }
        }
    }
}
