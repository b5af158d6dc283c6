//! One operation of the document. It must show an example of every answer it can have.

use super::{common, schema};
use crate::glossary::{Glossary, GlossaryEntry, GlossaryPlace, Side};
use crate::interface::{Interface, scope_of};
use crate::json::list;
use crate::kind::ValueKind;
use crate::operation::{
    AccessRule, DocumentedAnswer, DocumentedRequest, Extras, FileForm, Operation, OperationFamily,
    Parameter, ParameterNeed,
};
use crate::refusals;
use crate::states::Sample;
use anyhow::Result;
use http_server::Verb;
use wire::tree::{Node, Object};

pub(super) fn of(
    interface: &Interface,
    family: &OperationFamily,
    described: &Operation,
) -> Result<Object> {
    let glossary = &interface.glossary;
    let place = GlossaryPlace {
        family: family.stem,
        side: Side::Request,
    };
    let mut shown = Object::new()
        .with("operationId", described.id)
        .with("tags", list([family.name]))
        .with("summary", described.summary);
    let scope = scope_of(described).map(|word| format!("For keys with the scope `{word}`."));
    let details = [described.details, scope.as_deref().unwrap_or_default()];
    let details: Vec<_> = details.into_iter().filter(|it| !it.is_empty()).collect();
    if !details.is_empty() {
        shown = shown.with("description", details.join(" "));
    }
    if described.access == AccessRule::Anyone {
        shown = shown.with("security", list::<Node, _>([]));
    }
    let mut parameters = Vec::new();
    if described.verb == Verb::Get {
        for parameter in filters(described) {
            let in_path = described.has_in_path(&parameter.attribute);
            let part = if in_path { "path" } else { "query" };
            parameters.push(in_address(&parameter, part, (glossary, place))?);
        }
    }
    parameters.extend(common::parameters_of(described));
    shown = shown.with("parameters", list(parameters));
    if described.verb == Verb::Post {
        shown = shown.with("requestBody", body(described, glossary, place)?);
    }
    let xml = Object::new()
        .with("description", "The XML schema of the answers.")
        .with("url", format!("/xsd/{}.xsd", described.id));
    Ok(shown
        .with("responses", responses(described))
        .with("externalDocs", xml))
}

/// The filters of all variants of a query: one is required where every variant requires it.
fn filters(described: &Operation) -> Vec<Parameter> {
    let mut filters: Vec<Parameter> = Vec::new();
    for parameter in described.parameters() {
        let same = |other: &Parameter| other.attribute == parameter.attribute;
        if filters.iter().any(same) {
            continue;
        }
        let needs = |way: &DocumentedRequest| {
            let mut here = way.parameters.iter();
            here.any(|other| same(other) && other.need == ParameterNeed::Required)
        };
        let need = if described.requests.iter().all(needs) {
            ParameterNeed::Required
        } else {
            ParameterNeed::Optional
        };
        filters.push(Parameter {
            need,
            ..parameter.clone()
        });
    }
    filters
}

/// An attribute in a part of the address: the path, of which none may be left out, or the query.
fn in_address(
    parameter: &Parameter,
    part: &'static str,
    (glossary, place): (&Glossary, GlossaryPlace<'_>),
) -> Result<Object> {
    let word = glossary.word(place, parameter.attribute.name)?;
    let shown = Object::new()
        .with("name", parameter.attribute.name)
        .with("in", part)
        .with("description", meaning(parameter, word))
        .with(
            "required",
            Node::Boolean(part == "path" || parameter.need == ParameterNeed::Required),
        )
        .with("schema", schema::sent(parameter, &word.kind, Verb::Get));
    Ok(match parameter.example {
        Some(example) => shown.with("example", as_sent(example, &word.kind)),
        None => shown,
    })
}

/// The meaning of an attribute, and how it is read where the schema lists one spelling and others
/// are accepted too.
fn meaning(parameter: &Parameter, word: &GlossaryEntry) -> String {
    let in_one_spelling = match &word.kind {
        ValueKind::Words(_) => true,
        ValueKind::Pattern(pattern) => pattern.name == "bank",
        ValueKind::Any | ValueKind::Range(..) | ValueKind::Address | ValueKind::Moment => false,
    };
    if in_one_spelling || !parameter.words.is_empty() {
        format!("{} Capital and small letters are read alike.", word.meaning)
    } else {
        word.meaning.to_owned()
    }
}

fn body(described: &Operation, glossary: &Glossary, place: GlossaryPlace<'_>) -> Result<Object> {
    let ways = described.requests.iter();
    let ways = ways.map(|request| way(request, described, (glossary, place)));
    let ways = ways.collect::<Result<Vec<_>>>()?;
    let schema = match &*ways {
        [only] => only.clone(),
        _ => Object::new().with("oneOf", list(ways)),
    };
    let json = Object::new().with("schema", schema);
    let json = match &*described.requests {
        [only] => json.with("example", example(only, (glossary, place))?),
        ways => json.with("examples", examples(ways, (glossary, place))?),
    };
    Ok(Object::new()
        .with("required", Node::Boolean(true))
        .with("content", Object::new().with("application/json", json)))
}

/// The attributes of one variant of the request. Those of the other variants must not be mixed in.
fn way(
    request: &DocumentedRequest,
    described: &Operation,
    (glossary, place): (&Glossary, GlossaryPlace<'_>),
) -> Result<Object> {
    let mut schema = Object::new();
    if !request.name.is_empty() {
        schema = schema.with("title", request.name);
    }
    let object = object_of(&request.parameters, described.verb, (glossary, place))?;
    let schema = schema.and(object);
    let others = names_of_other_ways(request, described);
    Ok(if others.is_empty() {
        schema
    } else {
        let any = others
            .iter()
            .map(|name| Object::new().with("required", list([*name])));
        schema.with("not", Object::new().with("anyOf", list(any)))
    })
}

/// An object with these attributes.
fn object_of(
    parameters: &[Parameter],
    verb: Verb,
    (glossary, place): (&Glossary, GlossaryPlace<'_>),
) -> Result<Object> {
    let mut properties = Object::new();
    for parameter in parameters {
        let name = parameter.attribute.name;
        let word = glossary.word(place, name)?;
        let sent = if parameter.each.is_empty() {
            schema::sent(parameter, &word.kind, verb)
        } else {
            let place = within(parameter, place);
            let each = object_of(&parameter.each, verb, (glossary, place))?;
            if parameter.is_part() {
                each
            } else {
                schema::objects(each, &parameter.count)
            }
        };
        properties = properties.with(name, sent.with("description", meaning(parameter, word)));
    }
    let required = parameters.iter();
    let required = required.filter(|parameter| parameter.need == ParameterNeed::Required);
    Ok(Object::new()
        .with("type", "object")
        .with("properties", properties)
        .with(
            "required",
            list(required.map(|parameter| parameter.attribute.name)),
        ))
}

/// The attributes that other variants have and this one has not.
fn names_of_other_ways(request: &DocumentedRequest, described: &Operation) -> Vec<&'static str> {
    let is_here = |name: &str| {
        request
            .parameters
            .iter()
            .any(|own| own.attribute.name == name)
    };
    let names = described
        .parameters()
        .map(|parameter| parameter.attribute.name);
    let mut others: Vec<_> = names.filter(|name| !is_here(name)).collect();
    others.sort_unstable();
    others.dedup();
    others
}

/// One example per variant, under its name.
fn examples(ways: &[DocumentedRequest], words: (&Glossary, GlossaryPlace<'_>)) -> Result<Object> {
    ways.iter().try_fold(Object::new(), |all, way| {
        let value = example(way, words)?;
        Ok(all.with(way.name, Object::new().with("value", value)))
    })
}

/// An example of one variant of a request.
pub(crate) fn example(
    request: &DocumentedRequest,
    (glossary, place): (&Glossary, GlossaryPlace<'_>),
) -> Result<Object> {
    example_of(&request.parameters, (glossary, place))
}

fn example_of(
    parameters: &[Parameter],
    (glossary, place): (&Glossary, GlossaryPlace<'_>),
) -> Result<Object> {
    let mut shown = Object::new();
    for parameter in parameters {
        let name = parameter.attribute.name;
        if let Some(example) = parameter.example {
            let word = glossary.word(place, name)?;
            shown = shown.with(name, as_sent(example, &word.kind));
        } else if !parameter.each.is_empty() {
            let place = within(parameter, place);
            let one = || example_of(&parameter.each, (glossary, place));
            shown = if parameter.is_part() {
                shown.with(name, one()?)
            } else {
                let least = (*parameter.count.start()).max(1);
                let shortest = std::iter::repeat_with(one).take(least);
                let shortest = shortest.collect::<Result<Vec<_>>>()?;
                shown.with(name, Node::objects(name, shortest))
            };
        }
    }
    Ok(shown)
}

/// The context of the attributes of an object.
pub(crate) const fn within<'a>(
    parameter: &Parameter,
    place: GlossaryPlace<'a>,
) -> GlossaryPlace<'a> {
    GlossaryPlace {
        side: Side::RequestWithin(parameter.attribute.name),
        ..place
    }
}

/// An example in the type its schema has.
fn as_sent(example: &'static str, kind: &ValueKind) -> Node {
    match (kind, example.parse()) {
        (ValueKind::Range(..), Ok(number)) => Node::Integer(number),
        _ => Node::from(example),
    }
}

fn responses(described: &Operation) -> Object {
    let mut responses = Object::new();
    let mut statuses: Vec<_> = samples(described)
        .map(|(_, sample)| sample.status)
        .collect();
    statuses.sort_unstable();
    statuses.dedup();
    for status in statuses {
        responses = responses.with(status.to_string(), success(described, status));
    }
    if described.is_kept {
        let unchanged = Object::new()
            .with(
                "description",
                "The answer is the one that `If-None-Match` names.",
            )
            .with(
                "headers",
                common::headers_of(described, (304, Extras::None)),
            );
        responses = responses.with("304", unchanged);
    }
    for status in refusals::statuses(described) {
        responses = responses.with(status.to_string(), common::refusal(described, status));
    }
    responses
}

fn samples(described: &Operation) -> impl Iterator<Item = (&DocumentedAnswer, &Sample)> {
    let answers = described.answers.iter();
    answers.flat_map(|answer| answer.samples.iter().map(move |sample| (answer, sample)))
}

fn success(described: &Operation, status: u16) -> Object {
    let here = || samples(described).filter(|(_, sample)| sample.status == status);
    let mut names: Vec<_> = here().map(|(answer, _)| answer.name).collect();
    names.dedup();
    let references: Vec<_> = names
        .iter()
        .map(|name| common::reference("schemas", name))
        .collect();
    let schema = match &*references {
        [only] => only.clone(),
        _ => Object::new().with("anyOf", list(references)),
    };
    let media = |write: fn(&Node) -> Node| {
        let examples = here().filter_map(|(_, sample)| Some((sample.shown_as?, sample)));
        let examples = examples.fold(Object::new(), |all, (name, sample)| {
            let fields = sample.fields.clone();
            let tree = wire::envelope::success(status, sample.message, fields);
            all.with(name, Object::new().with("value", write(&tree)))
        });
        Object::new()
            .with("schema", schema.clone())
            .with("examples", examples)
    };
    let mut content = Object::new()
        .with("application/json", media(Node::clone))
        .with("application/xml", media(common::as_xml));
    let text = Object::new().with("type", "string");
    match &described.file {
        Some(FileForm::Csv(example)) => {
            let media = Object::new().with("schema", text);
            content = content.with("text/csv", media.with("example", example.as_str()));
        }
        Some(FileForm::Pdf) => {
            let pages = text.with("contentMediaType", "application/pdf");
            content = content.with("application/pdf", Object::new().with("schema", pages));
        }
        Some(FileForm::Calendar(example)) => {
            let media = Object::new().with("schema", text);
            content = content.with("text/calendar", media.with("example", example.as_str()));
        }
        None => {}
    }
    let about = match status {
        201 => "It was made; `Location` leads to it.",
        202 => "It was accepted and is not final; `Location` is its report.",
        _ => "Done.",
    };
    let extras = here().map(|(answer, _)| answer.extras).next();
    Object::new()
        .with("description", about)
        .with(
            "headers",
            common::headers_of(described, (status, extras.unwrap_or(Extras::None))),
        )
        .with("content", content)
}
