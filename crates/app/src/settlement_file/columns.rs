//! Which column of a settlement file holds what, as an operator writes it down in TOML. It must not
//! guess: a column that is not named is not read.

use anyhow::{Context as _, anyhow};
use serde::Deserialize;

/// The mapping of one provider's settlement files.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SettlementColumns {
    /// The column of the reference that we sent.
    pub(super) reference: Option<String>,
    /// The column of what the provider calls an attempt, where it does not show our reference.
    pub(super) provider_id: Option<String>,
    /// The column of the amount that was ordered.
    pub(super) amount: String,
    /// The column of what the provider took for it.
    pub(super) cost: Option<String>,
    #[serde(default)]
    pub(super) amount_unit: AmountUnit,
    #[serde(default = "point")]
    pub(super) decimal_separator: char,
    /// What stands between thousands, if anything does.
    pub(super) group_separator: Option<char>,
    /// The column that says what came of it; without one every row is a delivery.
    pub(super) status: Option<String>,
    #[serde(default)]
    pub(super) delivered: Vec<String>,
    #[serde(default)]
    pub(super) failed: Vec<String>,
    #[serde(default)]
    pub(super) reversed: Vec<String>,
    #[serde(default)]
    pub(super) pending: Vec<String>,
    /// The column of the moment, in `date_format`.
    pub(super) date: Option<String>,
    #[serde(default = "seconds")]
    pub(super) date_format: String,
    /// The offset of moments without one of their own.
    #[serde(default = "utc")]
    pub(super) utc_offset: String,
    /// Lines above the names of the columns.
    #[serde(default)]
    pub(super) skip_lines: u32,
    #[serde(default = "comma")]
    pub(super) delimiter: char,
}

/// What amounts are written in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum AmountUnit {
    #[default]
    Naira,
    Kobo,
}

const fn point() -> char {
    '.'
}

const fn comma() -> char {
    ','
}

fn seconds() -> String {
    "%Y-%m-%d %H:%M:%S".to_owned()
}

fn utc() -> String {
    "+00:00".to_owned()
}

/// Most lines above the names of the columns: a letterhead, not a document.
const SKIPPED_MAX: u32 = 100;

impl SettlementColumns {
    /// Reads the mapping, and refuses what contradicts itself.
    ///
    /// # Errors
    /// Names the key that is wrong, and what it must be.
    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        let read: Self = toml::from_str(text).context("it does not say which column is which")?;
        if read.reference.is_some() == read.provider_id.is_some() {
            return Err(anyhow!(
                "one of reference (the column of what we sent) and provider_id (of what the \
                 provider calls it) is needed, and not both"
            ));
        }
        if !read.delimiter.is_ascii() || matches!(read.delimiter, '"' | '\r' | '\n') {
            return Err(anyhow!("delimiter must be one ASCII character"));
        }
        if read.skip_lines > SKIPPED_MAX {
            return Err(anyhow!("skip_lines must be at most {SKIPPED_MAX}"));
        }
        if !matches!(read.decimal_separator, '.' | ',') {
            return Err(anyhow!("decimal_separator must be \".\" or \",\""));
        }
        let group = read.group_separator;
        if group.is_some_and(|it| it == read.decimal_separator || it.is_ascii_digit()) {
            return Err(anyhow!(
                "group_separator must be another character than decimal_separator, and no digit"
            ));
        }
        if read.status.is_some() && read.delivered.is_empty() {
            return Err(anyhow!(
                "delivered must list the words of column status that mean a delivery"
            ));
        }
        if read.status.is_none() && read.words().next().is_some() {
            return Err(anyhow!("status must name the column that holds such words"));
        }
        let mut seen = std::collections::BTreeSet::new();
        if let Some(twice) = read.words().find(|word| !seen.insert(*word)) {
            return Err(anyhow!("the word {twice:?} must mean one thing, not two"));
        }
        read.offset()?;
        Ok(read)
    }

    /// The column that says which attempt a row is about.
    pub(super) fn name(&self) -> &str {
        let named = self.reference.as_ref().or(self.provider_id.as_ref());
        named.map_or("", String::as_str)
    }

    /// Whether attempts are named as the provider calls them.
    pub(super) const fn by_provider_id(&self) -> bool {
        self.provider_id.is_some()
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        let lists = [&self.delivered, &self.failed, &self.reversed, &self.pending];
        lists.into_iter().flatten().map(String::as_str)
    }

    /// The offset of moments that have none.
    pub(crate) fn offset(&self) -> anyhow::Result<jiff::tz::Offset> {
        let wrong = || anyhow!("utc_offset must be an offset such as \"+01:00\"");
        let parsed = jiff::fmt::strtime::parse("%:z", &self.utc_offset);
        parsed.ok().and_then(|it| it.offset()).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_that_contradicts_itself_names_the_key() {
        for (more, key) in [
            ("delimiter = \"\\n\"", "delimiter"),
            ("skip_lines = 101", "skip_lines"),
            ("decimal_separator = \";\"", "decimal_separator"),
            ("group_separator = \".\"", "group_separator"),
            ("status = \"s\"", "delivered"),
            ("delivered = [\"ok\"]", "status"),
            (
                "status = \"s\"\ndelivered = [\"ok\"]\nfailed = [\"ok\"]",
                "\"ok\"",
            ),
            ("utc_offset = \"Lagos\"", "utc_offset"),
            ("statuss = \"s\"", "statuss"),
            ("provider_id = \"i\"", "not both"),
        ] {
            let text = format!("reference = \"r\"\namount = \"a\"\n{more}");
            let wrong = format!("{:#}", SettlementColumns::parse(&text).unwrap_err());
            assert!(wrong.contains(key), "{more}: {wrong}");
        }
        SettlementColumns::parse("reference = \"r\"\namount = \"a\"").unwrap();
        SettlementColumns::parse("provider_id = \"i\"\namount = \"a\"").unwrap();
        let neither = SettlementColumns::parse("amount = \"a\"").unwrap_err();
        assert!(neither.to_string().contains("provider_id"), "{neither}");
    }
}
