//! Reads the attributes of one request into typed values and collects the violations. It must not
//! stop at the first violation, and never turn a value into another one.

mod counts;
mod numbers;
mod objects;
mod quotes;
mod relations;
mod truths;
mod versions;

pub use objects::REFUSED_OBJECTS_MAX;
pub use quotes::quote_of;

use crate::attribute::{self, Accepts, Attribute};
use crate::attributes::{AttributeSource, AttributeValue, Attributes, shown};
use crate::country;
use crate::render;
use crate::violations::Violations;
use domain::bank::{AccountNumber, BankIdentifier};
use domain::billing::Billing;
use domain::cabletv::SmartcardNumber;
use domain::card::may_hold_card_number;
use domain::country::CountryCode;
use domain::electricity::{DiscoCode, MeterNumber};
use domain::money::{Currency, Money, ParseError};
use domain::reference::MerchantReference;
use domain::retrieve::Retrieve;
use domain::subscription::BillerCode;
use std::borrow::Cow;
use std::fmt::Display;
use std::ops::RangeInclusive;

/// The words of `billing`.
pub(crate) const BILLINGS: [(&str, Billing); 2] = [
    (Billing::Prepaid.code(), Billing::Prepaid),
    (Billing::Postpaid.code(), Billing::Postpaid),
];

/// The handling of attributes an operation does not know (RFC 7240, `Prefer: handling=…`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Handling {
    /// They are ignored.
    #[default]
    Lenient,
    /// Each is a violation.
    Strict,
}

/// The value could not be read; the reader has recorded the violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidField(());

/// Reads one request.
#[derive(Debug)]
pub struct FieldReader<'a> {
    attributes: &'a Attributes,
    handling: Handling,
    known: Vec<&'static str>,
    violations: Violations,
}

impl<'a> FieldReader<'a> {
    pub fn new(attributes: &'a Attributes, handling: Handling) -> Self {
        Self {
            attributes,
            handling,
            known: Vec::new(),
            violations: Violations::default(),
        }
    }

    /// The value of a required attribute.
    pub fn required<T, E: Display>(
        &mut self,
        attribute: &Attribute,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, InvalidField> {
        match self.optional(attribute, parse)? {
            Some(value) => Ok(value),
            None => Err(self.missing(attribute)),
        }
    }

    /// The value of an optional attribute.
    pub fn optional<T, E: Display>(
        &mut self,
        attribute: &Attribute,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, InvalidField> {
        self.known.push(attribute.name);
        let Some(value) = self.attributes.get(attribute.name) else {
            return Ok(None);
        };
        let parsed = text_of(value, attribute.accepts)
            .map_err(str::to_owned)
            .and_then(|text| parse(&text).map_err(|error| self.explained(&text, attribute, error)));
        match parsed {
            Ok(value) => Ok(Some(value)),
            Err(message) => {
                self.violations.add(attribute, message);
                Err(InvalidField(()))
            }
        }
    }

    /// The message for an invalid value. A plus sign that was not encoded arrives as a space, which
    /// cannot be seen in what was sent.
    fn explained(&self, text: &str, attribute: &Attribute, error: impl Display) -> String {
        let is_number = attribute.accepts == Accepts::NumberOrText;
        if self.attributes.source() == AttributeSource::Query && is_number && text.contains(' ') {
            return format!("{error}; it has a space: a plus sign in a query is written %2B");
        }
        error.to_string()
    }

    pub fn reference(&mut self) -> Result<MerchantReference, InvalidField> {
        self.required(&attribute::REFERENCE, MerchantReference::parse)
    }

    pub fn country(&mut self) -> Result<CountryCode, InvalidField> {
        self.required(&attribute::COUNTRY, country::parse)
    }

    pub fn disco(&mut self) -> Result<DiscoCode, InvalidField> {
        self.required(&attribute::DISCO, DiscoCode::parse)
    }

    pub fn meter(&mut self) -> Result<MeterNumber, InvalidField> {
        self.required(&attribute::METER, MeterNumber::parse)
    }

    pub fn billing(&mut self) -> Result<Billing, InvalidField> {
        self.word(&attribute::BILLING, &BILLINGS)
    }

    /// An amount above zero in the currency of the account.
    pub fn amount(&mut self, currency: Currency) -> Result<Money, InvalidField> {
        self.amount_of(&attribute::AMOUNT, currency)
    }

    /// The same under another attribute.
    pub fn amount_of(
        &mut self,
        attribute: &Attribute,
        currency: Currency,
    ) -> Result<Money, InvalidField> {
        self.required(attribute, |text| positive(text, currency))
    }

    pub fn provider(&mut self) -> Result<BillerCode, InvalidField> {
        self.required(&attribute::PROVIDER, BillerCode::parse)
    }

    pub fn smartcard(&mut self) -> Result<SmartcardNumber, InvalidField> {
        self.required(&attribute::SMARTCARD, SmartcardNumber::parse)
    }

    pub fn bank(&mut self) -> Result<BankIdentifier, InvalidField> {
        self.required(&attribute::BANK, |text| {
            BankIdentifier::parse(&text.to_ascii_uppercase())
        })
    }

    pub fn bank_account(&mut self) -> Result<AccountNumber, InvalidField> {
        self.required(&attribute::BANK_ACCOUNT, AccountNumber::parse)
    }

    /// An amount above zero, where the attribute was sent.
    pub fn optional_amount(
        &mut self,
        attribute: &Attribute,
        currency: Currency,
    ) -> Result<Option<Money>, InvalidField> {
        self.optional(attribute, |text| positive(text, currency))
    }

    /// One of a few values.
    pub fn word<T: Copy>(
        &mut self,
        attribute: &Attribute,
        words: &[(&str, T)],
    ) -> Result<T, InvalidField> {
        self.required(attribute, |text| {
            choose(text, words).ok_or_else(|| one_of(words))
        })
    }

    /// The value of an attribute that is optional in general and required in this request.
    pub fn needed<T>(
        &mut self,
        attribute: &Attribute,
        read: Result<Option<T>, InvalidField>,
        because: &str,
    ) -> Result<T, InvalidField> {
        let value = read?;
        value.ok_or_else(|| {
            let message = format!("is required for {because}; add it to the body");
            self.violations.add(attribute, message);
            InvalidField(())
        })
    }

    /// Reads which entries of the catalogue a list holds.
    pub fn retrieve(&mut self) -> Result<Retrieve, InvalidField> {
        let chosen = self.choice(&attribute::RETRIEVE, &[("all", Retrieve::All)])?;
        Ok(chosen.unwrap_or(Retrieve::Buyable))
    }

    /// One of a few values, where the attribute was sent.
    pub fn choice<T: Copy>(
        &mut self,
        attribute: &Attribute,
        words: &[(&str, T)],
    ) -> Result<Option<T>, InvalidField> {
        self.optional(attribute, |text| {
            choose(text, words).ok_or_else(|| permitted(words))
        })
    }

    /// A whole number within a range, where the attribute was sent.
    pub fn integer(
        &mut self,
        attribute: &Attribute,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, InvalidField> {
        self.optional(attribute, |text| whole(text, &range))
    }

    /// The command, or all violations. A command cannot be built without its values, so a command
    /// that was built means that none of the attributes it needs was invalid.
    pub fn finish<T>(
        mut self,
        command: impl FnOnce() -> Result<T, InvalidField>,
    ) -> Result<T, Violations> {
        if self.handling == Handling::Strict {
            self.refuse_unknown();
        }
        match command() {
            Ok(command) if self.violations.is_empty() => Ok(command),
            Ok(_) | Err(InvalidField(())) => Err(self.violations),
        }
    }

    /// Records a violation of a value that could be read.
    pub fn object(&mut self, attribute: &Attribute, message: &str) {
        self.violations.add(attribute, message.to_owned());
    }

    /// The same where the command is built from values that may contradict one another.
    pub fn try_finish<T>(
        mut self,
        command: impl FnOnce(&mut Self) -> Result<T, InvalidField>,
    ) -> Result<T, Violations> {
        let built = command(&mut self);
        self.finish(|| built)
    }

    /// Records a violation of an attribute in relation to the others of its request.
    pub(crate) fn fault(&mut self, attribute: &Attribute, message: &str) -> InvalidField {
        self.object(attribute, message);
        InvalidField(())
    }

    /// Refuses what may be the number of a card in any attribute, its name included, without
    /// repeating it; an unknown attribute with such a name is reported as that of the token, which
    /// refuses such a value by itself.
    pub(crate) fn refuse_card_numbers(&mut self, token: &Attribute) {
        let message = "may hold the number of a card; never send one, send the token of the card";
        let found: Vec<_> = self.attributes.texts_that(&may_hold_card_number).collect();
        for name in found {
            if may_hold_card_number(name) {
                self.violations.add_named(token.name, message.to_owned());
            } else if name != token.name {
                self.violations.add_named(&shown(name), message.to_owned());
            }
        }
    }

    fn missing(&mut self, attribute: &Attribute) -> InvalidField {
        match self.attributes.source() {
            AttributeSource::Body => {
                let message = "is required; add it to the body";
                self.violations.add(attribute, message.to_owned());
            }
            AttributeSource::Query => {
                let message = "is required; add it to the query of the address";
                self.violations
                    .add_missing_filter(attribute, message.to_owned());
            }
        }
        InvalidField(())
    }

    fn refuse_unknown(&mut self) {
        let unknown = self
            .attributes
            .names()
            .filter(|name| !self.known.contains(name));
        for name in unknown {
            let name = shown(name);
            self.violations.add_named(&name, unknown_name(&name));
        }
    }
}

/// The message for an unknown attribute. A name that cannot be an XML element is changed in an XML
/// answer, so the message contains it too.
fn unknown_name(name: &str) -> String {
    if render::is_element_name(name) {
        "is not an attribute of this request; leave it out".to_owned()
    } else {
        let name = shown(name);
        format!("is not an attribute of this request; leave {name:?} out")
    }
}

/// A value as the text it could have been sent as.
fn text_of(value: &AttributeValue, accepts: Accepts) -> Result<Cow<'_, str>, &'static str> {
    let text = match value {
        AttributeValue::Text(text) => Some(Cow::from(text)),
        AttributeValue::Number(text) => {
            (accepts == Accepts::NumberOrText).then(|| Cow::from(whole_of(text)))
        }
        AttributeValue::Truth(truth) => (accepts == Accepts::TruthOrText)
            .then(|| Cow::from(if *truth { "true" } else { "false" })),
        AttributeValue::Texts(texts) => {
            // A comma within a text would split it.
            let apart = !texts.iter().any(|text| text.contains(','));
            (accepts == Accepts::TextsOrText && apart).then(|| Cow::from(texts.join(",")))
        }
        AttributeValue::Objects(_) | AttributeValue::Object(_) | AttributeValue::Other(_) => None,
    };
    text.ok_or(match accepts {
        Accepts::Text => "must be a string",
        Accepts::NumberOrText => "must be a string or a number",
        Accepts::TextsOrText => "must be an array of strings, or one string with commas in between",
        Accepts::TruthOrText => "must be true or false",
        Accepts::Objects => "must be an array of objects",
        Accepts::Object => "must be an object",
    })
}

/// A number without its fraction where the fraction is zero: JSON Schema calls `5.0` an integer,
/// and some languages have no other way to write one.
fn whole_of(number: &str) -> &str {
    match number.split_once('.') {
        Some((whole, "0")) => whole,
        Some(_) | None => number,
    }
}

fn positive(text: &str, currency: Currency) -> Result<Money, String> {
    const REMEDY: &str = "must be an amount above zero, such as 1234.00";
    match Money::parse(text, currency) {
        Ok(money) if money.is_positive() => Ok(money),
        Ok(_) | Err(ParseError::Empty | ParseError::Negative) => Err(REMEDY.to_owned()),
        Err(
            error @ (ParseError::NotDecimal
            | ParseError::TooManyDecimals(_)
            | ParseError::BadGrouping
            | ParseError::TooLarge),
        ) => Err(error.to_string()),
    }
}

/// The value for a listed word, in any case: no two words of an attribute differ by case alone.
fn choose<T: Copy>(text: &str, words: &[(&str, T)]) -> Option<T> {
    let mut words = words.iter();
    let chosen = words.find(|(word, _)| word.eq_ignore_ascii_case(text));
    chosen.map(|(_, value)| *value)
}

/// What an attribute that may be left out must be.
fn permitted<T>(words: &[(&str, T)]) -> String {
    if let [(word, _)] = words {
        return format!("must be {word}, or left out");
    }
    one_of(words)
}

fn one_of<T>(words: &[(&str, T)]) -> String {
    let words: Vec<_> = words.iter().map(|(word, _)| *word).collect();
    format!("must be {}", words.join(" or "))
}

fn whole(text: &str, range: &RangeInclusive<u64>) -> Result<u64, String> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|n| digits && range.contains(n));
    let (first, last) = (range.start(), range.end());
    number.ok_or_else(|| format!("must be a whole number from {first} to {last}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, query};
    use crate::service_code::ServiceCode;
    use proptest::prelude::*;

    #[test]
    fn the_service_code_is_that_of_the_first_attribute_that_has_one() {
        let attributes = body(&[("amount", "0")]);
        let mut reader = FieldReader::new(&attributes, Handling::Lenient);
        let (reference, amount) = (reader.reference(), reader.amount(Currency::Ngn));
        let phone = reader.phone();
        let violations = reader
            .finish(|| Ok((reference?, amount?, phone?)))
            .unwrap_err();
        assert_eq!(violations.service(), Some(ServiceCode::Amount));
    }

    #[test]
    fn a_bad_optional_value_is_a_violation_though_nothing_needs_it() {
        let attributes = body(&[("sort", "\"up\"")]);
        let mut reader = FieldReader::new(&attributes, Handling::Lenient);
        let sort = reader.choice(&attribute::SORT, &[("asc", 1), ("desc", 2)]);
        assert_eq!(sort, Err(InvalidField(())));
        let expected = "400 -\nsort: must be asc or desc";
        assert_eq!(faults(reader.finish(|| Ok(()))), expected);
    }

    #[test]
    fn a_word_is_read_whatever_its_case() {
        for sent in ["prepaid", "Prepaid", "PREPAID", "pREPAID"] {
            let attributes = body(&[("billing", &format!("{sent:?}"))]);
            let mut reader = FieldReader::new(&attributes, Handling::Lenient);
            assert_eq!(reader.billing(), Ok(Billing::Prepaid), "{sent}");
        }
        for sent in ["", " prepaid", "prepaid ", "ｐrepaid", "pre"] {
            let attributes = body(&[("billing", &format!("{sent:?}"))]);
            let mut reader = FieldReader::new(&attributes, Handling::Lenient);
            assert_eq!(reader.billing(), Err(InvalidField(())), "{sent}");
        }
    }

    #[test]
    fn an_integer_that_is_written_with_a_fraction_of_zero_is_that_integer() {
        for sent in ["2348031234567", "2348031234567.0"] {
            let attributes = body(&[("number", sent)]);
            let mut reader = FieldReader::new(&attributes, Handling::Lenient);
            assert!(reader.phone().is_ok(), "{sent}");
        }
        for sent in ["2348031234567.5", "\"2348031234567.0\"", "2348031234567.00"] {
            let attributes = body(&[("number", sent)]);
            let mut reader = FieldReader::new(&attributes, Handling::Lenient);
            assert_eq!(reader.phone(), Err(InvalidField(())), "{sent}");
        }
    }

    #[test]
    fn a_plus_that_became_a_space_is_explained_in_a_query_alone() {
        let asked = query("number=+2348031234567");
        let mut reader = FieldReader::new(&asked, Handling::Lenient);
        let refused = reader.phone().and(Err::<(), _>(InvalidField(())));
        let reported = faults(reader.finish(|| refused));
        assert!(
            reported.ends_with("a plus sign in a query is written %2B"),
            "{reported}"
        );
        let encoded = query("number=%2B2348031234567");
        let mut reader = FieldReader::new(&encoded, Handling::Lenient);
        assert!(reader.phone().is_ok());
        let posted = body(&[("number", "\" 2348031234567\"")]);
        let mut reader = FieldReader::new(&posted, Handling::Lenient);
        let refused = reader.phone().and(Err::<(), _>(InvalidField(())));
        let reported = faults(reader.finish(|| refused));
        assert!(!reported.contains("%2B"), "{reported}");
    }

    #[test]
    fn an_attribute_that_is_not_known_is_named_as_it_was_sent() {
        let long = "x".repeat(5000);
        for (name, quoted) in [
            ("colour", None),
            ("2nd line", Some("2nd line")),
            ("", Some("")),
            ("é\u{202e}", Some("é\\u{202e}")),
            (&long, None),
        ] {
            let sent = serde_json::json!({ name: 1 }).to_string();
            let attributes = Attributes::from_json(sent.as_bytes()).unwrap();
            let reader = FieldReader::new(&attributes, Handling::Strict);
            let violations = reader.finish(|| Ok(())).unwrap_err();
            let (reported, messages) = violations.iter().next().unwrap();
            let expected: String = name.chars().take(64).collect();
            assert_eq!(reported, expected);
            let it = quoted.map_or("it".to_owned(), |name| format!("\"{name}\""));
            let message = format!("is not an attribute of this request; leave {it} out");
            assert_eq!(messages, [message]);
        }
    }

    proptest! {
        #[test]
        fn a_value_is_read_or_refused_but_never_changed(text in "\\PC{0,20}") {
            let attributes = body(&[("number", &serde_json::to_string(&text).unwrap())]);
            let mut reader = FieldReader::new(&attributes, Handling::Lenient);
            match reader.meter() {
                Ok(number) => prop_assert_eq!(number.digits(), text),
                Err(InvalidField(())) => prop_assert!(reader.finish(|| Ok(())).is_err()),
            }
        }
    }
}
