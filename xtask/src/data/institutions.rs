//! Makes one list of institutions out of what several say. It must not take one in that cannot be
//! classified, nor leave a reviewed one out silently.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};

use super::names;
use super::sources::{Licence, Reviewed, SourceMark, Sources};

/// One line of the table.
#[derive(Debug)]
pub(crate) struct Institution {
    identifier: String,
    kind: &'static str,
    bank_code: String,
    transfer_code: String,
    ussd: String,
    short_name: String,
    full_name: String,
}

/// Kinds by the words of naija-data and of the reviewed table.
const KINDS: [(&str, &str); 16] = [
    ("commercial", "commercial"),
    ("merchant", "merchant"),
    ("non-interest", "non-interest"),
    ("non_interest", "non-interest"),
    ("microfinance", "microfinance"),
    ("mortgage", "mortgage"),
    ("finance", "finance"),
    ("development", "development"),
    ("development_finance", "development"),
    ("payment-service", "payment-service"),
    ("payment_service_bank", "payment-service"),
    ("mobile-money", "mobile-money"),
    ("mobile_money_operator", "mobile-money"),
    // How the transfer scheme numbers its members.
    ("070", "mortgage"),
    ("090", "microfinance"),
    ("100", "mobile-money"),
];

/// Members of the transfer scheme that keep no accounts: switches, and other countries' schemes.
const NO_BANKS: [&str; 4] = ["110", "288", "324", "999"];

impl Institution {
    pub(crate) fn line(&self) -> String {
        [
            &self.identifier,
            self.kind,
            &self.bank_code,
            &self.transfer_code,
            &self.ussd,
            &self.short_name,
            &self.full_name,
        ]
        .join("\t")
    }
}

/// What is known of one institution before it is written down.
#[derive(Debug, Default)]
struct Known<'a> {
    transfer_code: Option<&'a str>,
    listed: Option<&'a str>,
    licence: Option<&'a Licence>,
    reviewed: Option<&'a Reviewed>,
}

/// Every institution of the sources once; `given` holds the identifiers given so far, by code.
pub(crate) fn merge(
    sources: &Sources,
    given: &BTreeMap<String, String>,
) -> Result<Vec<Institution>> {
    refuse_idle_reviews(sources)?;
    let mut institutions = Vec::new();
    for known in gather(sources)? {
        if known
            .reviewed
            .is_some_and(|reviewed| reviewed.kind == "omit")
        {
            continue;
        }
        let made = institution(&known, sources, given).with_context(|| format!("{known:?}"))?;
        institutions.extend(made);
    }
    refuse_doubles(&institutions)?;
    Ok(institutions)
}

fn gather(sources: &Sources) -> Result<Vec<Known<'_>>> {
    let mut by_code: BTreeMap<&str, Known<'_>> = BTreeMap::new();
    let mut without_code = Vec::new();
    for (code, name) in &sources.listed {
        by_code.entry(code).or_default().listed = Some(name);
    }
    let named: BTreeSet<_> = sources
        .reviewed
        .iter()
        .filter_map(|row| row.licence.as_ref())
        .collect();
    for (id, licence) in &sources.licences {
        // A reviewed licence goes where the review says, and not where its own code would put it.
        if let Some(code) = licence.transfer_code.as_deref()
            && licence.active
            && !named.contains(id)
        {
            by_code.entry(code).or_default().licence = Some(licence);
        }
    }
    for row in &sources.reviewed {
        let licence = row.licence.as_ref().map(|id| {
            let licence = sources.licences.get(id);
            licence.with_context(|| format!("no licence {id}"))
        });
        let licence = licence.transpose()?;
        match row.transfer_code.as_deref() {
            Some(code) => {
                let known = by_code.entry(code).or_default();
                known.licence = licence.or(known.licence);
                known.reviewed = Some(row);
            }
            None => without_code.push(Known {
                licence,
                reviewed: Some(row),
                ..Known::default()
            }),
        }
    }
    for (code, known) in &mut by_code {
        known.transfer_code = Some(code);
    }
    Ok(by_code.into_values().chain(without_code).collect())
}

/// `None` for a member of the transfer scheme that keeps no accounts.
fn institution(
    known: &Known<'_>,
    sources: &Sources,
    given: &BTreeMap<String, String>,
) -> Result<Option<Institution>> {
    let reviewed = known.reviewed;
    let bank_code = reviewed
        .and_then(|row| row.bank_code.as_deref())
        .or_else(|| {
            known
                .licence
                .and_then(|licence| licence.bank_code.as_deref())
        })
        // Longer codes are those of smaller institutions.
        .filter(|code| code.len() == 3);
    let identifier = identifier(known.transfer_code, bank_code, given)?;
    let Some(kind) = kind(known)? else {
        return Ok(None);
    };
    let mark = mark(known, bank_code, sources)?;
    let ussd = known
        .licence
        .and_then(|licence| licence.ussd.as_deref())
        .or_else(|| mark.and_then(|mark| mark.ussd.as_deref()))
        // What forms are filled in with where a code is asked for and there is none.
        .filter(|code| *code != "*000#");
    let (short_name, full_name) = both_names(known).context("has no name")?;
    Ok(Some(Institution {
        identifier,
        kind,
        bank_code: bank_code.unwrap_or_default().to_owned(),
        transfer_code: known.transfer_code.unwrap_or_default().to_owned(),
        ussd: ussd.unwrap_or_default().to_owned(),
        short_name,
        full_name,
    }))
}

/// The identifier given before, else one made of the code the institution is known under now. Who
/// was listed by a bank code keeps that identifier when a transfer code becomes known.
fn identifier(
    transfer_code: Option<&str>,
    bank_code: Option<&str>,
    given: &BTreeMap<String, String>,
) -> Result<String> {
    let codes = transfer_code.into_iter().chain(bank_code);
    if let Some(identifier) = codes.into_iter().find_map(|code| given.get(code)) {
        return Ok(identifier.clone());
    }
    match (transfer_code, bank_code) {
        (Some(code), _) => Ok(format!("NGNIP{code}")),
        (None, Some(code)) => Ok(format!("NGCBN{code:0>6}")),
        (None, None) => bail!("has no code to be identified by"),
    }
}

/// The reviewed mark, else the one of the same bank code that no review gives to another: some are
/// filed under codes that meanwhile belong to others.
fn mark<'a>(
    known: &Known<'_>,
    bank_code: Option<&str>,
    sources: &'a Sources,
) -> Result<Option<&'a SourceMark>> {
    if let Some(slug) = known.reviewed.and_then(|row| row.mark.as_deref()) {
        let mark = sources.marks.iter().find(|mark| mark.slug == slug);
        return mark.map(Some).with_context(|| format!("no mark {slug}"));
    }
    let given_away = |mark: &SourceMark| {
        let rows = &mut sources.reviewed.iter();
        rows.any(|row| row.mark.as_ref() == Some(&mark.slug))
    };
    let same_code = |mark: &&SourceMark| bank_code == Some(mark.code.as_str()) && !given_away(mark);
    Ok(sources.marks.iter().find(same_code))
}

fn kind(known: &Known<'_>) -> Result<Option<&'static str>> {
    let series = known.transfer_code.and_then(|code| code.get(..3));
    let word = known
        .reviewed
        .map(|row| row.kind.as_str())
        .or_else(|| known.licence.map(|licence| licence.kind.as_str()))
        .or(series);
    let kind = KINDS.iter().find(|(other, _)| Some(*other) == word);
    match (kind, series) {
        (Some((_, kind)), _) => Ok(Some(kind)),
        (None, Some(series)) if NO_BANKS.contains(&series) => Ok(None),
        _ => bail!("is of an unknown kind: review it"),
    }
}

fn both_names(known: &Known<'_>) -> Option<(String, String)> {
    let reviewed = known.reviewed;
    let licence = known.licence;
    let given = licence
        .map(|licence| licence.name.as_str())
        .or(known.listed);
    let full = reviewed
        .and_then(|row| row.full_name.clone())
        .or_else(|| given.map(|name| names::full(&names::tidy(name))))?;
    let short = reviewed
        .and_then(|row| row.short_name.clone())
        .or_else(|| licence.and_then(|licence| licence.short_name.clone()))
        .unwrap_or_else(|| names::short(&full));
    Some((short, full))
}

/// A review of what no source has any more would be believed for ever.
fn refuse_idle_reviews(sources: &Sources) -> Result<()> {
    for row in &sources.reviewed {
        let listed = row
            .transfer_code
            .as_ref()
            .is_some_and(|code| sources.listed.contains_key(code));
        if !listed && row.licence.is_none() {
            bail!("reviewed, but in no source: {row:?}");
        }
    }
    Ok(())
}

fn refuse_doubles(institutions: &[Institution]) -> Result<()> {
    let unique = |what: &str, of: fn(&Institution) -> &str| {
        let mut seen = BTreeSet::new();
        for institution in institutions {
            let value = of(institution).to_lowercase();
            if !value.is_empty() && !seen.insert(value) {
                bail!("two institutions have one {what}: {}", of(institution));
            }
        }
        Ok(())
    };
    unique("identifier", |institution| &institution.identifier)?;
    unique("bank code", |institution| &institution.bank_code)?;
    unique("transfer code", |institution| &institution.transfer_code)?;
    unique("short name", |institution| &institution.short_name)?;
    unique("full name", |institution| &institution.full_name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Institution, merge};
    use crate::data::sources::{Licence, Reviewed, SourceMark, Sources};

    fn sources() -> Sources {
        let licence = Licence {
            name: "ACCESS BANK PLC".to_owned(),
            kind: "commercial".to_owned(),
            bank_code: Some("044".to_owned()),
            transfer_code: Some("000014".to_owned()),
            active: true,
            ..Licence::default()
        };
        let listed = [
            ("000014", "ACCESS"),
            ("090134", "ACCION MICROFINANCE BANK"),
            ("110003", "INTERSWITCH LIMITED"),
        ];
        Sources {
            licences: BTreeMap::from([("access-bank".to_owned(), licence)]),
            listed: listed
                .map(|(code, name)| (code.to_owned(), name.to_owned()))
                .into(),
            marks: vec![SourceMark {
                slug: "access".to_owned(),
                code: "044".to_owned(),
                ussd: Some("*901#".to_owned()),
            }],
            reviewed: Vec::new(),
        }
    }

    fn merged(sources: &Sources) -> Vec<String> {
        let institutions = merge(sources, &BTreeMap::new()).unwrap();
        institutions.iter().map(Institution::line).collect()
    }

    fn reviewed(transfer_code: &str, kind: &str) -> Reviewed {
        Reviewed {
            transfer_code: Some(transfer_code.to_owned()),
            kind: kind.to_owned(),
            ..Reviewed::default()
        }
    }

    #[test]
    fn lists_are_joined_by_code_and_switches_left_out() {
        let expected = [
            "NGNIP000014\tcommercial\t044\t000014\t*901#\tAccess Bank\tAccess Bank Plc",
            "NGNIP090134\tmicrofinance\t\t090134\t\tAccion MFB\tAccion Microfinance Bank",
        ];
        assert_eq!(merged(&sources()), expected);
    }

    #[test]
    fn a_mark_reviewed_for_one_institution_is_not_joined_to_another_by_code() {
        let mut sources = sources();
        let mut accion = reviewed("090134", "microfinance");
        accion.mark = Some("access".to_owned());
        sources.reviewed.push(accion);
        let lines = merged(&sources);
        assert!(
            lines[0].contains("044\t000014\t\tAccess Bank"),
            "{}",
            lines[0]
        );
        assert!(lines[1].contains("*901#"), "{}", lines[1]);
    }

    #[test]
    fn who_was_listed_by_a_bank_code_keeps_that_identifier() {
        let given = BTreeMap::from([("044".to_owned(), "NGCBN000044".to_owned())]);
        let institutions = merge(&sources(), &given).unwrap();
        assert!(institutions[0].line().starts_with("NGCBN000044\t"));
    }

    #[test]
    fn an_institution_of_unknown_kind_waits_for_a_review() {
        let mut sources = sources();
        sources
            .listed
            .insert("000099".to_owned(), "New Bank".to_owned());
        assert!(merge(&sources, &BTreeMap::new()).is_err());
        sources.reviewed.push(reviewed("000099", "omit"));
        assert_eq!(merged(&sources).len(), 2);
        sources.reviewed.push(reviewed("000098", "omit"));
        assert!(
            merge(&sources, &BTreeMap::new()).is_err(),
            "a review of nothing"
        );
    }

    #[test]
    fn two_institutions_of_one_name_are_refused() {
        let mut sources = sources();
        sources
            .listed
            .insert("090999".to_owned(), "Accion MFB".to_owned());
        assert!(merge(&sources, &BTreeMap::new()).is_err());
    }
}
