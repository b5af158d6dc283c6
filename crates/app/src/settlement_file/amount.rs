//! Amounts as settlement files write them. A text that could be read two ways must be refused.

use super::columns::{AmountUnit, SettlementColumns};
use domain::money::{Currency, Money};

/// Reads an amount.
///
/// # Errors
/// Says what is wrong with it, and what to do.
pub(super) fn parse(text: &str, columns: &SettlementColumns) -> Result<Money, String> {
    let remedy = "correct it, or amount_unit, decimal_separator or group_separator in the columns";
    let wrong = |why: String| format!("{text:?} is no amount: it {why}; {remedy}");
    let mut plain = match columns.group_separator {
        Some(group) => ungrouped(text, group, columns.decimal_separator)
            .ok_or_else(|| wrong("is not grouped in thousands".to_owned()))?,
        None => text.to_owned(),
    };
    if plain.contains(',') && columns.decimal_separator != ',' {
        return Err(wrong("has a separator that is not named".to_owned()));
    }
    if columns.decimal_separator == ',' {
        if plain.contains('.') {
            return Err(wrong("has a separator that is not named".to_owned()));
        }
        plain = plain.replace(',', ".");
    }
    match columns.amount_unit {
        AmountUnit::Naira => {
            Money::parse(&plain, Currency::Ngn).map_err(|error| wrong(error.to_string()))
        }
        AmountUnit::Kobo => {
            if plain.is_empty() || !plain.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(wrong("must be a whole number of kobo".to_owned()));
            }
            let minor = plain.parse();
            let minor = minor.map_err(|_| wrong("is too large".to_owned()))?;
            Ok(Money::from_minor(minor, Currency::Ngn))
        }
    }
}

/// The text without the separators of thousands; `None` where they stand elsewhere.
fn ungrouped(text: &str, group: char, decimal: char) -> Option<String> {
    let whole = text.split(decimal).next().unwrap_or(text);
    let rest = text.strip_prefix(whole).unwrap_or_default();
    let mut parts = whole.split(group);
    let first = parts.next().unwrap_or_default();
    let mut plain = first.to_owned();
    let mut has_groups = false;
    for part in parts {
        (part.len() == 3).then_some(())?;
        has_groups = true;
        plain.push_str(part);
    }
    let fits = !has_groups || (1..=3).contains(&first.len());
    fits.then(|| format!("{plain}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, more: &str) -> Option<i64> {
        let columns = format!("reference = \"r\"\namount = \"a\"\n{more}");
        let columns = SettlementColumns::parse(&columns).unwrap();
        parse(text, &columns).ok().map(Money::minor)
    }

    #[test]
    fn an_amount_is_read_by_the_mapping_or_refused() {
        let grouped = "group_separator = \",\"";
        let comma = "decimal_separator = \",\"\ngroup_separator = \".\"";
        for (text, more, minor) in [
            ("100.50", "", Some(10_050)),
            ("100", "", Some(10_000)),
            ("1,000.00", "", None),
            ("1,000.00", grouped, Some(100_000)),
            ("1,00.00", grouped, None),
            ("1.000,50", comma, Some(100_050)),
            ("1.5", comma, None),
            ("100,50", "decimal_separator = \",\"", Some(10_050)),
            ("10050", "amount_unit = \"kobo\"", Some(10_050)),
            ("100.50", "amount_unit = \"kobo\"", None),
            ("-1.00", "", None),
            ("", "", None),
            ("1e3", "", None),
        ] {
            assert_eq!(read(text, more), minor, "{text} {more}");
        }
    }
}
