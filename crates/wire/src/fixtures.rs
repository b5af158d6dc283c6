//! Helpers shared by the tests of this crate. They must implement no rule of the interface: a test
//! that used the rule it checks would prove nothing.

use crate::attributes::Attributes;
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::transaction::{Transaction, Verdict};
use domain::webhook::{Endpoint, EndpointHealth, EndpointId, SecretVersion, Target, Topics};
use std::fmt::{Debug, Write as _};
use testkit::builders::{
    START, account, account_id, advance, declined, delivered, mismatched, not_sent, pending,
    reversed, ruled, takeover,
};

/// Invalid amounts, as JSON literals, and the error for each.
pub(crate) const BAD_AMOUNTS: [(&str, &str); 16] = [
    ("-1", "must be an amount above zero, such as 1234.00"),
    ("\"-1\"", "must be an amount above zero, such as 1234.00"),
    ("0", "must be an amount above zero, such as 1234.00"),
    ("\"0.00\"", "must be an amount above zero, such as 1234.00"),
    ("\"\"", "must be an amount above zero, such as 1234.00"),
    ("1e5", NOT_DECIMAL),
    ("\"1e5\"", NOT_DECIMAL),
    ("\"１００\"", NOT_DECIMAL),
    ("\" 100\"", NOT_DECIMAL),
    ("\"₦100\"", NOT_DECIMAL),
    (
        "\"1,23.00\"",
        "has a comma that does not separate thousands; write 1,234.00 or 1234.00",
    ),
    ("1.234", "must not have more than 2 decimals"),
    (
        "1000000000000000000",
        "is too large; the largest amount is 90,071,992,547,409.91",
    ),
    ("true", STRING_OR_NUMBER),
    ("null", STRING_OR_NUMBER),
    ("[100]", STRING_OR_NUMBER),
];

pub(crate) const STRING_OR_NUMBER: &str = "must be a string or a number";
const NOT_DECIMAL: &str = "must be a plain decimal such as 1234.00 or 1,234.00, in ASCII digits";

/// A JSON object of names and JSON literals.
pub(crate) fn body(pairs: &[(&str, &str)]) -> Attributes {
    let pairs = pairs
        .iter()
        .map(|(name, literal)| format!("{name:?}:{literal}"));
    let body = format!("{{{}}}", pairs.collect::<Vec<_>>().join(","));
    Attributes::from_json(body.as_bytes()).unwrap_or_else(|error| panic!("{error}: {body}"))
}

/// The same pairs with another literal for one name.
pub(crate) fn replaced<'a>(
    pairs: &[(&'a str, &'a str)],
    name: &str,
    literal: &'a str,
) -> Vec<(&'a str, &'a str)> {
    assert!(pairs.iter().any(|(known, _)| *known == name), "{name}?");
    let replace =
        |(known, old): &(&'a str, &'a str)| (*known, if *known == name { literal } else { *old });
    pairs.iter().map(replace).collect()
}

pub(crate) fn query(text: &str) -> Attributes {
    Attributes::from_query(Some(text)).unwrap()
}

/// The status, the service code and each message, one per line.
pub(crate) fn faults<T: Debug>(read: Result<T, Violations>) -> String {
    let violations = read.expect_err("violations");
    let service = violations.service().map(|code| code.number().to_string());
    let service = service.unwrap_or_else(|| "-".into());
    let mut lines = format!("{} {service}", violations.status());
    for (name, messages) in violations.iter() {
        write!(lines, "\n{name}: {}", messages.join(" | ")).unwrap();
    }
    lines
}

pub(crate) fn lagos() -> Zone {
    Zone::for_account(&account("shop").build())
}

/// An endpoint of `shop` that is subscribed to every event.
pub(crate) fn endpoint(number: u64) -> Endpoint {
    Endpoint {
        id: EndpointId::new(number).unwrap(),
        account: account_id("shop"),
        target: Target::checked("https://shop.example/events"),
        topics: Topics::All,
        description: String::new(),
        with_tokens: false,
        generation: SecretVersion::FIRST,
        peppers_before: [1, 1],
        rotated_at: None,
        rotated_before: None,
        health: EndpointHealth::GOOD,
        created_at: START,
    }
}

/// The transaction in every state it can reach, each as a view shows it.
pub(crate) fn in_every_state(
    opened: &Transaction,
    view: impl Fn(&Transaction) -> Object,
) -> String {
    let after = |tx: &Transaction, observation| advance(tx, &observation, START).transaction;
    let acknowledged = after(opened, pending(opened));
    let in_doubt = after(opened, takeover(opened));
    let in_review = after(opened, mismatched(opened));
    let successful = after(opened, delivered(opened));
    let refused = after(opened, declined(opened));
    let resent = after(opened, not_sent(opened));
    let states = [
        ("on its way", opened.clone()),
        ("acknowledged", acknowledged),
        ("in doubt", in_doubt),
        ("in review", in_review.clone()),
        ("delivered", successful.clone()),
        ("refused", refused),
        ("never sent", after(&resent, not_sent(&resent))),
        (
            "ruled not delivered",
            after(&in_review, ruled(Verdict::NotDelivered)),
        ),
        ("reversed", after(&successful, reversed(&successful))),
    ];
    let shown = states.map(|(name, tx)| format!("{name}: {}", pretty(&view(&tx).into())));
    shown.join("\n\n")
}

/// The value of one field in each entry of a list, in the order they are shown.
pub(crate) fn each(name: &str, shown: &Object) -> String {
    let entries = shown.fields().find_map(|(_, node)| match node {
        Node::List { items, .. } => Some(items),
        Node::Text(_)
        | Node::Integer(_)
        | Node::Float(_)
        | Node::Boolean(_)
        | Node::Null
        | Node::Object(_) => None,
    });
    let values = entries.expect("a list").iter().map(|entry| {
        let Node::Object(entry) = entry else {
            panic!("{entry:?} is no object")
        };
        let field = entry.fields().find(|(known, _)| *known == name);
        pretty(field.unwrap_or_else(|| panic!("{name}?")).1).replace('"', "")
    });
    values.collect::<Vec<_>>().join(" ")
}

/// The links of a `Link` header (RFC 8288): the relation, the path and the query of each.
pub(crate) fn links(header: &str) -> Vec<(&str, &str, &str)> {
    let parts = header.split(", ").map(|link| {
        let (address, relation) = link.split_once("; rel=").expect("a relation");
        let address = address.trim_matches(['<', '>']);
        let (path, query) = address.split_once('?').expect("a query");
        (relation.trim_matches('"'), path, query)
    });
    parts.collect()
}

/// Asserts that every link of a page has the list's own path and is read as the same query for
/// another page: `without_offset` must make two such queries equal.
pub(crate) fn links_ask_for_the_same<Q: Debug + PartialEq>(
    (path, header): (&str, &str),
    asked: Q,
    read: impl Fn(&Attributes) -> Result<Q, Violations>,
    without_offset: impl Fn(Q) -> Q,
) {
    let asked = without_offset(asked);
    for (relation, linked, text) in links(header) {
        assert_eq!(linked, path, "{relation}");
        let again = read(&query(text)).unwrap_or_else(|why| panic!("{text}: {why:?}"));
        assert_eq!(without_offset(again), asked, "{relation}");
    }
}

/// JSON with line breaks, written from the tree so that its order is visible.
pub(crate) fn pretty(node: &Node) -> String {
    let mut out = String::new();
    write_pretty(&mut out, node, 0);
    out
}

fn write_pretty(out: &mut String, node: &Node, depth: usize) {
    let line = |out: &mut String, depth| write!(out, "\n{:1$}", "", depth * 2).unwrap();
    match node {
        Node::Object(object) => {
            out.push('{');
            for (name, value) in object.fields() {
                line(out, depth + 1);
                write!(out, "{name}: ").unwrap();
                write_pretty(out, value, depth + 1);
            }
            line(out, depth);
            out.push('}');
        }
        Node::List { item, items } => {
            out.push('[');
            for value in items {
                line(out, depth + 1);
                write!(out, "{item} ").unwrap();
                write_pretty(out, value, depth + 1);
            }
            line(out, depth);
            out.push(']');
        }
        Node::Text(_) | Node::Integer(_) | Node::Float(_) | Node::Boolean(_) | Node::Null => {
            let json = String::from_utf8(crate::render::json(node)).unwrap();
            out.push_str(&json);
        }
    }
}
