//! The kinds of values behind the types: the texts an amount, a date or a reference can be. It must
//! not know the kind of a name.

use anyhow::{Context, Result, bail};

/// The kind of a value, beside its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueKind {
    /// Any value of its type.
    Any,
    /// Texts that match one pattern as a whole.
    Pattern(ValuePattern),
    /// These texts and no others.
    Words(Vec<String>),
    /// Whole numbers between two limits.
    Range(i64, i64),
    /// An IP address of either version.
    Address,
    /// A time in the form of RFC 3339.
    Moment,
}

/// A pattern with a name for the schemas that share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValuePattern {
    /// Its name in the glossary.
    pub name: &'static str,
    /// The name of its type in XML schemas.
    pub type_name: &'static str,
    /// A regular expression in the syntax that JSON Schema and XML Schema share, without anchors.
    pub expression: &'static str,
    /// The whole numbers that may be sent for such a text in JSON, where they may.
    pub integers: Option<(i64, i64)>,
}

/// Texts of so many characters: without control characters but line breaks and tabs, and without
/// those that change the reading direction.
macro_rules! text {
    ($count:literal) => {
        concat!(
            "[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f",
            "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069",
            "\\ufdd0-\\ufdef\\ufffe\\uffff]",
            $count
        )
    };
}

/// The same without line breaks and tabs.
macro_rules! line {
    ($count:literal) => {
        concat!(
            "[^\\u0000-\\u001f\\u007f-\\u009f",
            "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069",
            "\\ufdd0-\\ufdef\\ufffe\\uffff]",
            $count
        )
    };
}

/// Every pattern. Those whose names begin with `sent` are of requests, which accept more.
pub(crate) const PATTERNS: [ValuePattern; 77] = [
    pattern("reference", "Reference", "[A-Za-z0-9._:\\-]{1,64}"),
    pattern(
        "amount",
        "Amount",
        "(0|[1-9][0-9]{0,2}(,[0-9]{3})*)\\.[0-9]{2}",
    ),
    pattern(
        "signed-amount",
        "SignedAmount",
        "-?(0|[1-9][0-9]{0,2}(,[0-9]{3})*)\\.[0-9]{2}",
    ),
    pattern("decimal", "Decimal", "[0-9]+\\.[0-9]{2,}"),
    pattern("percent", "Percent", "[0-9]+(\\.[0-9]+)?"),
    pattern(
        "date-time",
        "DateTime",
        "[0-9]{2}-[0-9]{2}-[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}",
    ),
    pattern("date", "Date", "[0-9]{2}-[0-9]{2}-[0-9]{4}"),
    pattern("date-iso", "IsoDate", "[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    pattern("month", "Month", "2[0-9]{3}-(0[1-9]|1[0-2])"),
    pattern("digits", "Digits", "[0-9]+"),
    pattern("currency", "Currency", "[A-Z]{3}"),
    pattern("token", "Token", "[0-9]{4}(-[0-9]{4}){4}|Unavailable"),
    pattern("bank", "Bank", "[A-Z0-9]{11}"),
    pattern(
        "event",
        "Event",
        "evt_((NGN|CRD)_[0-9]{1,16}_[0-9]{1,16}|[0-9]{1,20}(_[0-9]{1,16})?)",
    ),
    pattern("key", "Key", "[0-9a-f]{16}"),
    pattern(
        "access-secret",
        "AccessSecret",
        "mk_(test|live)_[0-9A-Za-z]{36}",
    ),
    pattern(
        "activation-code",
        "ActivationCode",
        "[0-9A-Z]{5}-[0-9A-Z]{5}",
    ),
    pattern("secret", "Secret", "whsec_[A-Za-z0-9+/]{43}="),
    pattern("signing-secret", "SigningSecret", "[A-Za-z0-9+/]{43}="),
    // Above zero, without leading zeros.
    pattern(
        "sent-amount",
        "SentAmount",
        concat!(
            "([1-9][0-9]{0,12}|[1-9][0-9]{0,2}(,[0-9]{3}){1,3}|[1-9](,[0-9]{3}){4})",
            "(\\.[0-9]{1,2})?|0\\.(0[1-9]|[1-9][0-9]?)"
        ),
    )
    .or_integer(1, 9_999_999_999_999),
    pattern(
        "sent-country",
        "SentCountry",
        "0{0,2}[1-9]|0?[1-9][0-9]|[1-9][0-9]{2}",
    )
    .or_integer(1, 999),
    pattern(
        "sent-wifi",
        "SentWifi",
        concat!(
            "[0-9A-Fa-f]{2}([:\\-][0-9A-Fa-f]{2}){5},-([1-9]?[0-9]|1[01][0-9]|120)",
            "(;[0-9A-Fa-f]{2}([:\\-][0-9A-Fa-f]{2}){5},-([1-9]?[0-9]|1[01][0-9]|120)){0,49}"
        ),
    ),
    pattern(
        "sent-cells",
        "SentCells",
        concat!(
            "[0-9]{1,3},[0-9]{1,3},[0-9]{1,9},[0-9]{1,10}",
            "(;[0-9]{1,3},[0-9]{1,3},[0-9]{1,9},[0-9]{1,10}){0,49}"
        ),
    ),
    pattern(
        "sent-latitude",
        "SentLatitude",
        "-?([0-8]?[0-9](\\.[0-9]{1,6})?|90(\\.0{1,6})?)",
    ),
    pattern(
        "sent-longitude",
        "SentLongitude",
        "-?((1[0-7][0-9]|[0-9]?[0-9])(\\.[0-9]{1,6})?|180(\\.0{1,6})?)",
    ),
    pattern("sent-phone", "SentPhone", "\\+?[1-9][0-9]{7,14}")
        .or_integer(10_000_000, 999_999_999_999_999),
    pattern("sent-kyc", "SentKyc", "[0-9]{11}").or_integer(10_000_000_000, 99_999_999_999),
    pattern(
        "sent-percent",
        "SentPercent",
        "(0|[1-9][0-9]?)(\\.[0-9]{1,4})?|100(\\.0{1,4})?",
    )
    .or_integer(0, 100),
    pattern("sent-company", "SentCompany", "[0-9]{1,9}").or_integer(0, 999_999_999),
    pattern("quote", "Quote", "qte_[A-Za-z0-9_\\-]{1,996}"),
    // In a currency without decimals there are none.
    pattern(
        "destination-amount",
        "DestinationAmount",
        "(0|[1-9][0-9]{0,2}(,[0-9]{3})*)(\\.[0-9]{2})?",
    ),
    pattern(
        "rate",
        "Rate",
        "(0|[1-9][0-9]{0,5})(\\.[0-9]{1,10})?|1000000",
    ),
    pattern("bic", "Bic", "[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?"),
    // Without its check digits and the lengths of its country.
    pattern("sent-iban", "SentIban", "[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}"),
    pattern(
        "sent-foreign-account",
        "SentForeignAccount",
        "[A-Za-z0-9]{4,34}",
    )
    .or_integer(1_000, 9_007_199_254_740_991),
    pattern("sent-beneficiary", "SentBeneficiary", line!("{2,70}")),
    pattern("sent-address", "SentAddress", line!("{5,140}")),
    pattern("sent-card-token", "SentCardToken", "[A-Za-z0-9._:-]{8,128}"),
    pattern("sent-meter", "SentMeter", "[0-9]{6,15}").or_integer(100_000, 999_999_999_999_999),
    pattern("sent-smartcard", "SentSmartcard", "[0-9]{8,15}")
        .or_integer(10_000_000, 999_999_999_999_999),
    pattern("sent-sender", "SentSender", "[0-9]{12}").or_integer(100_000_000_000, 999_999_999_999),
    pattern("sent-account", "SentAccount", "[0-9]{10}").or_integer(1_000_000_000, 9_999_999_999),
    pattern(
        "sent-endpoint",
        "SentEndpoint",
        "[1-9][0-9]{0,14}|[1-8][0-9]{15}|900[0-6][0-9]{12}",
    )
    .or_integer(1, 9_007_199_254_740_991),
    // A thousand million changes are more than any object sees.
    pattern("sent-version", "SentVersion", "[1-9][0-9]{0,8}").or_integer(1, 999_999_999),
    // The shape alone does not decide which addresses are delivered to.
    pattern(
        "sent-url",
        "SentUrl",
        concat!(
            "https://([a-z]([a-z0-9\\-]{0,30}[a-z0-9])?\\.){1,4}[a-z]{2,20}(:[1-9][0-9]{0,3})?",
            "(/[A-Za-z0-9._~/\\-]{0,200}(\\?[A-Za-z0-9._~=&\\-]{0,100})?)?"
        ),
    ),
    // Without control characters, and without those that change the reading direction.
    pattern(
        "sent-date",
        "SentDate",
        "(0[1-9]|[12][0-9]|3[01])-(0[1-9]|1[0-2])-2[0-9]{3}",
    ),
    pattern("sent-staff", "SentStaff", line!("{1,64}")),
    pattern("sent-line", "SentLine", line!("{1,100}")),
    pattern("sent-reason", "SentReason", line!("{1,200}")),
    pattern("sent-text", "SentText", text!("{1,1530}")),
    pattern("sent-key", "SentKey", "[0-9A-Fa-f]{16}"),
    pattern(
        "sent-field-name",
        "SentFieldName",
        "[A-Za-z][A-Za-z0-9_]{0,31}",
    ),
    pattern("sent-field-value", "SentFieldValue", text!("{0,160}")),
    pattern("sent-whatsapp-text", "SentWhatsappText", text!("{1,4096}")),
    pattern("sent-parameter", "SentParameter", line!("{1,1024}")),
    pattern("sent-rcs-text", "SentRcsText", text!("{1,3072}")),
    pattern("sent-rcs-title", "SentRcsTitle", line!("{1,200}")),
    pattern(
        "sent-rcs-description",
        "SentRcsDescription",
        text!("{1,2000}"),
    ),
    pattern("sent-rcs-suggestion", "SentRcsSuggestion", line!("{1,25}")),
    pattern("sent-rcs-reply", "SentRcsReply", text!("{1,2048}")),
    pattern("sent-spoken-text", "SentSpokenText", text!("{1,4096}")),
    pattern(
        "sent-speech-language",
        "SentSpeechLanguage",
        "[a-z]{2,3}(-[A-Z]{2})?",
    ),
    pattern("sent-step", "SentStep", "[A-Za-z][A-Za-z0-9_\\-]{0,31}"),
    pattern("sent-call-key", "SentCallKey", "[0-9*#]"),
    pattern("sent-template", "SentTemplate", "[a-z0-9_]{1,128}"),
    pattern("sent-language", "SentLanguage", "[a-z]{2,3}(_[A-Z]{2})?"),
    pattern("sent-request-id", "SentRequestId", "[0-9A-Fa-f]{24}"),
    pattern("sent-status", "SentStatus", "[1-5](?:[0-9]{2}|[Xx]{2})"),
    pattern("sent-key-name", "SentKeyName", line!("{1,40}")),
    pattern("sent-user-name", "SentUserName", line!("{1,80}")),
    pattern(
        "sent-email",
        "SentEmail",
        "[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\\-]{1,64}@([A-Za-z0-9\\-]{1,63}\\.)+[A-Za-z0-9\\-]{1,63}",
    ),
    pattern("sent-number", "SentNumber", "\\+?[0-9]{4,20}"),
    pattern("sent-lookup", "SentLookup", "[a-z][a-z0-9\\-]{2,39}"),
    pattern(
        "sent-lookup-number",
        "SentLookupNumber",
        "\\+?[A-Za-z0-9\\-]{3,100}",
    )
    .or_integer(1_000, 999_999_999_999_999),
    pattern(
        "sent-lookup-parameters",
        "SentLookupParameters",
        concat!(
            "[A-Za-z][A-Za-z0-9]{0,39}:[^;\\u0000-\\u001f]{1,100}",
            "(;[A-Za-z][A-Za-z0-9]{0,39}:[^;\\u0000-\\u001f]{1,100}){0,9}"
        ),
    ),
    pattern("sent-bill", "SentBill", "[!-~]{1,64}"),
    pattern(
        "sent-note",
        "SentNote",
        "[^\\u0000-\\u001f\\u007f-\\u009f]{0,200}",
    ),
];

const fn pattern(
    name: &'static str,
    type_name: &'static str,
    expression: &'static str,
) -> ValuePattern {
    ValuePattern {
        name,
        type_name,
        expression,
        integers: None,
    }
}

impl ValuePattern {
    /// The same pattern, for which a whole number may be sent in JSON.
    const fn or_integer(self, first: i64, last: i64) -> Self {
        Self {
            integers: Some((first, last)),
            ..self
        }
    }

    /// Whether only requests use it.
    pub(crate) fn is_sent(&self) -> bool {
        self.name.starts_with("sent-")
    }
}

impl ValueKind {
    /// Reads the kind in a glossary entry: `any`, `address`, `moment`, `words a|b`, `range 0 100`,
    /// or the name of a pattern.
    ///
    /// # Errors
    /// When it is something else.
    pub fn parse(text: &str) -> Result<Self> {
        if text == "any" {
            return Ok(Self::Any);
        }
        if text == "address" {
            return Ok(Self::Address);
        }
        if text == "moment" {
            return Ok(Self::Moment);
        }
        if let Some(words) = text.strip_prefix("words ") {
            return Ok(Self::Words(words.split('|').map(str::to_owned).collect()));
        }
        if let Some((first, last)) = text
            .strip_prefix("range ")
            .and_then(|range| range.split_once(' '))
        {
            let number = |text: &str| text.parse().with_context(|| format!("range {text}"));
            return Ok(Self::Range(number(first)?, number(last)?));
        }
        match PATTERNS.into_iter().find(|pattern| pattern.name == text) {
            Some(pattern) => Ok(Self::Pattern(pattern)),
            None => bail!("`{text}` is no kind"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boon::{Compiler, Schemas};
    use domain::bank::{AccountNumber, BankIdentifier};
    use domain::cabletv::SmartcardNumber;
    use domain::card::CardToken;
    use domain::country::CountryCode;
    use domain::electricity::{DiscoCode, MeterNumber};
    use domain::international::{Bic, ExchangeRate, ForeignAccountNumber};
    use domain::money::{Currency, Money};
    use domain::phone::PhoneNumber;
    use domain::quote_identifier::QuoteIdentifier;
    use domain::reference::MerchantReference;
    use domain::sms::{Content, SenderSerial};
    use domain::subscription::{BillerCode, PlanCode};
    use proptest::prelude::Strategy;
    use proptest::string::string_regex;
    use proptest::test_runner::TestRunner;
    use serde_json::{Value, json};

    /// How many texts are generated for each kind.
    const TEXTS: usize = 2_000;

    fn is_amount(text: &str) -> bool {
        Money::parse(text, Currency::Ngn).is_ok_and(Money::is_positive)
    }

    /// A pattern of requests, the function that reads such a text, and the characters in which such
    /// texts are mutated.
    type Read = (&'static str, fn(&str) -> bool, &'static str);

    const READ: [Read; 25] = [
        (
            "reference",
            |t| MerchantReference::parse(t).is_ok(),
            "[a-z:. é]{0,4}",
        ),
        (
            "bank",
            |t| BankIdentifier::parse(t).is_ok(),
            "[A-Z0-9 ]{9,13}",
        ),
        (
            "sent-key",
            |t| domain::credential::KeyId::parse(t).is_ok(),
            "[0-9a-fG+]{15,17}",
        ),
        ("sent-amount", is_amount, "[0-9.,-]{0,9}"),
        (
            "sent-field-name",
            |t| domain::sms::PersonalFieldName::parse(t).is_ok(),
            "[a-z0-9_é]{0,3}[a-z]{0,31}",
        ),
        (
            "sent-step",
            |t| domain::ivr::StepName::parse(t).is_ok(),
            "[a-z0-9_é-]{0,3}[a-z]{0,31}",
        ),
        (
            "sent-call-key",
            |t| domain::ivr::CallKey::parse(t).is_ok(),
            "[0-9*#a+]{0,2}",
        ),
        (
            "sent-template",
            |t| domain::whatsapp::TemplateName::parse(t).is_ok(),
            "[a-zA_-]{0,3}[a-z]{0,31}",
        ),
        (
            "sent-language",
            |t| domain::whatsapp::TemplateLanguage::parse(t).is_ok(),
            "[a-zA-Z]{1,4}([_-][A-Za-z]{1,3})?",
        ),
        (
            "sent-speech-language",
            |t| domain::voice::SpeechLanguage::parse(t).is_ok(),
            "[a-zA-Z]{1,4}([_-][A-Za-z]{1,3})?",
        ),
        (
            "sent-status",
            |t| domain::request_log::StatusFilter::parse(t).is_ok(),
            "[0-7x][0-9xX]{1,3}",
        ),
        (
            "sent-country",
            |t| CountryCode::parse(t).is_ok(),
            "[0-9+]{0,4}",
        ),
        (
            "sent-phone",
            |t| PhoneNumber::parse(t).is_ok(),
            "[+0]?[0-9 ]{6,16}",
        ),
        (
            "sent-company",
            |t| BillerCode::parse(t).is_ok(),
            "[0-9+]{0,11}",
        ),
        (
            "sent-company",
            |t| PlanCode::parse(t).is_ok(),
            "[0-9+]{0,11}",
        ),
        (
            "sent-company",
            |t| DiscoCode::parse(t).is_ok(),
            "[0-9+]{0,11}",
        ),
        (
            "quote",
            |t| QuoteIdentifier::parse(t).is_ok(),
            "(qte_)?[A-Za-z_ -]{0,6}",
        ),
        ("bic", |t| Bic::parse(t).is_ok(), "[A-Za-z0-9]{7,12}"),
        (
            "sent-foreign-account",
            |t| ForeignAccountNumber::parse(t).is_ok(),
            "[A-Za-z0-9-]{2,36}",
        ),
        (
            "rate",
            |t| ExchangeRate::parse(t).is_ok() || t.trim_matches(['0', '.']).is_empty(),
            "[1-9]{1,6}(\\.[1-9]{1,11})?",
        ),
        (
            "sent-card-token",
            |t| CardToken::parse(t).is_ok(),
            "[A-Za-z_ -]{6,12}",
        ),
        (
            "sent-meter",
            |t| MeterNumber::parse(t).is_ok(),
            "[0-9]{4,17}",
        ),
        (
            "sent-smartcard",
            |t| SmartcardNumber::parse(t).is_ok(),
            "[0-9]{6,17}",
        ),
        (
            "sent-sender",
            |t| SenderSerial::parse(t).is_ok(),
            "[0-9]{11,13}",
        ),
        (
            "sent-account",
            |t| AccountNumber::parse(t).is_ok(),
            "[0-9]{9,11}",
        ),
    ];

    fn pattern_of(name: &str) -> ValuePattern {
        let mut all = PATTERNS.into_iter();
        all.find(|pattern| pattern.name == name).expect("a pattern")
    }

    /// Whether a schema with the pattern accepts a value.
    fn takes(pattern: ValuePattern) -> impl Fn(&Value) -> bool {
        let schema = json!({"pattern": format!("^({})$", pattern.expression)});
        let mut compiler = Compiler::new();
        compiler
            .add_resource("kind.json", schema)
            .expect("a schema");
        let mut schemas = Schemas::new();
        let index = compiler
            .compile("kind.json", &mut schemas)
            .expect("a schema");
        move |value| schemas.validate(value, index).is_ok()
    }

    fn made_up(expression: &str) -> Vec<String> {
        let texts = string_regex(expression).expect("an expression");
        let mut runner = TestRunner::deterministic();
        let tree = |_| texts.new_tree(&mut runner).expect("a text");
        let trees: Vec<_> = (0..TEXTS).map(tree).collect();
        trees
            .iter()
            .map(proptest::strategy::ValueTree::current)
            .collect()
    }

    #[test]
    fn a_made_up_text_that_a_schema_takes_is_read_and_one_that_it_refuses_is_not() {
        for (name, read, mistaken) in READ {
            let pattern = pattern_of(name);
            for text in made_up(pattern.expression) {
                assert!(read(&text), "{name}: {text:?}");
            }
            let is_taken = takes(pattern);
            for text in made_up(mistaken) {
                let valid = is_taken(&Value::from(text.as_str()));
                assert_eq!(valid, read(&text), "{name}: {text:?}");
            }
        }
    }

    #[test]
    fn the_ends_of_the_integers_that_stand_for_a_text_are_such_texts() {
        for (name, read, _) in READ {
            let Some((first, last)) = pattern_of(name).integers else {
                continue;
            };
            for number in [first, last] {
                assert!(read(&number.to_string()), "{name}: {number}");
            }
        }
    }

    #[test]
    fn a_text_of_people_has_no_characters_that_are_refused() {
        for (name, text) in [
            ("sent-text", "Line\none, ₦5 Àṣẹ"),
            ("sent-line", "Rent of June ₦"),
            ("sent-reason", "It never arrived"),
            ("sent-staff", "E-17/Àṣẹ"),
            ("month", "2026-11"),
            ("sent-date", "27-11-2026"),
            ("sent-note", "Till 1"),
        ] {
            assert!(takes(pattern_of(name))(&Value::from(text)), "{name}");
        }
        let takes = takes(pattern_of("sent-text"));
        for text in [
            "", "\u{0}", "\u{b}", "\u{202e}", "\u{2028}", "\u{85}", "\u{fffe}",
        ] {
            assert!(!takes(&Value::from(text)), "{text:?}");
            assert!(Content::parse(text).is_err(), "{text:?}");
        }
    }
}
