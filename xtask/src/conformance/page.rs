//! The table as people read it, taken apart: groups of rows, the tests each row cites, and where
//! those tests are. It must not look at anything but the text of the page.

/// Where the table is, relative to the root.
pub(super) const PATH: &str = "docs/CONFORMANCE.md";

/// The chapter whose operations and families the interface leaves to us.
const BEYOND: &str = "## Beyond the interface";

/// What a row begins its last cell with when no answer of ours can show it.
const NOT_ANSWERED: &str = "not answered:";

/// What a group says when its rows are about every operation.
const EVERYWHERE: &str = "every operation";

/// The row of an endpoint that is about what it answers.
const ANSWER: &str = "the answer";

const CELLS: usize = 3;

#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) groups: Vec<Group>,
    /// Every test there is a link to, whether it is cited or not.
    pub(super) tests: Vec<Link>,
    /// Operations the interface does not show, `GET /account/balance`.
    pub(super) beyond: Vec<String>,
    /// Lines that are not what they look like.
    pub(super) malformed: Vec<String>,
}

/// The rows under one heading.
#[derive(Debug)]
pub(super) struct Group {
    /// `2.5.1`.
    pub(super) id: String,
    pub(super) line: usize,
    /// The operations it is about, `POST /payment/cabletv`.
    pub(super) operations: Vec<String>,
    pub(super) everywhere: bool,
    pub(super) rows: Vec<PageRow>,
}

/// One row of the interface.
#[derive(Debug)]
pub(super) struct PageRow {
    pub(super) line: usize,
    /// The first cell, without back-ticks.
    pub(super) title: String,
    /// Whether the title stood in back-ticks: it is written so in requests or answers.
    pub(super) is_name: bool,
    pub(super) says: String,
    pub(super) answered: bool,
    /// The labels of the tests it cites.
    pub(super) cites: Vec<String>,
}

/// `[label]: ../crates/x/src/y.rs#the_name_of_the_test`.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) line: usize,
    pub(super) label: String,
    /// Relative to the root.
    pub(super) file: String,
    pub(super) function: String,
}

impl PageRow {
    pub(super) fn covered(&self) -> bool {
        !self.cites.is_empty()
    }

    /// The last part of a name such as `query.total`.
    pub(super) fn name(&self) -> Option<&str> {
        let last = self.title.rsplit('.').next();
        last.filter(|_| self.is_name)
    }

    /// The fields the answer of an operation is said to stand under, such as `banks`.
    pub(super) fn answers(&self) -> impl Iterator<Item = &str> {
        let code = self.says.split('`').skip(1).step_by(2);
        code.filter(|_| self.title == ANSWER)
    }
}

impl Group {
    /// `4.3` of `4.3.4`: what the interface numbers.
    pub(super) fn section(&self) -> &str {
        let mut dots = self.id.match_indices('.');
        let second = dots.nth(1);
        second.map_or(&*self.id, |(end, _)| self.id.get(..end).unwrap_or_default())
    }

    pub(super) fn is_about(&self, operation: &str) -> bool {
        self.everywhere || self.operations.iter().any(|known| known == operation)
    }
}

impl Page {
    pub(super) fn parse(text: &str) -> Self {
        let mut page = Self::default();
        let mut is_beyond = false;
        let mut table_lines = 0_usize;
        for (number, line) in (1_usize..).zip(text.lines()) {
            table_lines = if line.starts_with('|') {
                table_lines.saturating_add(1)
            } else {
                0
            };
            if line.starts_with("## ") {
                is_beyond = line == BEYOND;
            } else if let Some(heading) = line.strip_prefix("### ") {
                page.groups.push(Group::of(number, heading));
            } else if let Some(link) = Link::of(number, line) {
                page.tests.push(link);
            } else if is_beyond {
                page.beyond.extend(operations(line));
            } else if table_lines > 2 {
                page.take_row(number, line);
            } else if table_lines == 0 {
                page.take_prose(line);
            }
        }
        page
    }

    fn take_row(&mut self, number: usize, line: &str) {
        match (self.groups.last_mut(), PageRow::of(number, line)) {
            (Some(group), Some(row)) => group.rows.push(row),
            (None, _) => self
                .malformed
                .push(format!("{PATH}:{number}: no heading above this row")),
            (_, None) => {
                let message =
                    format!("{PATH}:{number}: a row has {CELLS} cells: what, rule, tests");
                self.malformed.push(message);
            }
        }
    }

    fn take_prose(&mut self, line: &str) {
        if let Some(group) = self.groups.last_mut().filter(|group| group.rows.is_empty()) {
            group.operations.extend(operations(line));
            group.everywhere |= line.contains(EVERYWHERE);
        }
    }
}

impl Group {
    fn of(line: usize, heading: &str) -> Self {
        let id = heading.split_whitespace().next().unwrap_or_default();
        Self {
            id: id.to_owned(),
            line,
            operations: operations(heading),
            everywhere: heading.contains(EVERYWHERE),
            rows: Vec::new(),
        }
    }
}

impl PageRow {
    fn of(line: usize, text: &str) -> Option<Self> {
        let inner = text.trim().strip_prefix('|')?.strip_suffix('|')?;
        let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
        let [title, says, cover] = <[&str; CELLS]>::try_from(cells).ok()?;
        let name = title
            .strip_prefix('`')
            .and_then(|rest| rest.strip_suffix('`'));
        let reason = cover.strip_prefix(NOT_ANSWERED);
        Some(Self {
            line,
            title: name.unwrap_or(title).to_owned(),
            is_name: name.is_some(),
            says: says.to_owned(),
            answered: reason.is_none(),
            cites: labels(reason.unwrap_or(cover)),
        })
    }
}

impl Link {
    fn of(line: usize, text: &str) -> Option<Self> {
        let (label, target) = text.strip_prefix('[')?.split_once("]: ")?;
        let (file, function) = target.trim().strip_prefix("../")?.split_once('#')?;
        Some(Self {
            line,
            label: label.to_owned(),
            file: file.to_owned(),
            function: function.to_owned(),
        })
    }
}

fn labels(cell: &str) -> Vec<String> {
    let opened = cell.split('[').skip(1);
    opened
        .filter_map(|rest| rest.split_once(']'))
        .map(|(label, _)| label.to_owned())
        .collect()
}

/// What stands in back-ticks and begins with a verb.
fn operations(line: &str) -> Vec<String> {
    let code = line.split('`').skip(1).step_by(2);
    code.filter(|code| code.starts_with("GET /") || code.starts_with("POST /"))
        .map(str::to_owned)
        .collect()
}
