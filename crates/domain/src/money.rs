//! Exact money in minor units. It must never hold a fraction of a minor unit or pass through a
//! floating-point number.

use crate::country::CountryCode;
use std::fmt;

/// What a wallet is kept in: a currency by its ISO 4217 code, or credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Currency {
    /// Nigerian naira; its minor unit is the kobo.
    Ngn,
    /// Message credits, the gateway's own unit (interface §2.8); shown with two decimals like
    /// money.
    Crd,
}

impl Currency {
    /// Every currency a wallet is kept in.
    pub const ALL: [Self; 2] = [Self::Ngn, Self::Crd];

    /// Three capital letters: the ISO 4217 alphabetic code, or `CRD` for credits.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Ngn => "NGN",
            Self::Crd => "CRD",
        }
    }

    /// How many decimals an amount of this currency may carry (ISO 4217 exponent).
    pub const fn decimals(self) -> usize {
        match self {
            Self::Ngn | Self::Crd => 2,
        }
    }

    /// How many minor units make one major unit.
    pub const fn minor_per_major(self) -> i64 {
        match self {
            Self::Ngn | Self::Crd => 100,
        }
    }

    /// The country whose money it is; credits are none's.
    pub const fn country(self) -> Option<CountryCode> {
        match self {
            Self::Ngn => Some(CountryCode::NIGERIA),
            Self::Crd => None,
        }
    }

    /// Reads a code; `None` where the gateway does not keep books in that currency.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|currency| currency.code() == code)
    }
}

/// An amount of money: a whole number of minor units (kobo) and its currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Money {
    minor: i64,
    currency: Currency,
}

/// Why a text is not an amount the gateway accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// Nothing but an empty text.
    #[error("must not be empty")]
    Empty,
    /// A minus sign: orders never carry negative money.
    #[error("must not be negative")]
    Negative,
    /// A character that has no place in an amount: letters, signs, exponents, foreign digits.
    #[error("must be a plain decimal such as 1234.00 or 1,234.00, in ASCII digits")]
    NotDecimal,
    /// More decimals than the currency has.
    #[error("must not have more than {0} decimals")]
    TooManyDecimals(usize),
    /// A comma that does not separate thousands.
    #[error("has a comma that does not separate thousands; write 1,234.00 or 1234.00")]
    BadGrouping,
    /// Beyond [`Money::MAX_MINOR`].
    #[error("is too large; the largest amount is 90,071,992,547,409.91")]
    TooLarge,
}

impl Money {
    /// The largest amount in minor units, 2^53 − 1: integrators whose language knows only doubles
    /// can still hold every amount exactly, and sums of many stay far from `i64` overflow.
    pub const MAX_MINOR: i64 = 9_007_199_254_740_991;

    /// No money at all.
    pub const fn zero(currency: Currency) -> Self {
        Self { minor: 0, currency }
    }

    /// An amount from minor units (kobo), negative where a balance difference is meant.
    pub const fn from_minor(minor: i64, currency: Currency) -> Self {
        Self { minor, currency }
    }

    /// The amount in minor units (kobo).
    pub const fn minor(self) -> i64 {
        self.minor
    }

    /// The currency the amount is in.
    pub const fn currency(self) -> Currency {
        self.currency
    }

    /// True for amounts greater than zero.
    pub const fn is_positive(self) -> bool {
        self.minor > 0
    }

    /// True for exactly nothing.
    pub const fn is_zero(self) -> bool {
        self.minor == 0
    }

    /// The sum; `None` on different currencies or beyond [`Self::MAX_MINOR`].
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.combine(other, i64::checked_add)
    }

    /// The difference, which may be negative; `None` on different currencies or beyond the limit.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.combine(other, i64::checked_sub)
    }

    /// The amount so many times; `None` beyond [`Self::MAX_MINOR`].
    pub fn checked_mul(self, times: u32) -> Option<Self> {
        let minor = self.minor.checked_mul(times.into())?;
        (minor.unsigned_abs() <= Self::MAX_MINOR.unsigned_abs()).then_some(Self { minor, ..self })
    }

    /// The smaller of two amounts of one currency; `None` on different currencies.
    pub fn checked_min(self, other: Self) -> Option<Self> {
        (self.currency == other.currency).then(|| Self {
            minor: self.minor.min(other.minor),
            currency: self.currency,
        })
    }

    /// Reads a decimal with optional thousands grouping, such as `1,234.00`, `1234` or `0.5`
    /// (interface §1, rule 6).
    ///
    /// # Errors
    /// Refuses signs, exponents, foreign digits, misplaced commas, more decimals than the currency
    /// has, and amounts beyond [`Self::MAX_MINOR`].
    pub fn parse(text: &str, currency: Currency) -> Result<Self, ParseError> {
        let minor = parse_minor(text, currency.decimals())?;
        Ok(Self { minor, currency })
    }

    fn combine(self, other: Self, op: fn(i64, i64) -> Option<i64>) -> Option<Self> {
        if self.currency != other.currency {
            return None;
        }
        let minor = op(self.minor, other.minor)?;
        (minor.unsigned_abs() <= Self::MAX_MINOR.unsigned_abs()).then_some(Self {
            minor,
            currency: self.currency,
        })
    }
}

/// Writes the amount with thousands grouping and all decimals: `1,234.00` (interface §1, rule 6).
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_grouped(f, self.minor, self.currency.decimals())
    }
}

/// Writes a number of minor units with thousands grouping and all decimals.
pub(crate) fn write_grouped(
    f: &mut fmt::Formatter<'_>,
    minor: i64,
    decimals: usize,
) -> fmt::Result {
    if minor < 0 {
        f.write_str("-")?;
    }
    let digits = format!(
        "{:0>width$}",
        minor.unsigned_abs(),
        width = decimals.saturating_add(1)
    );
    let (whole, fraction) = digits.split_at(digits.len().saturating_sub(decimals));
    for (index, digit) in whole.chars().enumerate() {
        let left = whole.len().saturating_sub(index);
        if index > 0 && left.is_multiple_of(3) {
            f.write_str(",")?;
        }
        write!(f, "{digit}")?;
    }
    if fraction.is_empty() {
        return Ok(());
    }
    write!(f, ".{fraction}")
}

/// Reads a decimal with optional thousands grouping as a number of minor units, of which a major
/// unit has ten to the power of `decimals`.
pub(crate) fn parse_minor(text: &str, decimals: usize) -> Result<i64, ParseError> {
    if text.is_empty() {
        return Err(ParseError::Empty);
    }
    if let Some(rest) = text.strip_prefix('-') {
        let amount_follows = rest.starts_with(|c: char| c.is_ascii_digit());
        return Err(if amount_follows {
            ParseError::Negative
        } else {
            ParseError::NotDecimal
        });
    }
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return Err(ParseError::NotDecimal),
        None => (text, ""),
    };
    let whole = ungroup(whole)?;
    if !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return Err(ParseError::NotDecimal);
    }
    if fraction.len() > decimals {
        return Err(ParseError::TooManyDecimals(decimals));
    }
    let digits = format!("{whole}{fraction:0<decimals$}");
    let minor: i64 = digits.parse().map_err(|_| ParseError::TooLarge)?;
    if minor > Money::MAX_MINOR {
        return Err(ParseError::TooLarge);
    }
    Ok(minor)
}

/// Takes the commas out of the whole part, refusing any that does not separate thousands.
fn ungroup(whole: &str) -> Result<String, ParseError> {
    if !whole.bytes().all(|b| b.is_ascii_digit() || b == b',') || whole.is_empty() {
        return Err(ParseError::NotDecimal);
    }
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let grouped = whole.contains(',');
    let leads_well = !grouped || (1..=3).contains(&first.len());
    if !leads_well || groups.any(|group| group.len() != 3) {
        return Err(ParseError::BadGrouping);
    }
    if first.len() > 1 && first.starts_with('0') {
        return Err(ParseError::NotDecimal);
    }
    Ok(whole.replace(',', ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: Result<i64, ParseError>) {
        assert_eq!(
            Money::parse(text, Currency::Ngn).map(Money::minor),
            expected,
            "{text:?}"
        );
    }

    #[test]
    fn amounts_are_read_exactly_or_refused_with_the_reason() {
        check("1,234.00", Ok(123_400));
        check("1234", Ok(123_400));
        check("0.5", Ok(50));
        check("0", Ok(0));
        check("90,071,992,547,409.91", Ok(Money::MAX_MINOR));
        check("90071992547409.92", Err(ParseError::TooLarge));
        check("1000000000000000000", Err(ParseError::TooLarge));
        check("99999999999999999999999999", Err(ParseError::TooLarge));
        check("", Err(ParseError::Empty));
        check("-1", Err(ParseError::Negative));
        check("-", Err(ParseError::NotDecimal));
        check("+1", Err(ParseError::NotDecimal));
        check("1e5", Err(ParseError::NotDecimal));
        check("1.", Err(ParseError::NotDecimal));
        check(".5", Err(ParseError::NotDecimal));
        check("1.2.3", Err(ParseError::NotDecimal));
        check("007", Err(ParseError::NotDecimal));
        check(" 1", Err(ParseError::NotDecimal));
        check("１００", Err(ParseError::NotDecimal));
        check("0x10", Err(ParseError::NotDecimal));
        check("1.234", Err(ParseError::TooManyDecimals(2)));
        check("1,23.00", Err(ParseError::BadGrouping));
        check("1234,567", Err(ParseError::BadGrouping));
        check(",123", Err(ParseError::BadGrouping));
        check("1,,234", Err(ParseError::BadGrouping));
        check("1,234.5,6", Err(ParseError::NotDecimal));
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back_as_the_same_amount(minor in 0..=Money::MAX_MINOR) {
            let money = Money::from_minor(minor, Currency::Ngn);
            prop_assert_eq!(Money::parse(&money.to_string(), Currency::Ngn), Ok(money));
        }

        #[test]
        fn no_text_makes_the_parser_panic_or_exceed_the_limit(text in "\\PC{0,24}") {
            if let Ok(money) = Money::parse(&text, Currency::Ngn) {
                prop_assert!((0..=Money::MAX_MINOR).contains(&money.minor()));
            }
        }

        #[test]
        fn adding_and_taking_away_the_same_amount_changes_nothing(
            a in 0..=Money::MAX_MINOR, b in 0..=Money::MAX_MINOR,
        ) {
            let (a, b) = (Money::from_minor(a, Currency::Ngn), Money::from_minor(b, Currency::Ngn));
            if let Some(sum) = a.checked_add(b) {
                prop_assert_eq!(sum.checked_sub(b), Some(a));
            }
        }
    }
}
