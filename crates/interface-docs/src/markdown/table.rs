//! Tables of Markdown.

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row<const N: usize>([String; N]);

impl<const N: usize> From<[String; N]> for Row<N> {
    fn from(cells: [String; N]) -> Self {
        Self(cells)
    }
}

/// A table with a head.
pub(super) fn table<const N: usize>(head: [&str; N], rows: &[Row<N>]) -> String {
    let mut out = line(&head.map(str::to_owned));
    out.push_str(&line(&head.map(|_| "---".to_owned())));
    for Row(cells) in rows {
        out.push_str(&line(cells));
    }
    out
}

/// A line of a table; a bar within a cell is escaped, in code too.
fn line(cells: &[String]) -> String {
    let cells = cells.iter().map(|cell| cell.replace('|', "\\|"));
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_within_a_cell_does_not_end_it() {
        let row = Row::from(["`a|b`".to_owned(), String::new()]);
        assert_eq!(
            table(["values", "meaning"], &[row]),
            "| values | meaning |\n| --- | --- |\n| `a\\|b` |  |\n"
        );
    }
}
