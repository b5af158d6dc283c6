//! The parts that many operations share: headers of requests and answers, credentials, and errors
//! that are the same for all. They must be referred to, never copied.

use crate::interface::Interface;
use crate::json::list;
use crate::operation::{AccessRule, Extras, Operation};
use crate::refusals;
use http_server::{API_VERSION, Verb};
use wire::tree::{Node, Object};

/// Errors that name an attribute of their operation, and so are shown with each operation.
const OWN: [u16; 3] = [400, 404, 405];

/// Headers of answers: name, type and description.
const HEADERS: [(&str, &str, &str); 15] = [
    (
        "X-Request-Id",
        "string",
        "What support finds the request by.",
    ),
    (
        "Api-Version",
        "string",
        "The version of the interface that answered.",
    ),
    (
        "RateLimit-Limit",
        "integer",
        "How many requests of this kind the current window allows.",
    ),
    (
        "RateLimit-Remaining",
        "integer",
        "How many of them are left.",
    ),
    (
        "RateLimit-Reset",
        "integer",
        "In how many seconds the window ends.",
    ),
    (
        "Location",
        "string",
        "The report of the transaction, or what was made.",
    ),
    (
        "Idempotency-Replayed",
        "string",
        "`true` where an earlier request had this answer.",
    ),
    (
        "Preference-Applied",
        "string",
        "The preference that was followed.",
    ),
    ("Total", "integer", "How many objects satisfy the filters."),
    (
        "Link",
        "string",
        "The first, previous, next and last part, with your filters (RFC 8288).",
    ),
    (
        "Retry-After",
        "integer",
        "In how many seconds it is worth asking again.",
    ),
    (
        "ETag",
        "string",
        "What `If-None-Match` names this very answer by.",
    ),
    (
        "Cache-Control",
        "string",
        "How long the answer may be used without asking again.",
    ),
    ("Allow", "string", "The verbs the path takes."),
    ("WWW-Authenticate", "string", "How to authenticate."),
];

/// A reference to a part of the document.
pub(super) fn reference(kind: &str, name: &str) -> Object {
    Object::new().with("$ref", format!("#/components/{kind}/{name}"))
}

/// A tree as XML, itself a text.
pub(super) fn as_xml(tree: &Node) -> Node {
    String::from_utf8_lossy(&wire::render::xml(tree))
        .into_owned()
        .into()
}

pub(super) fn security_schemes() -> Object {
    let basic = Object::new()
        .with("type", "http")
        .with("scheme", "basic")
        .with(
            "description",
            "The account (`mrcIdentity`) and one of its keys (`mrcAPIKey`).",
        );
    Object::new().with("basic", basic)
}

/// Headers of requests.
pub(super) fn parameters() -> Object {
    let header = |name: &str, about: &str, schema: Object| {
        Object::new()
            .with("name", name)
            .with("in", "header")
            .with("description", about)
            .with("required", Node::Boolean(false))
            .with("schema", schema)
    };
    let text = || Object::new().with("type", "string");
    let version = text().with("enum", list([API_VERSION]));
    // Spaces are part of a key but for those at its end, which are of the header. Clients send none
    // at its beginning.
    let key = text()
        .with("pattern", "^[!-~][ -~]*$")
        .with("minLength", 1_u64)
        .with("maxLength", 255_u64);
    Object::new()
        .with(
            "Api-Version",
            header(
                "Api-Version",
                "Pins the version; any other is refused.",
                version,
            ),
        )
        .with(
            "Prefer",
            header(
                "Prefer",
                "`handling=strict` refuses attributes the operation does not know; preferences \
                 that are not known change nothing (RFC 7240).",
                text().with("examples", list(["handling=strict"])),
            ),
        )
        .with(
            "Idempotency-Key",
            header(
                "Idempotency-Key",
                "Makes a retry recognisable: the same key with the same meaning is answered with \
                 what the first request created, as it stands.",
                key,
            ),
        )
        .with(
            "If-None-Match",
            header(
                "If-None-Match",
                "The `ETag` of the answer that is there already: where it is still the same, the \
                 answer is 304 without content (RFC 9110).",
                text(),
            ),
        )
}

pub(super) fn parameters_of(operation: &Operation) -> Vec<Object> {
    let mut names = vec!["Api-Version"];
    if operation.access == AccessRule::Merchants {
        names.push("Prefer");
    }
    if operation.verb == Verb::Post && operation.is_retried_by_key() {
        names.push("Idempotency-Key");
    }
    if operation.is_kept {
        names.push("If-None-Match");
    }
    let names = names.into_iter();
    names.map(|name| reference("parameters", name)).collect()
}

/// Headers of answers.
pub(super) fn headers() -> Object {
    HEADERS
        .into_iter()
        .fold(Object::new(), |all, (name, kind, about)| {
            let schema = Object::new().with("type", kind);
            let header = Object::new()
                .with("description", about)
                .with("schema", schema);
            all.with(name, header)
        })
}

/// The headers of an answer of one status. For an error, only those that describe its remedy: the
/// others would obscure them.
pub(super) fn headers_of(operation: &Operation, (status, extras): (u16, Extras)) -> Object {
    let mut names = vec!["X-Request-Id"];
    if status < 300 {
        names.push("Api-Version");
    }
    if operation.access == AccessRule::Merchants && (status < 305 || status == 429) {
        names.extend(["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"]);
    }
    if operation.access == AccessRule::Merchants && status < 300 {
        names.push("Preference-Applied");
    }
    names.extend(match status {
        201 | 202 => &["Location"][..],
        422 if operation.is_payment() => &["Location"],
        200 if extras == Extras::Creation => &["Location"],
        401 => &["WWW-Authenticate"],
        405 => &["Allow"],
        409 if !operation.is_payment() => &[],
        409 | 429 | 503 => &["Retry-After"],
        _ => &[],
    });
    if operation.is_kept && matches!(status, 200 | 304) {
        names.extend(["ETag", "Cache-Control"]);
    }
    names.extend(match extras {
        Extras::None => &[][..],
        Extras::Collection => &["Total", "Link"],
        Extras::Payment | Extras::Creation => &["Idempotency-Replayed"],
    });
    let names = names.into_iter();
    names.fold(Object::new(), |all, name| {
        all.with(name, reference("headers", name))
    })
}

/// An error of an operation: its own, or a reference to the shared one.
pub(super) fn refusal(operation: &Operation, status: u16) -> Object {
    let differs = matches!(status, 409 | 422) && !operation.is_payment();
    let is_own = OWN.contains(&status) || differs;
    if is_own || operation.access == AccessRule::Anyone {
        of_error(operation, status)
    } else {
        reference("responses", &format!("Error{status}"))
    }
}

/// The errors that are the same for every operation that has them.
pub(super) fn responses(interface: &Interface) -> Object {
    let any = Operation::post("", "", "").takes([]).pays("", Vec::new());
    let merchants = interface
        .operations()
        .filter(|(_, operation)| operation.access == AccessRule::Merchants);
    let mut statuses: Vec<_> = merchants
        .flat_map(|(_, operation)| refusals::statuses(operation))
        .filter(|status| !OWN.contains(status))
        .collect();
    statuses.sort_unstable();
    statuses.dedup();
    statuses.into_iter().fold(Object::new(), |all, status| {
        all.with(format!("Error{status}"), of_error(&any, status))
    })
}

fn of_error(operation: &Operation, status: u16) -> Object {
    let tree = refusals::example(operation, status);
    let media = |example: Node| {
        Object::new()
            .with("schema", reference("schemas", "Error"))
            .with("example", example)
    };
    let content = Object::new()
        .with("application/json", media(tree.clone()))
        .with("application/xml", media(as_xml(&tree)));
    Object::new()
        .with("description", refusals::meaning_of(operation, status))
        .with("headers", headers_of(operation, (status, Extras::None)))
        .with("content", content)
}
