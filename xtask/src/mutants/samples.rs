//! Mutants for the tests beside the rules about them. It must hold nothing the program uses.

use super::list::{Extent, Function, Genre, Mutant, Place};

/// A mutant in the second line of a function that begins at this line.
pub(super) fn mutant(file: &str, line: usize, change: &str) -> Mutant {
    let place = |line, column| Place { line, column };
    let start = place(line.saturating_add(1), 5);
    Mutant {
        name: format!("{file}:{}:{}: {change}", start.line, start.column),
        file: file.to_owned(),
        package: "any".to_owned(),
        genre: Genre::BinaryOperator,
        span: Extent { start, end: start },
        replacement: String::new(),
        function: Some(Function {
            return_type: "-> A".to_owned(),
            span: Extent {
                start: place(line, 1),
                end: place(line.saturating_add(2), 2),
            },
        }),
        source: "1".to_owned(),
    }
}
