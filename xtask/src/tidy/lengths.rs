//! How long lines, functions and files may be. It must not grant exceptions by name: a rule that
//! does not fit is changed here, for everyone.

use super::finding::Finding;
use super::rust_file::{Function, RustFile};

/// What two files side by side show on a laptop. Rustfmt keeps code to it, but neither comments nor
/// text.
const COLUMNS_MAX: usize = 100;

/// What can be read in one sitting.
const FILE_LINES_MAX: usize = 400;

/// Tests repeat a shape that is quick to read, and splitting them hides which rules are covered.
const TEST_FILE_LINES_MAX: usize = 600;

/// What one screen shows.
const FUNCTION_LINES_MAX: usize = 70;

/// A handler parses, calls and renders. One that is longer has taken on a rule of the business.
const HANDLER_LINES_MAX: usize = 40;

const HANDLERS: &str = "crates/http-server/src/routes/";

pub(super) fn check(file: &RustFile<'_>) -> Vec<Finding> {
    let mut findings = wide_lines(file);
    findings.extend(long_file(file));
    findings.extend(
        file.functions
            .iter()
            .filter_map(|function| long_function(file, function)),
    );
    findings
}

fn wide_lines(file: &RustFile<'_>) -> Vec<Finding> {
    let widths = file.text.lines().map(|line| line.chars().count());
    (1_usize..)
        .zip(widths)
        .filter(|(_, width)| *width > COLUMNS_MAX)
        .map(|(line, width)| {
            let message = format!("{width} columns, {COLUMNS_MAX} allowed; wrap it");
            Finding::new(file.path, line, message)
        })
        .collect()
}

fn long_file(file: &RustFile<'_>) -> Option<Finding> {
    let (lines, allowed, remedy) = if is_all_tests(file.path) {
        (
            file.text.lines().count(),
            TEST_FILE_LINES_MAX,
            "split the tests by the rule they prove",
        )
    } else {
        let lines = file
            .tests_begin
            .map_or_else(|| file.text.lines().count(), |line| line.saturating_sub(1));
        (
            lines,
            FILE_LINES_MAX,
            "give one of its parts a module of its own (its tests do not count)",
        )
    };
    (lines > allowed).then(|| {
        let message = format!("{lines} lines, {allowed} allowed; {remedy}");
        Finding::new(file.path, allowed + 1, message)
    })
}

fn long_function(file: &RustFile<'_>, function: &Function) -> Option<Finding> {
    let in_tests = file
        .tests_begin
        .is_some_and(|line| line < function.first_line)
        || is_all_tests(file.path);
    let (what, allowed) = if file.path.starts_with(HANDLERS) && !in_tests {
        ("handler", HANDLER_LINES_MAX)
    } else {
        ("function", FUNCTION_LINES_MAX)
    };
    let lines = function.last_line.saturating_sub(function.first_line) + 1;
    (lines > allowed).then(|| {
        let name = &function.name;
        let message = format!(
            "{what} `{name}` has {lines} lines, {allowed} allowed; move a step of it into a \
             function with a name"
        );
        Finding::new(file.path, function.first_line, message)
    })
}

fn is_all_tests(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    name == "tests.rs" || folders.split('/').any(|folder| folder == "tests")
}

#[cfg(test)]
mod tests {
    use super::{RustFile, check};

    fn found(path: &str, text: &str) -> Vec<String> {
        let file = RustFile::parse(path, text).unwrap();
        check(&file).iter().map(ToString::to_string).collect()
    }

    fn function_of(lines: usize) -> String {
        format!("fn f() {{\n{}}}\n", "    g();\n".repeat(lines - 2))
    }

    fn file_of(lines: usize) -> String {
        "static A: u8 = 1;\n".repeat(lines)
    }

    fn tests_of(lines: usize) -> String {
        format!("#[cfg(test)]\nmod tests {{\n{}}}\n", file_of(lines))
    }

    #[test]
    fn a_line_may_have_100_columns_and_no_more() {
        let line = |columns: usize| format!("// {}\n", "ß".repeat(columns - 3));
        assert_eq!(found("a.rs", &line(100)), [""; 0]);
        let too_wide = found("a.rs", &format!("\n{}", line(101)));
        assert_eq!(too_wide, ["a.rs:2: 101 columns, 100 allowed; wrap it"]);
    }

    #[test]
    fn a_function_may_have_70_lines_and_no_more() {
        assert_eq!(found("a.rs", &function_of(70)), [""; 0]);
        let [finding] = <[String; 1]>::try_from(found("a.rs", &function_of(71))).unwrap();
        assert!(
            finding.starts_with("a.rs:1: function `f` has 71 lines, 70 allowed"),
            "{finding}"
        );
    }

    #[test]
    fn a_handler_may_have_40_lines_and_no_more() {
        let path = "crates/http-server/src/routes/airtime/purchase.rs";
        assert_eq!(found(path, &function_of(40)), [""; 0]);
        let [finding] = <[String; 1]>::try_from(found(path, &function_of(41))).unwrap();
        assert!(
            finding.contains(":1: handler `f` has 41 lines, 40 allowed"),
            "{finding}"
        );
    }

    #[test]
    fn a_test_beside_a_handler_is_not_a_handler() {
        let path = "crates/http-server/src/routes/airtime/purchase.rs";
        let tests = |lines| format!("#[cfg(test)]\nmod tests {{\n{}}}\n", function_of(lines));
        assert_eq!(found(path, &tests(70)), [""; 0]);
        assert_eq!(found(path, &tests(71)).len(), 1);
        assert_eq!(
            found(path, &format!("{}{}", function_of(41), tests(70))).len(),
            1
        );
    }

    #[test]
    fn a_file_may_have_400_lines_before_its_tests_and_no_more() {
        assert_eq!(
            found("a.rs", &format!("{}{}", file_of(400), tests_of(300))),
            [""; 0]
        );
        let [finding] =
            <[String; 1]>::try_from(found("a.rs", &format!("{}{}", file_of(401), tests_of(1))))
                .unwrap();
        assert!(
            finding.starts_with("a.rs:401: 401 lines, 400 allowed"),
            "{finding}"
        );
    }

    #[test]
    fn a_file_of_tests_may_have_600_lines_and_no_more() {
        for path in [
            "tests/tests/kill.rs",
            "crates/wire/tests/views.rs",
            "xtask/src/tests.rs",
        ] {
            assert_eq!(found(path, &file_of(600)), [""; 0], "{path}");
            assert_eq!(found(path, &file_of(601)).len(), 1, "{path}");
        }
        assert_eq!(found("crates/contests/src/a.rs", &file_of(401)).len(), 1);
    }
}
