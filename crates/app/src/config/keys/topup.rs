//! The bank account that merchants pay to. It must be named whole or not at all.

use domain::bank::{AccountNumber, GroupLabel};

use crate::config::key::{SettingKey, SettingShape};
use crate::config::parse::Parsed;

pub(crate) const TOP_UP_BANK: SettingKey<Option<GroupLabel>> = SettingKey {
    name: "topup.bank_name",
    env: "MANILLA_TOPUP_BANK_NAME",
    help: "Full name of the bank of the account that merchants pay top-ups to; empty: top-ups by \
           transfer are refused, and manual ones are not.",
    default: "",
    shape: SettingShape::Text,
    parse: label,
};

pub(crate) const TOP_UP_ACCOUNT: SettingKey<Option<AccountNumber>> = SettingKey {
    name: "topup.account_number",
    env: "MANILLA_TOPUP_ACCOUNT_NUMBER",
    help: "Number of that account, 10 digits in quotes.",
    default: "",
    shape: SettingShape::Text,
    parse: |text| {
        if text.is_empty() {
            return Ok(None);
        }
        let number = AccountNumber::parse(text).map(Some);
        number.map_err(|error| error.to_string())
    },
};

pub(crate) const TOP_UP_NAME: SettingKey<Option<GroupLabel>> = SettingKey {
    name: "topup.account_name",
    env: "MANILLA_TOPUP_ACCOUNT_NAME",
    help: "Name of the holder of that account, as the bank has it.",
    default: "",
    shape: SettingShape::Text,
    parse: label,
};

pub(super) fn label(text: &str) -> Parsed<Option<GroupLabel>> {
    if text.is_empty() {
        return Ok(None);
    }
    GroupLabel::parse(text)
        .map(Some)
        .map_err(|error| error.to_string())
}
