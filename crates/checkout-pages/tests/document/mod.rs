//! A page as a browser reads it: its elements in order, and the text in each. It must not accept a
//! page that a browser would have to mend.

use std::collections::BTreeMap;

use html5gum::emitters::default::{DefaultEmitter, Token};
use html5gum::{Error, HtmlString, Tokenizer};

/// Elements that have no end tag.
const VOID: [&str; 3] = ["meta", "link", "wbr"];

/// One element with its text, and that of the elements within.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReadElement {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
    pub(crate) text: String,
    /// The names of the elements it is in, the outermost first.
    pub(crate) within: Vec<String>,
}

impl ReadElement {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }

    pub(crate) fn has_class(&self, class: &str) -> bool {
        let classes = self.attribute("class").unwrap_or_default();
        classes.split(' ').any(|name| name == class)
    }
}

/// The elements of a page in the order they begin.
///
/// # Panics
///
/// If the page is not well-formed.
pub(crate) fn elements(html: &str) -> Vec<ReadElement> {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut ended: Vec<(usize, ReadElement)> = Vec::new();
    let mut open: Vec<(usize, ReadElement)> = Vec::new();
    let tokens = Tokenizer::new_with_emitter(html, emitter).flatten();
    for (place, token) in tokens.enumerate() {
        match token {
            Token::StartTag(tag) => {
                let attributes = tag.attributes.iter();
                let element = ReadElement {
                    name: text(&tag.name),
                    attributes: attributes.map(|(k, v)| (text(k), text(v))).collect(),
                    text: String::new(),
                    within: open.iter().map(|(_, outer)| outer.name.clone()).collect(),
                };
                let is_void = VOID.contains(&element.name.as_str());
                let list = if is_void { &mut ended } else { &mut open };
                list.push((place, element));
            }
            Token::EndTag(tag) => {
                let name = text(&tag.name);
                let last = open.pop();
                assert!(
                    last.as_ref().is_some_and(|(_, e)| e.name == name),
                    "</{name}>"
                );
                ended.extend(last);
            }
            Token::String(words) => {
                for (_, element) in &mut open {
                    element.text.push_str(&text(&words));
                }
            }
            Token::Doctype(_) => assert_eq!(place, 0, "a doctype within the page"),
            Token::Comment(_) => panic!("a comment"),
            // A character that means nothing to Unicode; browsers show it all the same.
            Token::Error(error) if *error == Error::NoncharacterInInputStream => {}
            Token::Error(error) => panic!("{error:?}: {html}"),
        }
    }
    assert_eq!(open, [], "an element does not end");
    ended.sort_by_key(|(place, _)| *place);
    ended.into_iter().map(|(_, element)| element).collect()
}

fn text(bytes: &HtmlString) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
