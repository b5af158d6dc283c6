//! The documents about the interface: the OpenAPI document, the XML schemas and the reference of
//! the operations, generated from what the views really show. It is a tool and must never be part
//! of the gateway, which only serves the generated files.
#![expect(
    clippy::expect_used,
    reason = "a sample that is not a legal value stops the tool; every check runs it"
)]

mod families;
mod glossary;
mod interface;
mod json;
mod kind;
mod markdown;
mod openapi;
mod operation;
mod parameter;
mod refusals;
mod shape;
mod states;
mod xsd;

pub use interface::{Interface, Schema};
pub use operation::{
    AccessRule, DocumentedRequest, Operation, OperationFamily, Parameter, ParameterNeed,
};

use anyhow::Result;

/// A generated file, never written by hand.
#[derive(Debug)]
pub struct Document {
    /// Relative to the root of the repository.
    pub path: String,
    pub text: String,
}

/// All generated files.
///
/// # Errors
/// When the description of the interface is incomplete.
pub fn documents() -> Result<Vec<Document>> {
    let interface = Interface::read()?;
    let mut documents = vec![Document {
        path: "docs/openapi.json".to_owned(),
        text: json::pretty(&openapi::document(&interface)?),
    }];
    documents.extend(xsd::documents(&interface)?);
    documents.extend(markdown::documents(&interface)?);
    interface.glossary.check_used()?;
    Ok(documents)
}
