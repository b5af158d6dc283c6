//! The reference of operations in Markdown, one page per family. It must say nothing that the
//! OpenAPI document does not say: both are written from one description.

mod table;

use self::table::{Row, table};
use crate::Document;
use crate::glossary::{Glossary, GlossaryPlace, Side};
use crate::interface::{Interface, scope_of};
use crate::json;
use crate::kind::ValueKind;
use crate::openapi::{example, within};
use crate::operation::{
    AccessRule, DocumentedRequest, Operation, OperationFamily, Parameter, ParameterNeed,
};
use crate::refusals;
use crate::shape::{Field, Shape, ShapeValue};
use anyhow::Result;
use http_server::Verb;
use std::fmt::Write as _;

/// The folder of the pages.
const FOLDER: &str = "docs/api";

const NOTE: &str = "<!-- Written by `cargo xtask openapi --bless`; the texts are in \
                    crates/interface-docs. -->";

/// The longest pattern that is shown; the meaning says more than a longer one.
const SHOWN_MAX: usize = 40;

/// A page for each family.
pub(crate) fn documents(interface: &Interface) -> Result<Vec<Document>> {
    let families = interface.families.iter();
    let pages = families.map(|family| {
        Ok(Document {
            path: format!("{FOLDER}/{}.md", family.stem),
            text: page(interface, family)?,
        })
    });
    pages.collect()
}

fn page(interface: &Interface, family: &OperationFamily) -> Result<String> {
    let mut out = format!("{NOTE}\n\n# {}\n\n{}\n", family.name, family.about);
    out.push_str("\nWhat holds for every operation: [API.md](../API.md).\n");
    for operation in &family.operations {
        let text = section(interface, family, operation)?;
        write!(out, "\n{text}")?;
    }
    Ok(out)
}

fn section(
    interface: &Interface,
    family: &OperationFamily,
    operation: &Operation,
) -> Result<String> {
    let Operation { verb, path, id, .. } = operation;
    let mut out = format!("## {}\n\n`{} {path}`", operation.summary, verb.method());
    if operation.access == AccessRule::Anyone {
        out.push_str(", without credentials");
    }
    if let Some(scope) = scope_of(operation) {
        write!(out, ", for keys with the scope `{scope}`")?;
    }
    writeln!(out, ". Answers in XML: [{id}.xsd](../xsd/{id}.xsd).")?;
    if !operation.details.is_empty() {
        writeln!(out, "\n{}", operation.details)?;
    }
    if operation.is_retried_by_key() {
        out.push_str("\nTakes an `Idempotency-Key`.\n");
    }
    let place = GlossaryPlace {
        family: family.stem,
        side: Side::Request,
    };
    for request in &operation.requests {
        out.push_str(&taken(operation, request, (&interface.glossary, place))?);
    }
    out.push_str(&answered(interface, operation)?);
    out.push_str(&refused(operation));
    Ok(out)
}

/// The attributes of one variant of a request, with an example.
fn taken(
    operation: &Operation,
    request: &DocumentedRequest,
    (glossary, place): (&Glossary, GlossaryPlace<'_>),
) -> Result<String> {
    if request.parameters.is_empty() {
        return Ok(String::new());
    }
    let mut named = Vec::new();
    name_all(&request.parameters, ("", place), &mut named);
    let rows = named.into_iter().map(|(name, parameter, place)| {
        let word = glossary.word(place, parameter.attribute.name)?;
        Ok(Row::from([
            code(&name),
            match parameter.need {
                _ if operation.has_in_path(&parameter.attribute) => "in the path".to_owned(),
                ParameterNeed::Required => "yes".to_owned(),
                ParameterNeed::Optional => String::new(),
            },
            values(parameter, &word.kind),
            word.meaning.to_owned(),
        ]))
    });
    let rows = rows.collect::<Result<Vec<_>>>()?;
    let mut out = match request.name {
        "" => String::new(),
        name => format!("\n**{name}**\n"),
    };
    out.push('\n');
    out.push_str(&table(
        ["attribute", "required", "values", "meaning"],
        &rows,
    ));
    let shown = example(request, (glossary, place))?;
    if shown.fields().next().is_none() {
        return Ok(out);
    }
    match operation.verb {
        Verb::Post => write!(out, "\n```json\n{}```\n", json::pretty(&shown.into()))?,
        Verb::Get => write!(out, "\n```\nGET {}\n```\n", asked(operation, request))?,
    }
    Ok(out)
}

/// The attributes with those of their objects, each with its name in the whole request and its
/// context.
fn name_all<'a>(
    parameters: &'a [Parameter],
    (before, place): (&str, GlossaryPlace<'a>),
    named: &mut Vec<(String, &'a Parameter, GlossaryPlace<'a>)>,
) {
    for parameter in parameters {
        let name = format!("{before}{}", parameter.attribute.name);
        named.push((name.clone(), parameter, place));
        let of_each = if parameter.is_part() { "." } else { "[]." };
        let place = within(parameter, place);
        name_all(&parameter.each, (&format!("{name}{of_each}"), place), named);
    }
}

/// The address of an example, with what is in its path and in its query.
fn asked(operation: &Operation, request: &DocumentedRequest) -> String {
    let mut path = operation.path.to_owned();
    let mut query = Vec::new();
    for parameter in &request.parameters {
        let name = parameter.attribute.name;
        match parameter.example {
            Some(example) if operation.has_in_path(&parameter.attribute) => {
                path = path.replace(&format!("{{{name}}}"), example);
            }
            Some(example) => query.push(format!("{name}={example}")),
            None => {}
        }
    }
    if query.is_empty() {
        path
    } else {
        format!("{path}?{}", query.join("&"))
    }
}

/// The values an attribute may have.
fn values(parameter: &Parameter, kind: &ValueKind) -> String {
    if !parameter.words.is_empty() {
        let words: Vec<_> = parameter.words.iter().map(|word| code(word)).collect();
        return words.join(", ");
    }
    of_kind(kind)
}

fn of_kind(kind: &ValueKind) -> String {
    match kind {
        ValueKind::Pattern(pattern) if pattern.expression.len() <= SHOWN_MAX => {
            code(pattern.expression)
        }
        ValueKind::Any | ValueKind::Pattern(_) => String::new(),
        ValueKind::Words(words) => {
            let words: Vec<_> = words.iter().map(|word| code(word)).collect();
            words.join(", ")
        }
        ValueKind::Range(first, last) => format!("{first} to {last}"),
        ValueKind::Address => "an IPv4 or IPv6 address".to_owned(),
        ValueKind::Moment => "a moment (RFC 3339)".to_owned(),
    }
}

/// Every schema of the answers once, each with its first example.
fn answered(interface: &Interface, operation: &Operation) -> Result<String> {
    let mut out = String::new();
    for answer in &operation.answers {
        let schema = interface.schema(answer.name)?;
        let shown = answer
            .samples
            .iter()
            .find(|sample| sample.shown_as.is_some());
        let Some(shown) = shown else {
            continue;
        };
        let mut statuses: Vec<_> = answer.samples.iter().map(|it| it.status).collect();
        statuses.sort_unstable();
        statuses.dedup();
        let statuses: Vec<_> = statuses.iter().map(u16::to_string).collect();
        let tree = wire::envelope::success(shown.status, shown.message, shown.fields.clone());
        let place = GlossaryPlace {
            family: schema.family,
            side: Side::Answer(""),
        };
        let mut rows = Vec::new();
        fields(&mut rows, (&schema.value, ""), (&interface.glossary, place))?;
        write!(
            out,
            "\n**Answer {}**\n\n{}\n```json\n{}```\n",
            statuses.join(" or "),
            table(["field", "type", "meaning"], &rows),
            json::pretty(&tree),
        )?;
    }
    Ok(out)
}

/// The fields of an object, those within it after it under both names.
fn fields(
    rows: &mut Vec<Row<3>>,
    (value, path): (&ShapeValue, &str),
    (glossary, place): (&Glossary, GlossaryPlace<'_>),
) -> Result<()> {
    for field in value.fields() {
        if path.is_empty() && ENVELOPE.contains(&&*field.name) {
            continue;
        }
        let word = glossary.word(place, &field.name)?;
        let name = format!("{path}{}", field.name);
        let kind = match &word.kind {
            ValueKind::Words(_) => of_kind(&word.kind),
            ValueKind::Any
            | ValueKind::Pattern(_)
            | ValueKind::Range(..)
            | ValueKind::Address
            | ValueKind::Moment => type_name(&field.value),
        };
        rows.push(Row::from([
            code(&name),
            or_null(kind, field),
            word.meaning.to_owned(),
        ]));
        let (within, side, separator) = if let Shape::List { item, of } = &field.value.shape {
            (&**of, Side::Answer(item), "[].")
        } else {
            (&field.value, Side::Answer(&field.name), ".")
        };
        let within = (within, &*format!("{name}{separator}"));
        fields(rows, within, (glossary, GlossaryPlace { side, ..place }))?;
    }
    Ok(())
}

/// What every answer has (API.md, "The envelope").
const ENVELOPE: [&str; 3] = ["code", "status", "message"];

fn type_name(value: &ShapeValue) -> String {
    let name = match &value.shape {
        Shape::Unknown | Shape::Text => "text",
        Shape::Integer => "integer",
        Shape::Number => "number",
        Shape::Boolean => "boolean",
        Shape::Object(_) => "object",
        Shape::List { of, .. } => return format!("list of {}", type_name(of)),
    };
    name.to_owned()
}

fn or_null(kind: String, field: &Field) -> String {
    match (field.value.nullable, field.required) {
        (true, true) => format!("{kind} or null"),
        (true, false) => format!("{kind} or null; may be absent"),
        (false, false) => format!("{kind}; may be absent"),
        (false, true) => kind,
    }
}

/// The errors of an operation; those of every operation are in API.md.
fn refused(operation: &Operation) -> String {
    let statuses = refusals::statuses(operation);
    let rows: Vec<_> = statuses
        .iter()
        .map(|status| {
            let meaning = refusals::meaning_of(operation, *status);
            Row::from([status.to_string(), meaning.to_owned()])
        })
        .collect();
    format!("\n**Errors**\n\n{}", table(["status", "when"], &rows))
}

fn code(text: &str) -> String {
    format!("`{text}`")
}
