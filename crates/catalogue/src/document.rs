//! The document of a version as it is written: TOML, every value in quotes. It reads shapes only;
//! whether something is sold is asked when it is laid over the catalogue.

use serde::Deserialize;
use std::fmt;
use toml::Spanned;

/// The largest document: every instance reads it within a poll, and it stays in memory.
pub const DOCUMENT_BYTES_MAX: usize = 1 << 20;

/// Most entries of a document, of all kinds together: several times the plans that all aggregators
/// of a country list, and laid over a catalogue in a fraction of a second.
pub const ENTRIES_MAX: usize = 5_000;

/// Most problems that are shown at once: more are not corrected before the next try.
const PROBLEMS_MAX: usize = 100;

/// Something in a document that cannot be published, with the remedy.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentProblem {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub what: String,
}

impl fmt::Display for DocumentProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// `[[biller]]`: whether a product is sold, and within which amounts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawBillerChange {
    pub(crate) product: String,
    pub(crate) available: Option<bool>,
    pub(crate) minimum: Option<String>,
    pub(crate) maximum: Option<String>,
}

/// `[[plan]]`: a plan that is added, changed or withdrawn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawPlan {
    pub(crate) product: String,
    pub(crate) code: String,
    pub(crate) name: Option<String>,
    pub(crate) validity_days: Option<u16>,
    pub(crate) amount: Option<String>,
    pub(crate) available: Option<bool>,
    #[serde(default)]
    pub(crate) withdrawn: bool,
}

/// `[[price]]`: the terms of a product.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawPrice {
    pub(crate) product: String,
    pub(crate) commission: Option<String>,
    pub(crate) discount: Option<String>,
    pub(crate) fee: Option<String>,
    pub(crate) unit: Option<String>,
}

/// `[[price_override]]`: what one account pays for a product.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawOverride {
    pub(crate) account: String,
    pub(crate) product: String,
    pub(crate) commission: String,
    pub(crate) fee: Option<String>,
}

/// `[[offer]]`: what a provider sells of a product.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawOffer {
    pub(crate) provider: String,
    pub(crate) product: String,
    pub(crate) plan: Option<String>,
    pub(crate) code: Option<String>,
    pub(crate) cost: Option<String>,
    pub(crate) available: Option<bool>,
    pub(crate) minimum: Option<String>,
    pub(crate) maximum: Option<String>,
}

/// A document.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RawDocument {
    pub(crate) biller: Vec<Spanned<RawBillerChange>>,
    pub(crate) plan: Vec<Spanned<RawPlan>>,
    pub(crate) price: Vec<Spanned<RawPrice>>,
    pub(crate) price_override: Vec<Spanned<RawOverride>>,
    pub(crate) offer: Vec<Spanned<RawOffer>>,
}

impl RawDocument {
    /// Reads a document; the limits are checked before anything is made of it.
    pub(crate) fn parse(text: &str) -> Result<Self, Vec<DocumentProblem>> {
        if text.len() > DOCUMENT_BYTES_MAX {
            let what = format!(
                "the document is of {} bytes; the largest is {DOCUMENT_BYTES_MAX}, so leave out \
                 what it does not change",
                text.len()
            );
            return Err(vec![DocumentProblem { line: 1, what }]);
        }
        let document: Self = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let what = format!(
                "{}; a document has [[biller]], [[plan]], [[price]], [[price_override]] and \
                 [[offer]] tables, amounts and percentages in quotes",
                error.message()
            );
            vec![DocumentProblem {
                line: Lines::of(text).at(at),
                what,
            }]
        })?;
        let entries = document.biller.len()
            + document.plan.len()
            + document.price.len()
            + document.price_override.len()
            + document.offer.len();
        if entries > ENTRIES_MAX {
            let what = format!(
                "the document has {entries} entries; the most are {ENTRIES_MAX}, so leave out what \
                 it does not change"
            );
            return Err(vec![DocumentProblem { line: 1, what }]);
        }
        Ok(document)
    }
}

/// Where lines begin.
#[derive(Debug)]
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// The line of a byte, from 1.
    pub(crate) fn at(&self, byte: usize) -> usize {
        self.0.partition_point(|end| *end < byte).saturating_add(1)
    }
}

/// What was found wrong, in the order of the lines, with no more than can be read.
pub(crate) fn shown(mut problems: Vec<DocumentProblem>) -> Vec<DocumentProblem> {
    problems.sort();
    if problems.len() > PROBLEMS_MAX {
        let more = problems.len().saturating_sub(PROBLEMS_MAX);
        problems.truncate(PROBLEMS_MAX);
        let line = problems.last().map_or(1, |problem| problem.line);
        let what = format!("and {more} problems more");
        problems.push(DocumentProblem { line, what });
    }
    problems
}
