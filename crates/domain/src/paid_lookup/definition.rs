//! A lookup as a catalogue lists it: its name, what it asks for, and whether it is about a person.

use super::category::LookupCategory;
use super::form::ValueForm;
use crate::country::CountryCode;
use crate::labelled_value::LabelledValue;
use crate::text;
use std::collections::BTreeSet;
use std::fmt;

/// The identity of a lookup, such as `sim-age`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LookupCode(String);

/// The text is no such identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 3 to 40 characters out of a-z 0-9 -, beginning with a letter")]
pub struct InvalidLookupCode;

/// A lookup as a catalogue lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookupDefinition {
    /// What it looks up.
    pub category: LookupCategory,
    /// Its identity.
    pub code: LookupCode,
    /// Its name.
    pub name: String,
    /// What it says, in a sentence.
    pub about: String,
    /// The country whose records are asked.
    pub country: CountryCode,
    /// The number that it is about.
    pub number: LookupNumberRule,
    /// What else it asks for, in the order it is shown.
    pub parameters: Vec<LookupParameter>,
    /// Whether it is about a person, whose consent is asked for.
    pub needs_consent: bool,
}

/// The number that a lookup is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookupNumberRule {
    /// What it is, for people.
    pub label: String,
    /// Which numbers.
    pub form: ValueForm,
}

/// Something that a lookup asks for beside the number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookupParameter {
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    pub label: String,
    /// Which values.
    pub form: ValueForm,
    /// Whether it must be there.
    pub required: bool,
}

/// A definition as it is written.
#[derive(Debug, Clone, Copy)]
pub struct LookupTexts<'a> {
    /// See [`LookupDefinition::code`].
    pub code: &'a str,
    /// See [`LookupDefinition::name`].
    pub name: &'a str,
    /// See [`LookupDefinition::about`].
    pub about: &'a str,
    /// The country by its number, such as `566`.
    pub country: &'a str,
    /// What the number is, for people.
    pub number_label: &'a str,
    /// Which numbers.
    pub number_form: &'a str,
    /// Whether it is about a person.
    pub needs_consent: bool,
}

/// A parameter as it is written.
#[derive(Debug, Clone, Copy)]
pub struct ParameterTexts<'a> {
    /// See [`LookupParameter::name`].
    pub name: &'a str,
    /// See [`LookupParameter::label`].
    pub label: &'a str,
    /// See [`LookupParameter::form`].
    pub form: &'a str,
    /// See [`LookupParameter::required`].
    pub required: bool,
}

/// What is wrong with a definition: the field, and what it must be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` {must}")]
pub struct InvalidLookup {
    /// The field.
    pub field: String,
    /// What it must be.
    pub must: String,
}

/// What a request says of a parameter of a lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedParameter {
    /// The value.
    Given(LabelledValue),
    /// It is not there, and need not be.
    Omitted,
    /// It is not there, and must be.
    Missing,
    /// It is not of the form.
    Invalid,
}

impl LookupCode {
    /// Longest identity in characters.
    pub const LENGTH_MAX: usize = 40;

    /// Reads an identity.
    ///
    /// # Errors
    /// See [`InvalidLookupCode`].
    pub fn parse(text: &str) -> Result<Self, InvalidLookupCode> {
        let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        let begins = text.bytes().next().is_some_and(|b| b.is_ascii_lowercase());
        let fits = (3..=Self::LENGTH_MAX).contains(&text.len()) && text.bytes().all(allowed);
        (begins && fits)
            .then(|| Self(text.to_owned()))
            .ok_or(InvalidLookupCode)
    }

    /// The identity as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for LookupCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl LookupDefinition {
    /// Most parameters of a lookup.
    pub const PARAMETERS_MAX: usize = 10;

    /// Most characters of names and labels.
    pub const LABEL_LENGTH_MAX: usize = 60;

    /// Most characters of what a lookup says.
    pub const ABOUT_LENGTH_MAX: usize = 200;

    /// Most characters of the name of a parameter.
    pub const NAME_LENGTH_MAX: usize = 40;

    /// Reads a definition.
    ///
    /// # Errors
    /// The first field that cannot be read.
    pub fn read(
        category: LookupCategory,
        texts: &LookupTexts<'_>,
        parameters: &[ParameterTexts<'_>],
    ) -> Result<Self, InvalidLookup> {
        if parameters.len() > Self::PARAMETERS_MAX {
            let must = format!("must be at most {}", Self::PARAMETERS_MAX);
            return Err(InvalidLookup::of("parameters", must));
        }
        let read: Result<Vec<_>, _> = (1_usize..).zip(parameters).map(parameter).collect();
        let read = read?;
        let names: BTreeSet<_> = read.iter().map(|it| &it.name).collect();
        if names.len() < read.len() {
            let must = "must have names of their own".to_owned();
            return Err(InvalidLookup::of("parameters", must));
        }
        Ok(Self {
            category,
            code: valid("code", LookupCode::parse(texts.code))?,
            name: label("name", texts.name, Self::LABEL_LENGTH_MAX)?,
            about: label("about", texts.about, Self::ABOUT_LENGTH_MAX)?,
            country: valid("country", CountryCode::parse(texts.country))?,
            number: LookupNumberRule {
                label: label("number_label", texts.number_label, Self::LABEL_LENGTH_MAX)?,
                form: number_form(texts.number_form)?,
            },
            parameters: read,
            needs_consent: texts.needs_consent,
        })
    }

    /// Its name as a product, such as `lookup.sim-age`.
    pub fn product(&self) -> String {
        format!("{}.{}", self.category.code(), self.code)
    }

    /// What a request says of each parameter; `value` finds what was sent under a name.
    pub fn requested<'a>(
        &'a self,
        value: impl Fn(&str) -> Option<&'a str> + 'a,
    ) -> impl Iterator<Item = (&'a LookupParameter, RequestedParameter)> + 'a {
        self.parameters.iter().map(move |parameter| {
            let said = match value(&parameter.name) {
                None if parameter.required => RequestedParameter::Missing,
                None => RequestedParameter::Omitted,
                Some(text) => {
                    let read = parameter.form.read(text);
                    read.map_or(RequestedParameter::Invalid, |value| {
                        RequestedParameter::Given(LabelledValue {
                            name: parameter.name.clone(),
                            label: parameter.label.clone(),
                            value,
                        })
                    })
                }
            };
            (parameter, said)
        })
    }
}

impl InvalidLookup {
    fn of(field: &str, must: String) -> Self {
        Self {
            field: field.to_owned(),
            must,
        }
    }
}

fn parameter(
    (index, texts): (usize, &ParameterTexts<'_>),
) -> Result<LookupParameter, InvalidLookup> {
    let field = |name: &str| format!("parameters.{index}.{name}");
    let name = texts.name;
    let begins = name.bytes().next().is_some_and(|b| b.is_ascii_lowercase());
    let fits = name.len() <= LookupDefinition::NAME_LENGTH_MAX
        && name.bytes().all(|b| b.is_ascii_alphanumeric());
    if !(begins && fits) {
        let must = format!(
            "must be 1 to {} letters and digits, beginning with a lower-case letter",
            LookupDefinition::NAME_LENGTH_MAX
        );
        return Err(InvalidLookup::of(&field("name"), must));
    }
    Ok(LookupParameter {
        name: name.to_owned(),
        label: label(
            &field("label"),
            texts.label,
            LookupDefinition::LABEL_LENGTH_MAX,
        )?,
        form: valid(&field("form"), ValueForm::parse(texts.form))?,
        required: texts.required,
    })
}

/// A number is looked up, echoed and shown: it has no spaces.
fn number_form(text: &str) -> Result<ValueForm, InvalidLookup> {
    match ValueForm::parse(text) {
        Ok(form @ (ValueForm::Phone | ValueForm::Digits(3.., _) | ValueForm::Code(3.., _))) => {
            Ok(form)
        }
        Ok(ValueForm::Date | ValueForm::Text(_) | ValueForm::Digits(..) | ValueForm::Code(..))
        | Err(_) => {
            let must =
                "must be phone, digits 11, digits 8-11 or code 3-12, of 3 at least".to_owned();
            Err(InvalidLookup::of("number_form", must))
        }
    }
}

fn label(field: &str, text: &str, longest: usize) -> Result<String, InvalidLookup> {
    if text::line(text, longest).is_ok_and(|line| line == text) {
        return Ok(text.to_owned());
    }
    let must = format!("must be 1 to {longest} characters, without spaces around them");
    Err(InvalidLookup::of(field, must))
}

fn valid<T, E: fmt::Display>(field: &str, read: Result<T, E>) -> Result<T, InvalidLookup> {
    read.map_err(|error| InvalidLookup::of(field, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: LookupTexts<'_> = LookupTexts {
        code: "company-record",
        name: "Company record",
        about: "Whether a company is registered, and since when.",
        country: "566",
        number_label: "Registration number",
        number_form: "code 4-12",
        needs_consent: false,
    };

    const SINCE: ParameterTexts<'_> = ParameterTexts {
        name: "since",
        label: "Since",
        form: "date",
        required: true,
    };

    fn read(texts: &LookupTexts<'_>, all: &[ParameterTexts<'_>]) -> Result<(), String> {
        let read = LookupDefinition::read(LookupCategory::Record, texts, all);
        read.map(|_| ()).map_err(|error| error.to_string())
    }

    fn refused(texts: &LookupTexts<'_>, field: &str) {
        let said = read(texts, &[]).unwrap_err();
        assert!(said.starts_with(field), "{said}");
    }

    #[test]
    fn the_field_that_cannot_be_read_is_named() {
        assert_eq!(read(&TEXTS, &[SINCE]), Ok(()));
        let long = "x".repeat(61);
        let code = |code| LookupTexts { code, ..TEXTS };
        let name = |name| LookupTexts { name, ..TEXTS };
        let label = |number_label| LookupTexts {
            number_label,
            ..TEXTS
        };
        let form = |number_form| LookupTexts {
            number_form,
            ..TEXTS
        };
        for wrong in ["No", "1ab", "ab", "a_b"] {
            refused(&code(wrong), "`code`");
        }
        for wrong in ["", " a", "a\u{202e}", &long] {
            refused(&name(wrong), "`name`");
            refused(&label(wrong), "`number_label`");
        }
        for wrong in ["text 9", "code 2-9", "digits 2", "date", "number"] {
            refused(&form(wrong), "`number_form`");
        }
        let about = LookupTexts { about: "", ..TEXTS };
        refused(&about, "`about`");
        let country = LookupTexts {
            country: "NG",
            ..TEXTS
        };
        refused(&country, "`country`");
    }

    #[test]
    fn the_field_of_a_parameter_that_cannot_be_read_is_named_with_its_place() {
        let name = |name| ParameterTexts { name, ..SINCE };
        let label = |label| ParameterTexts { label, ..SINCE };
        let form = |form| ParameterTexts { form, ..SINCE };
        for (wrong, field) in [
            (name("Since"), "`parameters.2.name`"),
            (name("a b"), "`parameters.2.name`"),
            (label(""), "`parameters.2.label`"),
            (form("day"), "`parameters.2.form`"),
            (SINCE, "`parameters`"),
        ] {
            let said = read(&TEXTS, &[SINCE, wrong]).unwrap_err();
            assert!(said.starts_with(field), "{said}");
        }
        let many = vec![SINCE; LookupDefinition::PARAMETERS_MAX + 1];
        assert!(read(&TEXTS, &many).unwrap_err().contains("at most 10"));
    }

    #[test]
    fn what_a_request_says_of_a_parameter_is_one_of_four() {
        let parameters = [
            SINCE,
            ParameterTexts {
                name: "branch",
                form: "digits 3",
                required: false,
                ..SINCE
            },
        ];
        let read = LookupDefinition::read(LookupCategory::Record, &TEXTS, &parameters);
        let definition = read.unwrap();
        let said = |since: Option<&'static str>, branch: Option<&'static str>| {
            let find = move |name: &str| if name == "since" { since } else { branch };
            let said: Vec<_> = definition.requested(find).map(|(_, said)| said).collect();
            said
        };
        let [missing, omitted] = said(None, None).try_into().unwrap();
        assert_eq!(missing, RequestedParameter::Missing);
        assert_eq!(omitted, RequestedParameter::Omitted);
        let [given, unfit] = said(Some("01-02-2020"), Some("12")).try_into().unwrap();
        let RequestedParameter::Given(value) = given else {
            panic!("{given:?}");
        };
        assert_eq!((&*value.label, &*value.value), ("Since", "01-02-2020"));
        assert_eq!(unfit, RequestedParameter::Invalid);
    }
}
