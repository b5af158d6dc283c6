//! Templates and flows that a merchant keeps, one file per operation.

pub mod flow;
pub mod list;
pub mod template;

use crate::attribute::{Attribute, FLOW, TEMPLATE};
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::messaging_library::{
    LibraryContent, LibraryItem, LibraryItemId, LibraryKind, LibrarySummary,
};

/// What the interface calls a kind.
struct KindWords {
    path: &'static str,
    id: &'static Attribute,
    name: &'static str,
    created: &'static str,
    one: &'static str,
    many: &'static str,
    unknown: &'static str,
}

const fn words(kind: LibraryKind) -> &'static KindWords {
    match kind {
        LibraryKind::Template => &KindWords {
            path: "/messaging/template",
            id: &TEMPLATE,
            name: "tplName",
            created: "tplCreated",
            one: "template",
            many: "templates",
            unknown: "must be the number of a template; GET /messaging/template lists those you \
                      have",
        },
        LibraryKind::Flow => &KindWords {
            path: "/messaging/flow",
            id: &FLOW,
            name: "flwName",
            created: "flwCreated",
            one: "flow",
            many: "flows",
            unknown: "must be the number of a flow; GET /messaging/flow lists those you have",
        },
    }
}

/// The attribute that names an item of a kind.
pub const fn identifier(kind: LibraryKind) -> &'static Attribute {
    words(kind).id
}

/// Where an item is found.
pub fn path(kind: LibraryKind, id: LibraryItemId) -> String {
    let words = words(kind);
    format!("{}?{}={id}", words.path, words.id.name)
}

/// An item with what it holds.
pub fn view(item: &LibraryItem, zone: &Zone) -> Object {
    let shown = entry(item.content.kind(), &item.summary(), zone);
    shown.and(match &item.content {
        LibraryContent::Template(text) => template::view(text),
        LibraryContent::Flow(flow) => flow::view(flow),
    })
}

/// An item without what it holds.
fn entry(kind: LibraryKind, item: &LibrarySummary, zone: &Zone) -> Object {
    let words = words(kind);
    Object::new()
        .with(words.id.name, item.id.get())
        .with(words.name, item.name.as_str())
        .with(words.created, zone.date_time(item.created_at))
}

/// Reads which item is to be removed.
pub fn parse_removal(
    kind: LibraryKind,
    attributes: &Attributes,
    handling: Handling,
) -> Result<LibraryItemId, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let id = reader.required(identifier(kind), |text| item_id(kind, text));
    reader.finish(|| id)
}

/// The number of an item that was removed.
pub fn removed(kind: LibraryKind, id: LibraryItemId) -> Object {
    Object::new().with(identifier(kind).name, id.get())
}

pub(crate) fn template_id(text: &str) -> Result<LibraryItemId, &'static str> {
    item_id(LibraryKind::Template, text)
}

pub(crate) fn flow_id(text: &str) -> Result<LibraryItemId, &'static str> {
    item_id(LibraryKind::Flow, text)
}

fn item_id(kind: LibraryKind, text: &str) -> Result<LibraryItemId, &'static str> {
    crate::transaction::number(text)
        .map(LibraryItemId::new)
        .ok_or(words(kind).unknown)
}
