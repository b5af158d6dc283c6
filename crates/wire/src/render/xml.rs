//! XML 1.0 in UTF-8, on one line. It must be well-formed for any answer: what XML cannot carry is
//! replaced, never written and never an error.

use crate::tree::Node;
use quick_xml::Writer;
use quick_xml::escape::escape;
use quick_xml::events::{BytesDecl, BytesStart, BytesText, Event};
use std::borrow::Cow;

/// Tags are written twice, so answers are about twice as long as in JSON; lists grow from here.
const CAPACITY: usize = 1024;

/// The name of the root element.
const ROOT: &str = "response";

/// The definition of `nil` (XML Schema Part 1, §2.6.2): an empty element is an empty text, so null
/// needs a mark of its own.
const SCHEMA_INSTANCE: (&str, &str) = ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance");
const NIL: (&str, &str) = ("xsi:nil", "true");

/// The tree as XML: `<response>` around the fields, a list around elements of its item's name.
pub fn xml(node: &Node) -> Vec<u8> {
    let mut document = Document(Writer::new(Vec::with_capacity(CAPACITY)));
    document.write(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
    let root = BytesStart::new(ROOT).with_attributes([SCHEMA_INSTANCE]);
    document.write_element(root, node);
    document.0.into_inner()
}

struct Document(Writer<Vec<u8>>);

impl Document {
    fn write_element(&mut self, start: BytesStart<'_>, node: &Node) {
        match node {
            Node::Text(text) => self.write_text(&start, &escaped(text)),
            Node::Integer(number) => self.write_text(&start, &number.to_string()),
            Node::Float(number) => self.write_text(&start, &number.to_string()),
            Node::Boolean(value) => self.write_text(&start, if *value { "true" } else { "false" }),
            Node::Null => self.write(Event::Empty(start.with_attributes([NIL]))),
            Node::Object(object) => self.write_children(&start, object.fields()),
            Node::List { item, items } => {
                self.write_children(&start, items.iter().map(|node| (*item, node)));
            }
        }
    }

    fn write_children<'a>(
        &mut self,
        start: &BytesStart<'_>,
        children: impl Iterator<Item = (&'a str, &'a Node)>,
    ) {
        self.write(Event::Start(start.borrow()));
        for (name, node) in children {
            self.write_element(BytesStart::new(element_name(name)), node);
        }
        self.write(Event::End(start.to_end()));
    }

    fn write_text(&mut self, start: &BytesStart<'_>, escaped: &str) {
        self.write(Event::Start(start.borrow()));
        self.write(Event::Text(BytesText::from_escaped(escaped)));
        self.write(Event::End(start.to_end()));
    }

    #[expect(clippy::expect_used, reason = "there is no failure to pass on")]
    fn write(&mut self, event: Event<'_>) {
        // Panic safety: only the destination can fail, and a vector takes every byte.
        self.0.write_event(event).expect("a vector to write to");
    }
}

/// The text between two tags. A carriage return would be read as a line feed, so it is a reference;
/// a line feed is one too, so that an answer stays on one line.
fn escaped(text: &str) -> String {
    let carried: String = text.chars().map(carried).collect();
    escape(carried).replace('\n', "&#10;")
}

/// The character, or the replacement for one that XML 1.0 §2.2 does not allow, even as a reference.
const fn carried(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'.. => character,
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// Whether a name can be the name of an element.
pub(crate) fn is_element_name(name: &str) -> bool {
    name.starts_with(leads) && name.chars().all(follows)
}

/// The name, or a corrected form of one that cannot be an element name: the gateway's names are all
/// letters, but names sent by clients are repeated in errors.
fn element_name(name: &str) -> Cow<'_, str> {
    if is_element_name(name) {
        return Cow::Borrowed(name);
    }
    let prefix = if name.starts_with(leads) { "" } else { "_" };
    let mended = name.chars().map(|c| if follows(c) { c } else { '_' });
    prefix.chars().chain(mended).collect()
}

const fn leads(character: char) -> bool {
    character.is_ascii_alphabetic() || character == '_'
}

const fn follows(character: char) -> bool {
    leads(character) || character.is_ascii_digit() || matches!(character, '-' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribute::PHONE;
    use crate::envelope::{self, ErrorEnvelope};
    use crate::tree::Object;
    use crate::violations::Violations;
    use proptest::prelude::*;
    use roxmltree::Document as Read;
    use rust_decimal::Decimal;

    fn shown(node: &Node) -> String {
        String::from_utf8(xml(node)).unwrap()
    }

    /// The document with a line for each element.
    fn spread(node: &Node) -> String {
        shown(node).replace("><", ">\n<")
    }

    fn check(node: &Node) {
        let text = shown(node);
        let read = Read::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let root = read.root_element();
        assert_eq!(root.tag_name().name(), "response");
        check_element(root, node, &text);
    }

    /// Compares the result of another reader with the tree.
    fn check_element(element: roxmltree::Node<'_, '_>, node: &Node, text: &str) {
        let nil = element.attribute((SCHEMA_INSTANCE.1, "nil"));
        let is_null = matches!(node, Node::Null);
        assert_eq!(nil, is_null.then_some("true"), "{text}");
        assert_eq!(element.attributes().len(), usize::from(is_null), "{text}");
        let (is_parent, expected) = match node {
            Node::Text(value) => (false, readable(value)),
            Node::Integer(number) => (false, number.to_string()),
            Node::Float(number) => (false, number.to_string()),
            Node::Boolean(value) => (false, value.to_string()),
            Node::Null => (false, String::new()),
            Node::Object(object) => {
                let fields = object.fields();
                check_children(element, &fields.collect::<Vec<_>>(), text);
                (true, String::new())
            }
            Node::List { item, items } => {
                let items = items.iter().map(|node| (*item, node));
                check_children(element, &items.collect::<Vec<_>>(), text);
                (true, String::new())
            }
        };
        let texts = element.children().filter(roxmltree::Node::is_text);
        let reported: String = texts.filter_map(|text| text.text()).collect();
        assert_eq!(reported, expected, "{text}");
        assert!(is_parent || !element.has_children() || element.children().all(|c| c.is_text()));
    }

    fn check_children(element: roxmltree::Node<'_, '_>, nodes: &[(&str, &Node)], text: &str) {
        let children: Vec<_> = element.children().collect();
        assert_eq!(children.len(), nodes.len(), "{text}");
        for (child, (name, node)) in children.into_iter().zip(nodes) {
            assert_eq!(child.tag_name().name(), element_name(name), "{text}");
            check_element(child, node, text);
        }
    }

    /// The text with everything outside of the production `Char` of XML 1.0 replaced.
    fn readable(text: &str) -> String {
        let allowed = |c: char| {
            matches!(u32::from(c),
                0x9 | 0xA | 0xD | 0x20..=0xD7FF | 0xE000..=0xFFFD | 0x10000..=0x10_FFFF)
        };
        text.chars()
            .map(|c| if allowed(c) { c } else { '\u{FFFD}' })
            .collect()
    }

    #[test]
    fn fields_keep_their_order_and_items_their_name() {
        let node = Object::new()
            .with("b", 1_u64)
            .with("items", Node::texts("item", ["x".into(), "y".into()]))
            .with("none", None::<String>)
            .with("yes", Node::Boolean(true))
            .with("degrees", Node::Float(Decimal::new(-33_792, 4)))
            .with("empty", Object::new())
            .with("blank", "");
        insta::assert_snapshot!(spread(&node.into()), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <response xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
        <b>1</b>
        <items>
        <item>x</item>
        <item>y</item>
        </items>
        <none xsi:nil="true"/>
        <yes>true</yes>
        <degrees>-3.3792</degrees>
        <empty>
        </empty>
        <blank>
        </blank>
        </response>
        "#);
    }

    #[test]
    fn an_error_shows_each_message_of_an_attribute_in_an_element() {
        let mut violations = Violations::of(&PHONE, "is too short; add digits");
        violations.add(&PHONE, "is <odd>".into());
        let failure = ErrorEnvelope::violations(violations, "req-1".into());
        insta::assert_snapshot!(spread(&envelope::failure(&failure)), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <response xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
        <code>400</code>
        <status>error</status>
        <message>The request has attributes that are missing or not valid.</message>
        <serviceCode>822</serviceCode>
        <serviceSubject>Phone Number</serviceSubject>
        <errors>
        <params>
        <number>
        <message>is too short; add digits</message>
        <message>is &lt;odd&gt;</message>
        </number>
        </params>
        </errors>
        <requestId>req-1</requestId>
        </response>
        "#);
    }

    #[test]
    fn what_markup_is_made_of_is_text_in_a_text() {
        let text = "a<b>&amp;'\"\r\n]]>\u{0}\u{FFFE}é";
        let node = Object::new().with("text", text).into();
        let expected =
            "<text>a&lt;b&gt;&amp;amp;&apos;&quot;&#13;&#10;]]&gt;\u{FFFD}\u{FFFD}é</text>";
        assert!(shown(&node).contains(expected), "{}", shown(&node));
    }

    #[test]
    fn every_character_comes_back_or_is_replaced() {
        for character in (0..=0x1_FFFF).filter_map(char::from_u32) {
            check(&Object::new().with("text", format!("<{character}>")).into());
            check(&Object::new().with("text", character.to_string()).into());
        }
    }

    #[test]
    fn every_character_can_be_in_a_name_that_was_let_through() {
        for character in (0..=0x1_FFFF).filter_map(char::from_u32) {
            let (first, later) = (character.to_string(), format!("a{character}"));
            check(&Object::new().with(first, "1").with(later, "2").into());
        }
    }

    #[test]
    fn names_that_can_be_elements_stay_and_others_are_mended() {
        let cases = [
            ("mrcReference", "mrcReference"),
            ("Idempotency-Key", "Idempotency-Key"),
            ("_1.a", "_1.a"),
            ("1st", "_1st"),
            ("", "_"),
            ("a b<c>", "a_b_c_"),
            ("xsi:nil", "xsi_nil"),
            ("é", "__"),
        ];
        for (name, expected) in cases {
            assert_eq!(element_name(name), expected);
        }
    }

    fn any_node() -> impl Strategy<Value = Node> {
        let leaf = prop_oneof![
            any::<String>().prop_map(Node::Text),
            any::<i64>().prop_map(Node::Integer),
            (any::<i32>(), 0_u32..8)
                .prop_map(|(n, scale)| Node::Float(Decimal::new(n.into(), scale))),
            any::<bool>().prop_map(Node::Boolean),
            Just(Node::Null),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            let named = proptest::collection::vec((any::<String>(), inner.clone()), 0..5);
            prop_oneof![
                proptest::collection::vec(inner, 0..5).prop_map(|items| Node::List {
                    item: "item",
                    items
                }),
                named.prop_map(|fields| {
                    let object = fields.into_iter();
                    object
                        .fold(Object::new(), |object, (name, node)| {
                            object.with(name, node)
                        })
                        .into()
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_tree_comes_back_as_it_was(node in any_node()) {
            check(&node);
        }
    }
}
