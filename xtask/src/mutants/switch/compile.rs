//! Makes the copy with all its switches compile: a mutant whose text is an error is taken out, and
//! the rest is tried again. It must not take a mutant for one that cannot compile unless the error
//! is in what the mutant puts there.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel, DiagnosticSpan};
use cargo_metadata::{Artifact, Message};

use super::edits::{FilePlan, Numbered};
use super::source_text::SourceText;
use crate::mutants::list::{Genre, Mutant};
use crate::mutants::tree::{Changed, SourceTree};
use crate::process::Run;

/// Why a mutant has no switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// It does not compile.
    Unviable,
    /// It may compile, but not behind a switch.
    NoSwitch,
}

/// A file of the copy.
#[derive(Debug)]
struct SwitchedFile {
    made: SourceText,
    const_functions: Vec<(String, usize)>,
}

/// The mutants by their numbers, and which of them have no switch.
#[derive(Debug)]
pub(super) struct Switches<'a> {
    mutants: &'a [Mutant],
    sources: Changed,
    pub(super) refused: BTreeMap<usize, Refused>,
    files: BTreeMap<String, SwitchedFile>,
}

/// Errors that the place may make, not the mutant: a constant, or a type that is found out from
/// more than one side of the choice.
const ABOUT_THE_PLACE: [&str; 4] = ["E0015", "E0282", "E0283", "E0284"];

impl<'a> Switches<'a> {
    /// The sources are those of all files the mutants are in.
    pub(super) fn new(mutants: &'a [Mutant], sources: Changed) -> Result<Self> {
        let (refused, files) = (BTreeMap::new(), BTreeMap::new());
        let mut switches = Self {
            mutants,
            sources,
            refused,
            files,
        };
        let files: Vec<_> = switches.sources.keys().cloned().collect();
        for file in files {
            switches.place(&file)?;
        }
        Ok(switches)
    }

    /// The files with their switches.
    pub(super) fn texts(&self) -> Changed {
        let text = |file: &SwitchedFile| file.made.text.clone();
        let texts = self.files.iter();
        texts
            .map(|(path, file)| (path.clone(), text(file)))
            .collect()
    }

    /// Writes the text of a file, with the switches it still may have.
    fn place(&mut self, path: &str) -> Result<()> {
        let source = self.sources.get(path).context("a file without a source")?;
        let allowed = |(number, mutant): &Numbered<'_>| {
            let refused = self.refused.contains_key(number) || is_of_opaque_type(mutant);
            mutant.file == path && !refused
        };
        let numbered: Vec<_> = self.mutants.iter().enumerate().filter(allowed).collect();
        let plan = FilePlan::new(source, &numbered).with_context(|| path.to_owned())?;
        let made = SourceText::new(source, &plan.edits);
        let file = SwitchedFile {
            made,
            const_functions: plan.const_functions,
        };
        let has_switch = |number: &usize| {
            let mut regions = file.made.regions.iter();
            regions.any(|region| region.numbers.contains(number))
        };
        for number in plan.unviable {
            self.refused.insert(number, Refused::Unviable);
        }
        for (number, mutant) in self.mutants.iter().enumerate() {
            if mutant.file == path && !has_switch(&number) {
                self.refused.entry(number).or_insert(Refused::NoSwitch);
            }
        }
        self.files.insert(path.to_owned(), file);
        Ok(())
    }

    /// Runs cargo until it finds no error; gives what it built.
    pub(super) fn settle(
        &mut self,
        tree: &SourceTree,
        arguments: &[&str],
    ) -> Result<Vec<Artifact>> {
        loop {
            let options = ["--offline", "--keep-going", "--message-format", "json"];
            let run = Run::cargo(arguments.iter().copied().chain(options))
                .variable("CARGO_TARGET_DIR", tree.target.to_string_lossy());
            let (built, printed) = run.quiet(&tree.root)?;
            let messages: Vec<_> =
                Message::parse_stream(printed.as_bytes()).collect::<Result<_, _>>()?;
            if built {
                let mut artifacts = Vec::new();
                for message in messages {
                    if let Message::CompilerArtifact(artifact) = message {
                        artifacts.push(artifact);
                    }
                }
                return Ok(artifacts);
            }
            let before = self.refused.len();
            let mut unexplained = Vec::new();
            for message in messages {
                if let Message::CompilerMessage(message) = message
                    && message.message.level == DiagnosticLevel::Error
                    && !self.blame(&message.message)
                {
                    unexplained.push(message.message.to_string());
                }
            }
            let taken_out = self.refused.len().saturating_sub(before);
            if taken_out == 0 {
                let said = printed.lines().filter(|line| !line.starts_with('{'));
                unexplained.extend(said.map(str::to_owned));
                bail!(
                    "`{run}` fails, and not by a mutant:\n{}",
                    unexplained.join("\n")
                );
            }
            println!("mutants: {taken_out} do not compile behind a switch");
            let files: Vec<_> = self.files.keys().cloned().collect();
            for file in files {
                self.place(&file)?;
                let text = self.files.get(&file).map(|file| &*file.made.text);
                tree.write(&file, text.unwrap_or_default().as_bytes())?;
            }
        }
    }

    /// Takes out the mutants that an error is about. Gives whether there are any.
    fn blame(&mut self, error: &Diagnostic) -> bool {
        let code = error.code.as_ref().map_or("", |code| &*code.code);
        let called = called_in_constant(error);
        let found = error.spans.iter().filter(|span| span.is_primary);
        let found = found.chain(error.spans.iter().filter(|span| !span.is_primary));
        let found = found.flat_map(expansions).find_map(|span| self.at(span));
        let about_mutant = !ABOUT_THE_PLACE.contains(&code);
        let (numbers, refused) = match (found, called) {
            (Some((numbers, true)), _) if about_mutant => (numbers, Refused::Unviable),
            (_, Some(name)) => (self.in_const_functions(&name), Refused::NoSwitch),
            (Some((numbers, _)), None) => (numbers, Refused::NoSwitch),
            (None, None) => return false,
        };
        for number in &numbers {
            self.refused.entry(*number).or_insert(refused);
        }
        !numbers.is_empty()
    }

    /// The mutants in the functions of this name that were `const`.
    fn in_const_functions(&self, name: &str) -> Vec<usize> {
        let functions = self.files.values().flat_map(|file| &file.const_functions);
        let named = functions.filter(|(function, _)| function == name);
        named.map(|(_, number)| *number).collect()
    }

    /// The innermost mutants at this place, and whether it is what the mutant puts there.
    fn at(&self, span: &DiagnosticSpan) -> Option<(Vec<usize>, bool)> {
        let file = self.files.get(&span.file_name)?;
        let place = usize::try_from(span.byte_start).ok()?;
        let regions = file.made.regions.iter();
        let around = regions.filter(|region| region.range.contains(&place));
        let innermost = around.min_by_key(|region| (!region.own, region.range.len()))?;
        Some((innermost.numbers.clone(), innermost.own))
    }
}

/// A function that hides its type can return only one, which is not that of the mutant.
fn is_of_opaque_type(mutant: &Mutant) -> bool {
    let function = mutant.function.as_ref();
    let hides = function.is_some_and(|function| function.return_type.contains("impl "));
    hides && mutant.genre == Genre::FnValue
}

/// The place of an error, and where the macros around it are used.
fn expansions(span: &DiagnosticSpan) -> impl Iterator<Item = &DiagnosticSpan> {
    std::iter::successors(Some(span), |&span| {
        let outer = span.expansion.as_ref();
        outer.map(|outer| &outer.span)
    })
}

/// The name of a function that a constant calls, and that is `const` no longer.
fn called_in_constant(error: &Diagnostic) -> Option<String> {
    let rest = error.message.strip_prefix("cannot call non-const ")?;
    let path = rest.split('`').nth(1)?;
    let name = path.rsplit("::").next()?;
    let name = name.split('<').next()?;
    (name != "is_on").then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use cargo_metadata::diagnostic::Diagnostic;
    use serde_json::json;

    use super::{Refused, Switches};
    use crate::mutants::list::Genre;
    use crate::mutants::samples::mutant;

    const SOURCE: &str = "const fn f() -> A { g() } const B: A = f();";

    fn blamed(code: &str, message: &str, place: &str) -> (bool, Option<Refused>) {
        let mut replaced = mutant("a.rs", 1, "replace f -> A with X");
        replaced.genre = Genre::FnValue;
        replaced.replacement = "X".to_owned();
        replaced.span.start.line = 1;
        replaced.span.start.column = SOURCE.find("g()").unwrap() + 1;
        let mutants = [replaced];
        let sources = BTreeMap::from([("a.rs".to_owned(), SOURCE.to_owned())]);
        let mut switches = Switches::new(&mutants, sources).unwrap();
        let at = switches.texts()["a.rs"].find(place).unwrap();
        let span = json!({
            "file_name": "a.rs", "byte_start": at, "byte_end": at + 1, "line_start": 1,
            "line_end": 1, "column_start": 1, "column_end": 2, "is_primary": true, "text": []
        });
        let error = json!({
            "message": message, "code": {"code": code}, "level": "error", "spans": [span],
            "children": []
        });
        let error: Diagnostic = serde_json::from_value(error).unwrap();
        let found = switches.blame(&error);
        (found, switches.refused.get(&0).copied())
    }

    #[test]
    fn an_error_in_what_a_mutant_puts_there_is_its_own() {
        let found = blamed("E0425", "cannot find value `X`", "X");
        assert_eq!(found, (true, Some(Refused::Unviable)));
    }

    #[test]
    fn an_error_of_the_place_says_only_that_there_is_no_switch() {
        let found = blamed("E0282", "type annotations needed", "X");
        assert_eq!(found, (true, Some(Refused::NoSwitch)));
    }

    #[test]
    fn a_constant_gets_its_function_back() {
        let message = "cannot call non-const function `f` in constants";
        let found = blamed("E0015", message, "f();");
        assert_eq!(found, (true, Some(Refused::NoSwitch)));
    }

    #[test]
    fn an_error_elsewhere_is_of_no_mutant() {
        assert_eq!(blamed("E0308", "mismatched types", "B: A"), (false, None));
    }
}
