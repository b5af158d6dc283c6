//! What Paystack calls banks, from `data/banks.toml` and the operator. A bank must never be
//! guessed: one that is not listed is not paid.

use crate::settings::InvalidPaystackSetting;
use domain::bank::BankIdentifier;
use std::collections::BTreeMap;

const TABLE: &str = include_str!("../data/banks.toml");

/// Characters of a code: three to six are published.
const CODE_LENGTHS: std::ops::RangeInclusive<usize> = 3..=6;

/// Codes by our identifiers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaystackBanks(BTreeMap<BankIdentifier, String>);

impl PaystackBanks {
    /// The table that is part of the program.
    #[expect(
        clippy::expect_used,
        clippy::missing_panics_doc,
        reason = "the table is compiled in, and tests read it"
    )]
    pub fn embedded() -> Self {
        // Panic safety: the table cannot change after the tests have read it.
        let table: BTreeMap<String, String> =
            toml::from_str(TABLE).expect("a readable table of banks");
        let known = table.into_iter().filter_map(|(bank, code)| {
            let bank = BankIdentifier::parse(&bank).ok()?;
            Some((bank, code))
        });
        Self(known.collect())
    }

    /// The same with `OURS=THEIRS` pairs of an operator, separated by commas or lines, which come
    /// before the table.
    pub fn with(mut self, text: &str) -> Result<Self, InvalidPaystackSetting> {
        let mut named = BTreeMap::new();
        let pairs = text.split([',', '\n']).map(str::trim);
        for pair in pairs.filter(|pair| !pair.is_empty()) {
            let (bank, code) = pair.split_once('=').ok_or(InvalidPaystackSetting::Bank)?;
            let bank = BankIdentifier::parse(bank.trim());
            let bank = bank.map_err(|_| InvalidPaystackSetting::Bank)?;
            let code = code.trim();
            if !is_code(code) {
                return Err(InvalidPaystackSetting::Bank);
            }
            if named.insert(bank, code.to_owned()).is_some() {
                return Err(InvalidPaystackSetting::BankTwice);
            }
        }
        self.0.extend(named);
        Ok(self)
    }

    /// What a bank is called; `None` where it is not known.
    pub fn code(&self, bank: &BankIdentifier) -> Option<&str> {
        self.0.get(bank).map(String::as_str)
    }
}

fn is_code(code: &str) -> bool {
    CODE_LENGTHS.contains(&code.len()) && code.bytes().all(|b| b.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn code(banks: &PaystackBanks, bank: &str) -> Option<String> {
        let bank = BankIdentifier::parse(bank).unwrap();
        banks.code(&bank).map(str::to_owned)
    }

    #[test]
    fn every_bank_of_the_table_has_a_code_of_its_own() {
        let listed = TABLE.lines().filter(|line| line.starts_with("NG")).count();
        let banks = PaystackBanks::embedded();
        assert_eq!(banks.0.len(), listed);
        let codes: BTreeSet<_> = banks.0.values().collect();
        assert_eq!(codes.len(), listed);
        assert!(banks.0.values().all(|code| is_code(code)));
        assert_eq!(code(&banks, "NGNIP000013").as_deref(), Some("058"));
        assert_eq!(code(&banks, "NGNIP999999"), None);
    }

    #[test]
    fn an_operator_adds_banks_and_corrects_them() {
        let banks = PaystackBanks::embedded();
        let banks = banks.with("NGNIP090110=566, NGNIP000030=526").unwrap();
        assert_eq!(code(&banks, "NGNIP090110").as_deref(), Some("566"));
        assert_eq!(code(&banks, "NGNIP000030").as_deref(), Some("526"));
        for wrong in [
            "566",
            "NGNIP090110=",
            "NGNIP090110=56",
            "VFD=566",
            "NGNIP090110=5&6",
        ] {
            let refused = PaystackBanks::embedded().with(wrong).unwrap_err();
            assert_eq!(refused, InvalidPaystackSetting::Bank, "{wrong}");
        }
        let twice = "NGNIP090110=566,NGNIP090110=567";
        let twice = PaystackBanks::embedded().with(twice).unwrap_err();
        assert_eq!(twice, InvalidPaystackSetting::BankTwice);
    }
}
