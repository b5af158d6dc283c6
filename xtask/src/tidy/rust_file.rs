//! A Rust file as the rules about lengths see it: where its functions are and where its tests
//! begin. It must not go by indentation or by braces in comments and strings, hence the lexer.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::finding::Finding;

#[derive(Debug)]
pub(super) struct RustFile<'a> {
    pub(super) path: &'a str,
    pub(super) text: &'a str,
    /// In the order they begin; nested ones have their own entry.
    pub(super) functions: Vec<Function>,
    /// The line of the attribute on the first inline test module.
    pub(super) tests_begin: Option<usize>,
}

/// A function with a body, from its `fn` to its closing brace.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) first_line: usize,
    pub(super) last_line: usize,
}

impl<'a> RustFile<'a> {
    pub(super) fn parse(path: &'a str, text: &'a str) -> Result<Self, Finding> {
        let tokens: TokenStream = text.parse().map_err(|error: proc_macro2::LexError| {
            Finding::new(
                path,
                error.span().start().line,
                format!("not Rust: {error}"),
            )
        })?;
        let mut functions = Vec::new();
        collect_functions(tokens.clone(), &mut functions);
        functions.sort_by_key(|function| function.first_line);
        Ok(Self {
            path,
            text,
            functions,
            tests_begin: tests_begin(tokens),
        })
    }
}

fn collect_functions(tokens: TokenStream, found: &mut Vec<Function>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (position, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => collect_functions(group.stream(), found),
            TokenTree::Ident(word) if word == "fn" => {
                let rest = trees.get(position + 1..).unwrap_or_default();
                found.extend(function(word.span().start().line, rest));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// The function whose name is the first of these tokens. A type such as `fn(u8)` has no name and a
/// declaration has no body: neither is a function here.
fn function(first_line: usize, after_fn: &[TokenTree]) -> Option<Function> {
    let (TokenTree::Ident(name), signature) = after_fn.split_first()? else {
        return None;
    };
    let body = signature.iter().find(|tree| is_body_or_end(tree))?;
    let TokenTree::Group(body) = body else {
        return None;
    };
    Some(Function {
        name: name.to_string(),
        first_line,
        last_line: body.span_close().end().line,
    })
}

fn is_body_or_end(tree: &TokenTree) -> bool {
    match tree {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    }
}

/// Only a module with its tests inside counts: a helper for tests further up, or `mod tests;` for
/// another file, must not hide the code below it from the rule.
fn tests_begin(tokens: TokenStream) -> Option<usize> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    trees.windows(2).enumerate().find_map(|(position, pair)| {
        let [TokenTree::Punct(hash), TokenTree::Group(attribute)] = pair else {
            return None;
        };
        let is_cfg_test = hash.as_char() == '#' && spelled(&attribute.stream()) == "cfg(test)";
        let item = trees.get(position + 2..).unwrap_or_default();
        (is_cfg_test && is_inline_module(item)).then(|| hash.span().start().line)
    })
}

fn is_inline_module(item: &[TokenTree]) -> bool {
    let mut words = item
        .iter()
        .skip_while(|tree| !matches!(tree, TokenTree::Ident(_)));
    let is_module = words.next().is_some_and(|word| word.to_string() == "mod");
    words.next();
    is_module
        && words
            .next()
            .is_some_and(|tree| matches!(tree, TokenTree::Group(_)))
}

fn spelled(tokens: &TokenStream) -> String {
    tokens.to_string().split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::{Function, RustFile};

    fn functions(text: &str) -> Vec<(String, usize, usize)> {
        let file = RustFile::parse("a.rs", text).unwrap();
        file.functions
            .into_iter()
            .map(
                |Function {
                     name,
                     first_line,
                     last_line,
                 }| (name, first_line, last_line),
            )
            .collect()
    }

    #[test]
    fn a_function_runs_from_its_keyword_to_its_closing_brace() {
        let text = "/// Doc.\n#[must_use]\npub(crate) const fn f<T>(\n    x: [T; 2],\n) -> u8\n\
                    where\n    T: Copy,\n{\n    1\n}\n";
        assert_eq!(functions(text), [("f".to_owned(), 3, 10)]);
    }

    #[test]
    fn braces_in_strings_comments_and_characters_are_not_braces() {
        let text = "fn f<'a>() {\n // }\n let _ = (\"}\", '}', r#\"\n}\"#);\n}\nfn g() {}\n";
        assert_eq!(
            functions(text),
            [("f".to_owned(), 1, 5), ("g".to_owned(), 6, 6)]
        );
    }

    #[test]
    fn methods_nested_functions_and_macro_bodies_are_seen() {
        let text = "impl A {\n fn outer(&self) {\n  fn inner() {\n  }\n }\n}\n\
                    proptest! {\n fn law(x in 0..1) {\n }\n}\n";
        assert_eq!(
            functions(text),
            [
                ("outer".to_owned(), 2, 5),
                ("inner".to_owned(), 3, 4),
                ("law".to_owned(), 8, 9)
            ]
        );
    }

    #[test]
    fn a_declaration_and_a_function_type_are_not_functions() {
        let text = "trait A {\n fn f(&self);\n fn g() {}\n}\nstruct B {\n call: fn(u8) -> u8,\n}\n";
        assert_eq!(functions(text), [("g".to_owned(), 3, 3)]);
    }

    #[test]
    fn the_tests_begin_at_the_attribute_of_their_module() {
        let text = "fn f() {}\n\n#[cfg(test)]\n#[expect(x, reason = \"\")]\nmod tests {}\n";
        assert_eq!(RustFile::parse("a.rs", text).unwrap().tests_begin, Some(3));
    }

    #[test]
    fn only_an_inline_test_module_ends_the_code() {
        for text in [
            "#[cfg(test)]\nmod tests;\n\nfn f() {}\n",
            "#[cfg(test)]\nfn helper() {}\n",
            "#[cfg(test)]\nuse std::fmt;\n",
            "#[cfg(not(test))]\nmod real {}\n",
            "mod tests {}\n",
            "// #[cfg(test)] mod tests {}\n",
        ] {
            assert_eq!(
                RustFile::parse("a.rs", text).unwrap().tests_begin,
                None,
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_not_rust_is_found_where_it_breaks_off() {
        let finding = RustFile::parse("a.rs", "//! A.\n\nfn f() }\n").unwrap_err();
        assert!(
            finding.to_string().starts_with("a.rs:3: not Rust"),
            "{finding}"
        );
    }
}
