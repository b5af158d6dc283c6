//! The OpenAPI 3.1 document. It must add nothing of its own about an operation: its attributes and
//! answers are inferred, its names are in its family.

mod common;
mod introduction;
mod operation;
mod schema;
mod webhooks;

pub(crate) use self::operation::{example, within};

use crate::interface::Interface;
use crate::json::list;
use anyhow::Result;
use http_server::API_VERSION;
use wire::tree::{Node, Object};

/// The whole document.
pub(crate) fn document(interface: &Interface) -> Result<Node> {
    let schemas = interface.schemas.iter();
    let schemas = schemas.map(|known| Ok((known.name, schema::of(known, &interface.glossary)?)));
    let schemas = schemas.collect::<Result<Vec<_>>>()?;
    let schemas = schemas
        .into_iter()
        .chain(webhooks::schemas(&interface.glossary)?)
        .fold(Object::new(), |all, (name, schema)| all.with(name, schema))
        .with("Error", schema::error());
    let components = Object::new()
        .with("schemas", schemas)
        .with("responses", common::responses(interface))
        .with("parameters", common::parameters())
        .with("headers", common::headers())
        .with("securitySchemes", common::security_schemes());
    let document = Object::new()
        .with("openapi", "3.1.0")
        .with("info", info()?)
        .with("servers", list([Object::new().with("url", "/")]))
        .with(
            "security",
            list([Object::new().with("basic", list::<Node, _>([]))]),
        )
        .with("tags", tags(interface))
        .with("paths", paths(interface)?)
        .with("webhooks", webhooks::of())
        .with("components", components);
    Ok(document.into())
}

fn info() -> Result<Object> {
    let license = Object::new()
        .with("name", "Apache-2.0")
        .with("identifier", "Apache-2.0");
    Ok(Object::new()
        .with("title", "Manilla")
        .with("version", API_VERSION)
        .with(
            "summary",
            "Airtime, electricity, television, data, messages, payouts and lookups.",
        )
        .with("description", introduction::text()?)
        .with("license", license))
}

fn tags(interface: &Interface) -> Node {
    let tag = |name: &'static str, about: &'static str| {
        Object::new().with("name", name).with("description", about)
    };
    list(
        interface
            .families
            .iter()
            .map(|family| tag(family.name, family.about)),
    )
}

/// Operations by path, then by verb.
fn paths(interface: &Interface) -> Result<Object> {
    let mut paths: Vec<(&str, Object)> = Vec::new();
    for (family, described) in interface.operations() {
        let verb = described.verb.method().as_str().to_ascii_lowercase();
        let shown = operation::of(interface, family, described)?;
        match paths.iter_mut().find(|(path, _)| *path == described.path) {
            Some((_, item)) => *item = item.clone().with(verb, shown),
            None => paths.push((described.path, Object::new().with(verb, shown))),
        }
    }
    let paths = paths.into_iter();
    Ok(paths.fold(Object::new(), |all, (path, item)| all.with(path, item)))
}
