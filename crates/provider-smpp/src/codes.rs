//! The table of statuses and states, read from `data/statuses.toml`. A status that the table does
//! not list must never be read as a refusal.

use domain::provider::RefusalKind;
use domain::sms::DeliveryStatus;
use serde::Deserialize;

const TABLE: &str = include_str!("../data/statuses.toml");

/// What a status says of a part that was submitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartMeaning {
    /// Certainly not taken.
    Declined,
    /// The SMSC's own error.
    Server,
    /// Nothing.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StatusFault {
    Order,
    Account,
    Moment,
}

/// One status of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmppStatus {
    /// The number.
    pub status: u32,
    /// What the specification calls it.
    pub name: String,
    /// What it means.
    pub meaning: String,
    /// What it says of a part.
    pub submit: PartMeaning,
    kind: Option<StatusFault>,
}

impl SmppStatus {
    /// Whose fault a refusal is; `None` where the status is no refusal.
    pub fn refusal_kind(&self) -> Option<RefusalKind> {
        let kind = self.kind?;
        (self.submit == PartMeaning::Declined).then_some(match kind {
            StatusFault::Order => RefusalKind::Order,
            StatusFault::Account => RefusalKind::Account,
            StatusFault::Moment => RefusalKind::Moment { retry_after: None },
        })
    }
}

/// One state of a message, as receipts name it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmppState {
    /// The word of the text.
    pub word: String,
    /// The number of the optional field, where there is one.
    pub number: Option<u8>,
    status: String,
}

impl SmppState {
    /// What became of the part.
    pub fn delivery_status(&self) -> DeliveryStatus {
        DeliveryStatus::from_code(&self.status).unwrap_or(DeliveryStatus::Unknown)
    }
}

/// The table, with the statuses of a vendor that the operator listed.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatusTable {
    status: Vec<SmppStatus>,
    state: Vec<SmppState>,
}

/// Why a text lists no statuses of a vendor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be STATUS=KIND, separated by commas: a status from 0x400 to 0x4FF, and order, account or \
     moment, such as 0x401=account"
)]
pub struct InvalidVendorStatuses;

impl StatusTable {
    /// The table that is part of the program.
    #[expect(
        clippy::expect_used,
        clippy::missing_panics_doc,
        reason = "the table is compiled in, and tests read it"
    )]
    pub fn embedded() -> Self {
        // Panic safety: the table cannot change after the tests have read it.
        toml::from_str(TABLE).expect("a readable table of statuses")
    }

    /// The same table with refusals of a vendor, as `0x401=account,0x402=order`.
    pub fn with_vendor_statuses(mut self, text: &str) -> Result<Self, InvalidVendorStatuses> {
        for pair in text.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            let (number, kind) = pair.split_once('=').ok_or(InvalidVendorStatuses)?;
            let digits = number.trim().strip_prefix("0x");
            let digits = digits.ok_or(InvalidVendorStatuses)?;
            let status = u32::from_str_radix(digits, 16).map_err(|_| InvalidVendorStatuses)?;
            let kind = match kind.trim() {
                "order" => StatusFault::Order,
                "account" => StatusFault::Account,
                "moment" => StatusFault::Moment,
                _ => return Err(InvalidVendorStatuses),
            };
            if !(0x400..=0x4FF).contains(&status) || self.find(status).is_some() {
                return Err(InvalidVendorStatuses);
            }
            self.status.push(SmppStatus {
                status,
                name: format!("vendor {status:#X}"),
                meaning: "refused, as the operator listed it".to_owned(),
                submit: PartMeaning::Declined,
                kind: Some(kind),
            });
        }
        Ok(self)
    }

    /// The row of a status; `None` where it is not listed.
    pub fn find(&self, status: u32) -> Option<&SmppStatus> {
        self.status.iter().find(|row| row.status == status)
    }

    /// What a number of `message_state` says.
    pub fn state_of_number(&self, number: u8) -> DeliveryStatus {
        let row = self.state.iter().find(|row| row.number == Some(number));
        row.map_or(DeliveryStatus::Unknown, SmppState::delivery_status)
    }

    /// What a word of `stat:` says, in whatever case.
    pub fn state_of_word(&self, word: &str) -> DeliveryStatus {
        let mut rows = self.state.iter();
        let row = rows.find(|row| row.word.eq_ignore_ascii_case(word));
        row.map_or(DeliveryStatus::Unknown, SmppState::delivery_status)
    }

    /// Every status, by number.
    pub fn statuses(&self) -> &[SmppStatus] {
        &self.status
    }

    /// Every state.
    pub fn states(&self) -> &[SmppState] {
        &self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_has_one_row_and_each_refusal_its_fault() {
        let table = StatusTable::embedded();
        let numbers: Vec<_> = table.statuses().iter().map(|row| row.status).collect();
        assert!(
            numbers.is_sorted_by(|left, right| left < right),
            "{numbers:?}"
        );
        for row in table.statuses() {
            let is_refusal = row.submit == PartMeaning::Declined;
            assert_eq!(row.refusal_kind().is_some(), is_refusal, "{row:?}");
            assert_eq!(row.kind.is_some(), is_refusal, "{row:?}");
        }
        for row in table.states() {
            assert!(
                DeliveryStatus::from_code(&row.status).is_some(),
                "{} is no status",
                row.status
            );
        }
        assert!(table.find(0x00).is_none() && table.find(0x401).is_none());
    }

    #[test]
    fn an_operator_lists_the_refusals_of_a_vendor() {
        let listed =
            StatusTable::embedded().with_vendor_statuses("0x401=account, 0x4FF=moment,0x402=order");
        let listed = listed.unwrap();
        let kind = |status| listed.find(status).and_then(SmppStatus::refusal_kind);
        assert_eq!(kind(0x401), Some(RefusalKind::Account));
        assert_eq!(kind(0x402), Some(RefusalKind::Order));
        assert_eq!(kind(0x4FF), Some(RefusalKind::Moment { retry_after: None }));
        assert_eq!(kind(0x403), None);
        for wrong in [
            "0x401",
            "401=order",
            "0x3FF=order",
            "0x500=order",
            "0x401=lookalike",
            "0x401=order,0x401=account",
            "0xZZ=order",
        ] {
            let refused = StatusTable::embedded().with_vendor_statuses(wrong);
            assert!(refused.is_err(), "{wrong}");
        }
    }
}
