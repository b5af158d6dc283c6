//! The account numbers that the operator's bank lets live accounts have. They must be named whole
//! or not at all.

use domain::bank::{BankCode, GroupLabel};

use super::topup::label;
use crate::config::key::{SettingKey, SettingShape};

pub(crate) const COLLECTION_BANK: SettingKey<Option<GroupLabel>> = SettingKey {
    name: "collection.bank_name",
    env: "MANILLA_COLLECTION_BANK_NAME",
    help: "Full name of the bank that lets you hand out account numbers; empty: live accounts get \
           none, and payment references all the same.",
    default: "",
    shape: SettingShape::Text,
    parse: label,
};

pub(crate) const COLLECTION_CODE: SettingKey<Option<BankCode>> = SettingKey {
    name: "collection.bank_code",
    env: "MANILLA_COLLECTION_BANK_CODE",
    help: "Code of that bank, 3 digits in quotes: the check digits of the numbers follow from it.",
    default: "",
    shape: SettingShape::Text,
    parse: |text| {
        let named = (!text.is_empty()).then(|| BankCode::parse(text));
        named.transpose().map_err(|error| error.to_string())
    },
};

pub(crate) const COLLECTION_PREFIX: SettingKey<Option<String>> = SettingKey {
    name: "collection.account_prefix",
    env: "MANILLA_COLLECTION_ACCOUNT_PREFIX",
    help: "The digits that its numbers for you begin with, 1 to 5 in quotes, as agreed with it.",
    default: "",
    shape: SettingShape::Text,
    parse: |text| Ok((!text.is_empty()).then(|| text.to_owned())),
};
