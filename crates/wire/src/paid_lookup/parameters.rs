//! `parameters`: what a lookup asks for beside its number, written
//! `surname:Okafor;birthDate:14-03-1990`. Everything that is wrong must be named at once.

use crate::attribute::LOOKUP_PARAMETERS;
use crate::reader::{FieldReader, InvalidField};
use domain::labelled_value::LabelledValue;
use domain::paid_lookup::{LookupDefinition, RequestedParameter};

/// The message for a text that is no list of names with values.
const FORM: &str =
    "must be names with their values, such as surname:Okafor;birthDate:14-03-1990, 10 at most";

/// Reads the parameters of a lookup; without one, their form alone.
pub(super) fn read(
    reader: &mut FieldReader<'_>,
    definition: Option<&LookupDefinition>,
) -> Result<Vec<LabelledValue>, InvalidField> {
    let is_needed = definition.is_some_and(|it| it.parameters.iter().any(|it| it.required));
    let pairs = if is_needed {
        reader.required(&LOOKUP_PARAMETERS, pairs)
    } else {
        reader
            .optional(&LOOKUP_PARAMETERS, pairs)
            .map(Option::unwrap_or_default)
    }?;
    let Some(definition) = definition else {
        return Ok(Vec::new());
    };
    let problems = problems(&pairs, definition);
    if let Some((last, others)) = problems.split_last() {
        for problem in others {
            reader.object(&LOOKUP_PARAMETERS, problem);
        }
        return Err(reader.fault(&LOOKUP_PARAMETERS, last));
    }
    let given = requested(&pairs, definition).filter_map(|(_, said)| match said {
        RequestedParameter::Given(value) => Some(value),
        RequestedParameter::Omitted | RequestedParameter::Missing | RequestedParameter::Invalid => {
            None
        }
    });
    Ok(given.collect())
}

/// Names with values, in the order they were sent.
fn pairs(text: &str) -> Result<Vec<(String, String)>, &'static str> {
    let pairs: Option<Vec<_>> = text
        .split(';')
        .map(|pair| {
            let (name, value) = pair.split_once(':')?;
            (!name.is_empty() && !value.is_empty()).then(|| (name.to_owned(), value.to_owned()))
        })
        .collect();
    let pairs = pairs.filter(|it| it.len() <= LookupDefinition::PARAMETERS_MAX);
    pairs.ok_or(FORM)
}

fn requested<'a>(
    pairs: &'a [(String, String)],
    definition: &'a LookupDefinition,
) -> impl Iterator<Item = (&'a domain::paid_lookup::LookupParameter, RequestedParameter)> {
    definition.requested(|name| {
        let found = pairs.iter().find(|(sent, _)| sent == name);
        found.map(|(_, value)| value.as_str())
    })
}

fn problems(pairs: &[(String, String)], definition: &LookupDefinition) -> Vec<String> {
    let mut problems = Vec::new();
    for (index, (name, _)) in pairs.iter().enumerate() {
        let is_known = definition.parameters.iter().any(|it| it.name == *name);
        if !is_known {
            problems.push(format!(
                "names `{}`, which this lookup does not ask for; leave it out",
                crate::attributes::shown(name)
            ));
        } else if pairs.iter().take(index).any(|(other, _)| other == name) {
            problems.push(format!("names {name} twice; send it once"));
        }
    }
    for (parameter, said) in requested(pairs, definition) {
        match said {
            RequestedParameter::Missing => problems.push(format!(
                "lacks {0}, which this lookup asks for; add {0}:VALUE",
                parameter.name
            )),
            RequestedParameter::Invalid => problems.push(format!(
                "has a value of {} that {}",
                parameter.name,
                parameter.form.requirement()
            )),
            RequestedParameter::Given(_) | RequestedParameter::Omitted => {}
        }
    }
    problems
}
