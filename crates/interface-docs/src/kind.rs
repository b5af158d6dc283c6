//! The kinds of values behind the types: which texts an amount, a date or a reference can be. It
//! must not know which name is of which kind.

use anyhow::{Context, Result, bail};

/// What a value can be, beside its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Whatever its type allows.
    Any,
    /// Texts of one pattern, whole.
    Pattern(Pattern),
    /// These texts and no others.
    Words(Vec<String>),
    /// Whole numbers between two.
    Range(i64, i64),
}

/// A pattern with a name for schemas that share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern {
    /// How the glossary calls it.
    pub name: &'static str,
    /// The name of its type in XML schemas.
    pub type_name: &'static str,
    /// A regular expression of the part that JSON Schema and XML Schema share, without anchors.
    pub expression: &'static str,
}

/// Every pattern there is. Those that begin with `sent` are of requests, which take more.
pub(crate) const PATTERNS: [Pattern; 22] = [
    pattern("reference", "Reference", "[A-Za-z0-9._:\\-]{1,64}"),
    pattern(
        "amount",
        "Amount",
        "(0|[1-9][0-9]{0,2}(,[0-9]{3})*)\\.[0-9]{2}",
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
    pattern("digits", "Digits", "[0-9]+"),
    pattern("currency", "Currency", "[A-Z]{3}"),
    pattern("token", "Token", "[0-9]{4}(-[0-9]{4}){4}"),
    pattern("bank", "Bank", "[A-Z0-9]{11}"),
    pattern(
        "event",
        "Event",
        "evt_([A-Z]{3}_[0-9]+_[0-9]+|[0-9]+(_[0-9]+)?)",
    ),
    pattern("secret", "Secret", "whsec_[A-Za-z0-9+/]{43}="),
    pattern(
        "sent-amount",
        "SentAmount",
        "([0-9]+|[1-9][0-9]{0,2}(,[0-9]{3})+)(\\.[0-9]{1,2})?",
    ),
    pattern("sent-country", "SentCountry", "[0-9]{1,3}"),
    pattern("sent-phone", "SentPhone", "\\+?[1-9][0-9]{7,14}"),
    pattern("sent-company", "SentCompany", "[0-9]{1,9}"),
    pattern("sent-meter", "SentMeter", "[0-9]{6,15}"),
    pattern("sent-smartcard", "SentSmartcard", "[0-9]{8,15}"),
    pattern("sent-sender", "SentSender", "[0-9]{12}"),
    pattern("sent-account", "SentAccount", "[0-9]{10}"),
    pattern("sent-endpoint", "SentEndpoint", "[1-9][0-9]{0,15}"),
];

const fn pattern(name: &'static str, type_name: &'static str, expression: &'static str) -> Pattern {
    Pattern {
        name,
        type_name,
        expression,
    }
}

impl Pattern {
    /// Whether only requests have it.
    pub(crate) fn is_sent(&self) -> bool {
        self.name.starts_with("sent-")
    }
}

impl Kind {
    /// Reads what the glossary says: `any`, `words a|b`, `range 0 100`, or the name of a pattern.
    ///
    /// # Errors
    /// Where it says something else.
    pub fn parse(text: &str) -> Result<Self> {
        if text == "any" {
            return Ok(Self::Any);
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
