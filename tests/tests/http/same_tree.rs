//! One answer in JSON and in XML, compared element by element in the order both are written. It
//! must read each with a parser that knows nothing of the other.

use roxmltree::{Document, Node};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// Where `nil` is defined (XML Schema Part 1, §2.6.2).
const NIL: (&str, &str) = ("http://www.w3.org/2001/XMLSchema-instance", "nil");

/// What differs between a body in JSON and one in XML; nothing where both hold the same names and
/// values in the same order.
pub(crate) fn differences(json: &str, xml: &str) -> Vec<String> {
    let document = Document::parse(xml).unwrap_or_else(|error| panic!("{error}: {xml}"));
    assert!(
        xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?><response "),
        "{xml}"
    );
    compare(json, document.root_element(), "")
}

/// What differs between a value and an element, each with its place.
fn compare(json: &str, element: Node<'_, '_>, place: &str) -> Vec<String> {
    let place = format!("{place}/{}", element.tag_name().name());
    let nil = element.attribute(NIL);
    match json.as_bytes()[0] {
        b'{' => {
            let Fields(fields) = serde_json::from_str(json).unwrap();
            compare_children(&fields, element, &place)
        }
        b'[' => {
            let items: Vec<Box<RawValue>> = serde_json::from_str(json).unwrap();
            let name = item_name(element.tag_name().name(), &place);
            let items = items.into_iter().map(|item| (name.clone(), item));
            compare_children(&items.collect::<Vec<_>>(), element, &place)
        }
        b'n' if nil == Some("true") && !element.has_children() => Vec::new(),
        b'"' => {
            let text: String = serde_json::from_str(json).unwrap();
            compare_text(&text, element, &place)
        }
        _ => compare_text(json, element, &place),
    }
}

fn compare_children(
    fields: &[(String, Box<RawValue>)],
    element: Node<'_, '_>,
    place: &str,
) -> Vec<String> {
    let children: Vec<_> = element.children().collect();
    let found: Vec<_> = children.iter().map(|c| c.tag_name().name()).collect();
    let expected: Vec<_> = fields.iter().map(|(name, _)| name.as_str()).collect();
    if found != expected || element.attributes().len() > 0 {
        return vec![format!("{place}: {found:?} instead of {expected:?}")];
    }
    let pairs = fields.iter().zip(children);
    let differences = pairs.flat_map(|((_, value), child)| compare(value.get(), child, place));
    differences.collect()
}

fn compare_text(text: &str, element: Node<'_, '_>, place: &str) -> Vec<String> {
    let reported: String = element
        .children()
        .filter_map(|child| child.text())
        .collect();
    let plain = element.attributes().len() == 0 && element.children().all(|child| child.is_text());
    if plain && reported == text {
        Vec::new()
    } else {
        vec![format!("{place}: {reported:?} instead of {text:?}")]
    }
}

/// What one thing in a list of that name is called: messages are under what they are about,
/// everything else under its plural.
fn item_name(list: &str, place: &str) -> String {
    if place.starts_with("/response/errors/") {
        return "message".to_owned();
    }
    for (plural, singular) in [("ies", "y"), ("ches", "ch"), ("s", "")] {
        if let Some(stem) = list.strip_suffix(plural) {
            return format!("{stem}{singular}");
        }
    }
    list.to_owned()
}

/// An object with its names in the order they were written.
struct Fields(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Fields(fields))
    }
}

#[test]
fn what_differs_is_found() {
    let json = r#"{"code":200,"banks":[{"a":"x"},{"a":null}],"is":true}"#;
    let begin = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
         <response xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">";
    let good = "<code>200</code><banks><bank><a>x</a></bank>\
         <bank><a xsi:nil=\"true\"/></bank></banks><is>true</is>";
    let differs = |from: &str, to: &str| {
        let xml = format!("{begin}{}</response>", good.replace(from, to));
        !differences(json, &xml).is_empty()
    };
    assert!(!differs("", ""));
    for (from, to) in [
        ("200", "201"),
        ("<a>x</a>", "<a xsi:nil=\"true\"/>"),
        (" xsi:nil=\"true\"", ""),
        ("<a>x</a>", "<a><b>x</b></a>"),
        ("<a>x</a>", "<a>x</a><b/>"),
        ("<a>x</a>", "text"),
        ("bank>", "item>"),
        ("<is>true</is>", ""),
        ("<is>true</is>", "<is>1</is>"),
        ("<code>200</code><banks>", "<banks><code>200</code>"),
    ] {
        assert!(differs(from, to), "{from} as {to}");
    }
}
