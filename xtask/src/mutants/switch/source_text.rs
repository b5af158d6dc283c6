//! A source file with all its mutants in it, each behind its switch, and which part of the text is
//! whose. With no switch on it must do what the file does.
//!
//! The parts of an operator stay grouped as they are: `a + b * c` with `*` for `+` is
//! `a * (b * c)`.

use std::ops::Range;

use super::edits::{Edit, EditKind};

/// A part of the text that is there because of these mutants.
#[derive(Debug)]
pub(super) struct Region {
    pub(super) range: Range<usize>,
    pub(super) numbers: Vec<usize>,
    /// Whether it is what the mutant puts there, and not also what was there before.
    pub(super) own: bool,
}

#[derive(Debug)]
pub(super) struct SourceText {
    pub(super) text: String,
    pub(super) regions: Vec<Region>,
}

impl SourceText {
    /// The edits are in order, outer ones before those within.
    pub(super) fn new(source: &str, edits: &[Edit]) -> Self {
        let (text, regions) = (String::new(), Vec::new());
        let made = Self { text, regions };
        let mut writer = Writer { source, made };
        writer.part(&(0..source.len()), edits);
        writer.made
    }
}

struct Writer<'a> {
    source: &'a str,
    made: SourceText,
}

fn is_on(number: usize) -> String {
    format!("::mutant_switch::is_on({number})")
}

fn lies_in(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

impl Writer<'_> {
    fn write(&mut self, text: &str) {
        self.made.text.push_str(text);
    }

    /// Writes a part of the source with those of the edits that lie in it.
    fn part(&mut self, part: &Range<usize>, edits: &[Edit]) {
        let mut position = part.start;
        let mut rest = edits;
        while let [edit, after @ ..] = rest {
            rest = after;
            if edit.range.start < position || !lies_in(&edit.range, part) {
                continue;
            }
            let count = after
                .iter()
                .take_while(|inner| lies_in(&inner.range, &edit.range));
            let (inner, beyond) = after.split_at(count.count());
            self.copy(position..edit.range.start);
            self.edit(edit, inner);
            position = edit.range.end;
            rest = beyond;
        }
        self.copy(position..part.end);
    }

    fn copy(&mut self, range: Range<usize>) {
        self.write(self.source.get(range).unwrap_or_default());
    }

    /// Writes something that belongs to these mutants.
    fn region(&mut self, numbers: Vec<usize>, own: bool, write: impl FnOnce(&mut Self)) {
        let start = self.made.text.len();
        write(self);
        let range = start..self.made.text.len();
        self.made.regions.push(Region {
            range,
            numbers,
            own,
        });
    }

    fn edit(&mut self, edit: &Edit, inner: &[Edit]) {
        let range = &edit.range;
        match &edit.kind {
            EditKind::NoLongerConst => {}
            EditKind::Body(switches) => {
                for (number, replacement) in switches {
                    self.region(vec![*number], true, |out| {
                        out.write(&format!(
                            "if {} {{ return {replacement}; }} ",
                            is_on(*number)
                        ));
                    });
                }
                self.part(range, inner);
            }
            EditKind::Arm(number) => self.region(vec![*number], false, |out| {
                out.part(range, inner);
                out.write(&format!(" if !{}", is_on(*number)));
            }),
            EditKind::Guard { .. } => self.guard(edit, inner),
            EditKind::Binary { .. } => self.binary(&edit.kind, inner),
            EditKind::Unary(number, operand) => {
                self.choice(&[*number], |out, index| match index {
                    0 => out.part(operand, inner),
                    _ => out.part(range, inner),
                });
            }
            EditKind::Fields(switches) => {
                let numbers: Vec<_> = switches.iter().map(|(number, _)| *number).collect();
                self.choice(&numbers, |out, index| match switches.get(index) {
                    Some((_, field)) => {
                        out.part(&(range.start..field.start), inner);
                        out.part(&(field.end..range.end), inner);
                    }
                    None => out.part(range, inner),
                });
            }
        }
    }

    fn guard(&mut self, edit: &Edit, inner: &[Edit]) {
        let EditKind::Guard {
            always,
            never,
            with_let,
        } = &edit.kind
        else {
            return;
        };
        let numbers = always.iter().chain(never).copied().collect();
        let (open, close) = if *with_let { ("", "") } else { ("(", ")))") };
        self.region(numbers, false, |out| {
            out.write(open);
            if let Some(number) = always {
                out.write(&format!("{} || ", is_on(*number)));
            }
            out.write(open);
            if let Some(number) = never {
                out.write(&format!("!{} && ", is_on(*number)));
            }
            out.write(open);
            out.part(&edit.range, inner);
            out.write(close);
        });
    }

    fn binary(&mut self, kind: &EditKind, inner: &[Edit]) {
        let EditKind::Binary {
            left,
            operator,
            right,
            switches,
        } = kind
        else {
            return;
        };
        let present = self.source.get(operator.clone()).unwrap_or_default();
        let numbers: Vec<_> = switches.iter().map(|(number, _)| *number).collect();
        self.choice(&numbers, |out, index| {
            let replaced = switches.get(index).map(|(_, operator)| &**operator);
            out.write("(");
            out.part(left, inner);
            out.write(&format!(") {} (", replaced.unwrap_or(present)));
            out.part(right, inner);
            out.write(")");
        });
    }

    /// An expression: one for each switch by its index, and one where none is on.
    fn choice(&mut self, numbers: &[usize], write: impl Fn(&mut Self, usize)) {
        self.region(numbers.to_vec(), false, |out| {
            out.write("(");
            for (index, number) in numbers.iter().enumerate() {
                out.region(vec![*number], true, |out| {
                    out.write(&format!("if {} {{ (", is_on(*number)));
                    write(out, index);
                    out.write(") }");
                });
                out.write(" else ");
            }
            out.write("{ (");
            write(out, numbers.len());
            out.write(") })");
        });
    }
}
