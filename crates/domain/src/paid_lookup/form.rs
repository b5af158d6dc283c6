//! Which values a parameter of a lookup takes, as a catalogue writes it: `phone`, `date`,
//! `digits 11`, `digits 8-11`, `code 3-12` or `text 60`.

use crate::phone::PhoneNumber;
use crate::text;

/// The most characters of any value.
const LENGTH_MAX: usize = 100;

/// Which values a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueForm {
    /// A telephone number in international format.
    Phone,
    /// A day, written `31-12-2026`.
    Date,
    /// So many digits, fewest and most.
    Digits(usize, usize),
    /// So many letters, digits and hyphens, fewest and most.
    Code(usize, usize),
    /// Up to so many characters, without control characters and semicolons.
    Text(usize),
}

/// The text names no form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be phone, date, digits 11, digits 8-11, code 3-12 or text 60, up to 100 characters")]
pub struct InvalidForm;

impl ValueForm {
    /// Reads a form.
    ///
    /// # Errors
    /// Refuses another word, and lengths that no value or too long a one has.
    pub fn parse(text: &str) -> Result<Self, InvalidForm> {
        let (word, length) = text.split_once(' ').unwrap_or((text, ""));
        let form = match word {
            "phone" if length.is_empty() => Self::Phone,
            "date" if length.is_empty() => Self::Date,
            "digits" => {
                let (least, most) = range(length)?;
                Self::Digits(least, most)
            }
            "code" => {
                let (least, most) = range(length)?;
                Self::Code(least, most)
            }
            "text" => Self::Text(count(length)?),
            _ => return Err(InvalidForm),
        };
        Ok(form)
    }

    /// The form as a catalogue writes it.
    pub fn word(self) -> String {
        let range = |word: &str, (least, most): (usize, usize)| {
            if least == most {
                format!("{word} {most}")
            } else {
                format!("{word} {least}-{most}")
            }
        };
        match self {
            Self::Phone => "phone".to_owned(),
            Self::Date => "date".to_owned(),
            Self::Digits(least, most) => range("digits", (least, most)),
            Self::Code(least, most) => range("code", (least, most)),
            Self::Text(most) => format!("text {most}"),
        }
    }

    /// What a value of the form must be, for the error that names one that is not.
    pub fn requirement(self) -> String {
        match self {
            Self::Phone => {
                "must be in international format: 8 to 15 digits, the plus sign optional".to_owned()
            }
            Self::Date => "must be a day of the calendar, such as 31-12-2026".to_owned(),
            Self::Digits(..) | Self::Code(..) => format!("must match {}", self.pattern()),
            Self::Text(most) => format!(
                "must be 1 to {most} characters without semicolons, and without spaces around them"
            ),
        }
    }

    /// The regular expression of the values, without anchors.
    pub fn pattern(self) -> String {
        match self {
            Self::Phone => "\\+?[1-9][0-9]{7,14}".to_owned(),
            Self::Date => "[0-9]{2}-[0-9]{2}-[0-9]{4}".to_owned(),
            Self::Digits(least, most) => format!("[0-9]{}", repeated(least, most)),
            Self::Code(least, most) => format!("[A-Za-z0-9-]{}", repeated(least, most)),
            Self::Text(most) => format!("[^;]{{1,{most}}}"),
        }
    }

    /// The value as it is ordered; `None` where it is none of the form.
    pub fn read(self, value: &str) -> Option<String> {
        let within = |(least, most): (usize, usize), fits: fn(u8) -> bool| {
            ((least..=most).contains(&value.len()) && value.bytes().all(fits))
                .then(|| value.to_owned())
        };
        match self {
            Self::Phone => {
                let number = PhoneNumber::parse(value).ok()?;
                Some(number.digits().to_owned())
            }
            Self::Date => is_date(value).then(|| value.to_owned()),
            Self::Digits(least, most) => within((least, most), |b| b.is_ascii_digit()),
            Self::Code(least, most) => {
                within((least, most), |b| b.is_ascii_alphanumeric() || b == b'-')
            }
            Self::Text(most) => {
                let line = text::line(value, most).ok()?;
                (line == value && !value.contains(';')).then(|| value.to_owned())
            }
        }
    }
}

/// How often a character is repeated, as a regular expression says it.
fn repeated(least: usize, most: usize) -> String {
    if least == most {
        format!("{{{most}}}")
    } else {
        format!("{{{least},{most}}}")
    }
}

fn range(text: &str) -> Result<(usize, usize), InvalidForm> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let (least, most) = (count(least)?, count(most)?);
    (least <= most).then_some((least, most)).ok_or(InvalidForm)
}

fn count(text: &str) -> Result<usize, InvalidForm> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let count = text.parse().ok().filter(|_| digits).ok_or(InvalidForm)?;
    (1..=LENGTH_MAX)
        .contains(&count)
        .then_some(count)
        .ok_or(InvalidForm)
}

/// Whether a text is a day of the calendar, `dd-mm-yyyy`.
fn is_date(text: &str) -> bool {
    let parts: Vec<_> = text.split('-').collect();
    let [day, month, year] = parts.as_slice() else {
        return false;
    };
    let read = |part: &str, length: usize| {
        let fits = part.len() == length && part.bytes().all(|b| b.is_ascii_digit());
        part.parse::<u16>().ok().filter(|_| fits)
    };
    let (Some(day), Some(month), Some(year)) = (read(day, 2), read(month, 2), read(year, 4)) else {
        return false;
    };
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 0,
    };
    year > 0 && (1..=days).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_reads_back_as_it_is_written() {
        for text in [
            "phone",
            "date",
            "digits 11",
            "digits 8-11",
            "code 3-12",
            "text 60",
        ] {
            assert_eq!(ValueForm::parse(text).unwrap().word(), text);
        }
        for text in [
            "",
            "Phone",
            "phone 3",
            "digits",
            "digits 0",
            "digits 9-8",
            "digits 1-101",
            "text",
            "text 1-3",
            "code a",
            "digits +3",
            "number",
        ] {
            assert_eq!(ValueForm::parse(text), Err(InvalidForm), "{text}");
        }
    }

    #[test]
    fn a_value_is_taken_where_it_has_the_form() {
        let phone = ValueForm::Phone.read("+2348031234567");
        assert_eq!(phone.as_deref(), Some("2348031234567"));
        for (form, good, bad) in [
            (ValueForm::Phone, "2348031234567", "0803"),
            (ValueForm::Date, "29-02-2024", "29-02-2026"),
            (ValueForm::Date, "28-02-1900", "29-02-1900"),
            (ValueForm::Date, "31-12-2026", "2026-12-31"),
            (ValueForm::Date, "30-11-2026", "31-11-2026"),
            (ValueForm::Digits(3, 4), "0123", "01"),
            (ValueForm::Digits(3, 4), "012", "01234"),
            (ValueForm::Code(2, 9), "RC-12", "RC 12"),
            (ValueForm::Text(5), "a, bé", "a;b"),
            (ValueForm::Text(5), "abcde", "abcdef"),
            (ValueForm::Text(5), "ab", " ab"),
            (ValueForm::Text(5), "ab", "a\u{202e}b"),
            (ValueForm::Phone, "2348031234567", "08031234567"),
        ] {
            assert_eq!(form.read(good).as_deref(), Some(good), "{form:?}");
            assert_eq!(form.read(bad), None, "{form:?} {bad}");
            assert_eq!(form.read(""), None, "{form:?}");
        }
    }
}
