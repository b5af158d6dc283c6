//! The account numbers that the operator's bank lets live accounts have. They must be named whole
//! or not at all.

use domain::bank::{BankCode, GroupLabel};
use domain::collection::RedirectUrl;

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

pub(crate) const CHECKOUT_URL: SettingKey<Option<String>> = SettingKey {
    name: "checkout.url",
    env: "MANILLA_CHECKOUT_URL",
    help: "Address that customers reach the pages of checkout sessions under, such as \
           https://pay.example.com; empty: https:// and `server.listen`.",
    default: "",
    shape: SettingShape::Text,
    parse: |text| match text {
        "" => Ok(None),
        text => {
            let origin = text.strip_suffix('/').unwrap_or(text);
            let is_bare = !origin.contains('?');
            let address = RedirectUrl::parse(origin).ok().filter(|_| is_bare);
            let wrong = "must be an https address without a query, such as https://pay.example.com";
            let address = address.ok_or_else(|| wrong.to_owned())?;
            Ok(Some(address.as_str().to_owned()))
        }
    },
};
