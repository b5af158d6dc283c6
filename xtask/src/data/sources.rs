//! Reads what the packages say of institutions, each in its own format. It must not judge between
//! them.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::archives::Files;

/// Everything that is known, by the codes and ids it is known under.
#[derive(Debug)]
pub(crate) struct Sources {
    /// The licences of the central bank, by id in naija-data.
    pub(crate) licences: BTreeMap<String, Licence>,
    /// Names by transfer code, the first list's where both have one.
    pub(crate) listed: BTreeMap<String, String>,
    pub(crate) marks: Vec<SourceMark>,
    pub(crate) reviewed: Vec<Reviewed>,
}

/// One licensed institution.
#[derive(Debug, Default)]
pub(crate) struct Licence {
    pub(crate) name: String,
    pub(crate) short_name: Option<String>,
    pub(crate) kind: String,
    pub(crate) bank_code: Option<String>,
    pub(crate) transfer_code: Option<String>,
    pub(crate) ussd: Option<String>,
    pub(crate) active: bool,
}

/// What customers see and dial.
#[derive(Debug)]
pub(crate) struct SourceMark {
    pub(crate) slug: String,
    pub(crate) code: String,
    pub(crate) ussd: Option<String>,
}

/// What was settled by hand.
#[derive(Debug, Default)]
pub(crate) struct Reviewed {
    pub(crate) transfer_code: Option<String>,
    pub(crate) kind: String,
    pub(crate) licence: Option<String>,
    pub(crate) bank_code: Option<String>,
    pub(crate) mark: Option<String>,
    pub(crate) short_name: Option<String>,
    pub(crate) full_name: Option<String>,
}

impl Sources {
    pub(crate) fn read(files: &Files, reviewed: &str) -> Result<Self> {
        let mut listed = names_by_code(&files.transfer_codes, "nipCode").context("banklist-ng")?;
        let too = literal(&files.transfer_codes_too).context("py-nuban")?;
        for (code, name) in names_by_code(&too, "nibss_bank_code").context("py-nuban")? {
            listed.entry(code).or_insert(name);
        }
        Ok(Self {
            licences: licences(&files.licences).context("naija-data")?,
            listed,
            marks: marks(&files.marks).context("banks-ng")?,
            reviewed: reviewed_rows(reviewed)?,
        })
    }
}

fn records(json: &str) -> Result<Vec<Value>> {
    serde_json::from_str(json).context("not an array of records")
}

fn text(record: &Value, field: &str) -> Option<String> {
    let text = record.get(field)?.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn licences(json: &str) -> Result<BTreeMap<String, Licence>> {
    records(json)?
        .iter()
        .map(|record| {
            let needed = |field| text(record, field).with_context(|| format!("no {field}"));
            let licence = Licence {
                name: needed("name")?,
                short_name: text(record, "short_name"),
                kind: needed("type")?,
                bank_code: text(record, "cbn_code"),
                transfer_code: text(record, "nip_code"),
                ussd: text(record, "ussd"),
                active: needed("status")? == "active",
            };
            Ok((needed("id")?, licence))
        })
        .collect()
}

/// Six digits each: a list that took its codes for numbers lost their leading zeros.
fn names_by_code(json: &str, field: &str) -> Result<BTreeMap<String, String>> {
    let named = |record: &Value| Some((text(record, field)?, text(record, "name")?));
    let pairs: Vec<_> = records(json)?.iter().filter_map(named).collect();
    let pairs = pairs.into_iter().map(|(code, name)| {
        let is_code = code.len() <= 6 && code.bytes().all(|byte| byte.is_ascii_digit());
        if !is_code {
            bail!("{code:?} of {name} is no transfer code");
        }
        Ok((format!("{code:0>6}"), name))
    });
    pairs.collect()
}

/// The list a Python file assigns, as JSON: of its literals only `None` is written otherwise.
fn literal(python: &str) -> Result<String> {
    let start = python.find("= [").context("no list")? + 2;
    let end = python.rfind("\n]").context("no end of the list")? + 2;
    let list = python.get(start..end).context("no list")?;
    Ok(list.replace(": None", ": null"))
}

/// The records of a JavaScript file with one field a line.
fn marks(script: &str) -> Result<Vec<SourceMark>> {
    let blocks = script.split("\n    {").skip(1);
    blocks
        .map(|block| {
            let field = |name: &str, quote| {
                let value = quoted(block, &format!("{name}: "), quote);
                value.with_context(|| format!("no {name} in {block}"))
            };
            let ussd = field("ussd", '\'')?;
            Ok(SourceMark {
                slug: field("slug", '\'')?.to_owned(),
                code: field("code", '\'')?.to_owned(),
                ussd: (!ussd.is_empty()).then(|| ussd.to_owned()),
            })
        })
        .collect()
}

/// What stands between two quotes after a lead.
fn quoted<'a>(text: &'a str, lead: &str, quote: char) -> Option<&'a str> {
    let (_, after) = text.split_once(lead)?;
    let (value, _) = after.strip_prefix(quote)?.split_once(quote)?;
    Some(value)
}

fn reviewed_rows(table: &str) -> Result<Vec<Reviewed>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [transfer, kind, licence, bank, mark, short, full] = fields.as_slice() else {
                bail!("not seven columns: {line:?}");
            };
            let given = |field: &str| (field != "-").then(|| field.to_owned());
            Ok(Reviewed {
                transfer_code: given(transfer),
                kind: (*kind).to_owned(),
                licence: given(licence),
                bank_code: given(bank),
                mark: given(mark),
                short_name: given(short),
                full_name: given(full),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{literal, marks, names_by_code, reviewed_rows};

    #[test]
    fn codes_that_lost_their_zeros_have_them_back() {
        let json = r#"[{"nipCode":"90155","name":"A"},{"nipCode":"000014","name":"B"}]"#;
        let names = names_by_code(json, "nipCode").unwrap();
        assert_eq!(names.get("090155").map(String::as_str), Some("A"));
        assert_eq!(names.get("000014").map(String::as_str), Some("B"));
        assert!(names_by_code(r#"[{"nipCode":"N/A","name":"C"}]"#, "nipCode").is_err());
    }

    #[test]
    fn a_list_in_a_python_file_is_read() {
        let python = "\"\"\"About [x]\"\"\"\n_banks = [\n  {\"a\": None}\n]\ndef get(): return []";
        assert_eq!(literal(python).unwrap(), "[\n  {\"a\": null}\n]");
    }

    #[test]
    fn records_of_a_script_are_read() {
        let script = "const baseUrl = `https://x/banks-ng@${version}/logos`;
exports.banks = [
    {
        name: 'A',
        slug: 'a',
        code: '044',
        ussd: '',
        logo: `${baseUrl}/a.png`,
    },
];";
        let marks = marks(script).unwrap();
        let mark = marks.first().unwrap();
        assert_eq!((mark.slug.as_str(), mark.code.as_str()), ("a", "044"));
        assert_eq!(mark.ussd, None);
    }

    #[test]
    fn a_reviewed_line_has_seven_columns() {
        assert!(reviewed_rows("# a comment\n000019\tomit\t-\t-\t-\t-\tgone\n").is_ok());
        assert!(reviewed_rows("000019\tomit\t-\t-\t-\tgone\n").is_err());
    }
}
