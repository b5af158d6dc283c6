//! The description of the whole interface, in one value from which both documents are written. It
//! must refuse an incomplete one: an operation without a description, a name without a meaning.

use crate::families;
use crate::glossary::Glossary;
use crate::operation::{DocumentedAnswer, Operation, OperationFamily};
use crate::shape::{Shape, ShapeValue};
use anyhow::{Context, Result, bail};
use domain::access::AccessScope;
use http_server::{RouteKind, RouteRow, endpoints};

/// The interface.
#[derive(Debug)]
pub struct Interface {
    pub families: Vec<OperationFamily>,
    pub glossary: Glossary,
    pub schemas: Vec<Schema>,
}

/// The shape of the answers of one name.
#[derive(Debug)]
pub struct Schema {
    pub name: &'static str,
    /// The stem of its family.
    pub family: &'static str,
    pub value: ShapeValue,
}

impl Interface {
    /// Reads the descriptions and infers the schemas from their samples.
    ///
    /// # Errors
    /// When an operation is not described, or its samples have no common shape.
    pub fn read() -> Result<Self> {
        let families = families::all();
        for endpoint in endpoints().iter().filter(|endpoint| is_operation(endpoint)) {
            let mut operations = families.iter().flat_map(|family| &family.operations);
            let here = |op: &Operation| (op.verb, op.path) == (endpoint.verb, endpoint.path);
            if !operations.any(here) {
                bail!("{endpoint:?} is not described in crates/interface-docs/src/families");
            }
        }
        let mut schemas = Vec::new();
        for family in &families {
            for operation in &family.operations {
                check(operation)?;
                for answer in &operation.answers {
                    let learned = register_states(&mut schemas, family.stem, answer);
                    learned.with_context(|| format!("{} {}", operation.id, answer.name))?;
                }
            }
        }
        for schema in &schemas {
            check_known(&schema.value).with_context(|| schema.name)?;
        }
        let glossary = Glossary::read()?;
        Ok(Self {
            families,
            glossary,
            schemas,
        })
    }

    /// Every operation with its family.
    pub fn operations(&self) -> impl Iterator<Item = (&OperationFamily, &Operation)> {
        let families = self.families.iter();
        families.flat_map(|family| family.operations.iter().map(move |op| (family, op)))
    }

    pub(crate) fn schema(&self, name: &str) -> Result<&Schema> {
        let found = self.schemas.iter().find(|schema| schema.name == name);
        found.with_context(|| format!("{name} is no schema"))
    }
}

/// The word of the scope that a key needs for an operation; none where no key is needed.
pub(crate) fn scope_of(operation: &Operation) -> Option<&'static str> {
    let mut rows = endpoints().iter();
    let row = rows.find(|row| (row.verb, row.path) == (operation.verb, operation.path));
    row.and_then(|row| row.scope).map(AccessScope::code)
}

/// The documentation does not document itself.
pub(crate) fn is_operation(endpoint: &RouteRow) -> bool {
    endpoint.kind != RouteKind::Documentation
}

fn check(operation: &Operation) -> Result<()> {
    let known =
        |endpoint: &RouteRow| (endpoint.verb, endpoint.path) == (operation.verb, operation.path);
    if !endpoints().iter().any(known) {
        bail!(
            "{} describes what there is not: {}",
            operation.id,
            operation.path
        );
    }
    if operation
        .answers
        .iter()
        .all(|answer| answer.samples.is_empty())
    {
        bail!("{} shows no answer", operation.id);
    }
    Ok(())
}

fn register_states(
    schemas: &mut Vec<Schema>,
    family: &'static str,
    answer: &DocumentedAnswer,
) -> Result<()> {
    for sample in &answer.samples {
        let tree = wire::envelope::success(sample.status, sample.message, sample.fields.clone());
        let value = ShapeValue::of(&tree)?;
        match schemas.iter_mut().find(|known| known.name == answer.name) {
            Some(known) => known.value = known.value.clone().merge(value)?,
            None => schemas.push(Schema {
                name: answer.name,
                family,
                value,
            }),
        }
    }
    Ok(())
}

/// Every field must have a value in at least one sample.
fn check_known(value: &ShapeValue) -> Result<()> {
    match &value.shape {
        Shape::Unknown => bail!("no sample shows a value"),
        Shape::List { of, .. } => check_known(of),
        Shape::Object(fields) => fields
            .iter()
            .try_for_each(|field| check_known(&field.value).with_context(|| field.name.clone())),
        Shape::Text | Shape::Integer | Shape::Number | Shape::Boolean => Ok(()),
    }
}
