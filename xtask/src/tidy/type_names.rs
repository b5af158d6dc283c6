//! One public type name means one thing in the workspace: a reader who searches for it finds one
//! definition. It must not look at private types, whose module says what they are.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::finding::Finding;

const KEYWORDS: [&str; 5] = ["struct", "enum", "trait", "type", "union"];

/// Where each public type of the workspace is defined.
#[derive(Debug, Default)]
pub(super) struct TypeNames {
    places: BTreeMap<String, Vec<(String, usize)>>,
}

impl TypeNames {
    /// Adds the public types of one file. What does not parse is reported by the rules of lengths.
    pub(super) fn add(&mut self, path: &str, text: &str) {
        if let Ok(tokens) = text.parse::<TokenStream>() {
            for (name, line) in public_types(tokens) {
                let places = self.places.entry(name).or_default();
                places.push((path.to_owned(), line));
            }
        }
    }

    /// One finding for each further definition of a name.
    pub(super) fn check(&self) -> Vec<Finding> {
        let repeated = self.places.iter().filter(|(_, places)| places.len() > 1);
        repeated
            .flat_map(|(name, places)| {
                let first = places.first().map_or("", |(path, _)| path.as_str());
                places.iter().skip(1).map(move |(path, line)| {
                    let message = format!(
                        "`{name}` is a public type of {first} too; name this one after what it is"
                    );
                    Finding::new(path, *line, message)
                })
            })
            .collect()
    }
}

/// Names and lines of the types that other modules of a crate, or other crates, can see.
fn public_types(tokens: TokenStream) -> Vec<(String, usize)> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (position, tree) in trees.iter().enumerate() {
        let TokenTree::Ident(word) = tree else {
            continue;
        };
        let rest = trees.get(position + 1..).unwrap_or_default();
        if word == "pub" {
            found.extend(type_after_visibility(rest));
        } else if word == "mod"
            && !is_for_tests(trees.get(..position).unwrap_or_default())
            && let Some(TokenTree::Group(body)) = rest.get(1)
        {
            found.extend(public_types(body.stream()));
        }
    }
    found
}

/// The type that is declared after `pub` or `pub(crate)`. One that only its parent module sees is
/// not public.
fn type_after_visibility(rest: &[TokenTree]) -> Option<(String, usize)> {
    let rest = match rest.split_first()? {
        (TokenTree::Group(scope), rest) if scope.delimiter() == Delimiter::Parenthesis => {
            (scope.stream().to_string() == "crate").then_some(rest)?
        }
        _ => rest,
    };
    let [TokenTree::Ident(keyword), TokenTree::Ident(name), ..] = rest else {
        return None;
    };
    KEYWORDS
        .iter()
        .any(|word| keyword == word)
        .then(|| (name.to_string(), name.span().start().line))
}

/// Whether the tokens before `mod` end with `#[cfg(test)]`.
fn is_for_tests(before: &[TokenTree]) -> bool {
    before
        .iter()
        .rev()
        .find_map(|tree| match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                Some(group.stream().to_string().replace(' ', "") == "cfg(test)")
            }
            TokenTree::Ident(word) if word == "pub" => None,
            TokenTree::Group(_)
            | TokenTree::Ident(_)
            | TokenTree::Punct(_)
            | TokenTree::Literal(_) => Some(false),
        })
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::TypeNames;

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        let mut names = TypeNames::default();
        for (path, text) in files {
            names.add(path, text);
        }
        names.check().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_second_public_type_of_one_name_is_found() {
        let found = findings(&[
            ("a.rs", "pub struct Plan;\n"),
            ("b.rs", "\npub(crate) enum Plan {}\n"),
        ]);
        assert_eq!(
            found,
            ["b.rs:2: `Plan` is a public type of a.rs too; name this one after what it is"]
        );
    }

    #[test]
    fn inline_modules_are_searched_and_tests_are_not() {
        let inner = "mod a { pub trait Plan {} }\n#[cfg(test)]\nmod tests { pub struct Plan; }\n";
        assert_eq!(
            findings(&[("a.rs", "pub struct Plan;"), ("b.rs", inner)]).len(),
            1
        );
    }

    #[test]
    fn private_types_and_associated_types_are_free() {
        let text = "struct Plan; pub(super) struct Plan; impl A for B { type Plan = u8; }";
        assert!(findings(&[("a.rs", "pub struct Plan;"), ("b.rs", text)]).is_empty());
    }
}
