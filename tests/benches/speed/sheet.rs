//! The figures of a run: every value of every round, then the medians as a table for people or as
//! JSON for programs. It must take ratios within a round, where both sides had the same machine.

use crate::figures::{median, spread};
use serde_json::json;

/// One value of one round.
#[derive(Debug, Clone)]
pub(crate) struct SheetValue {
    pub(crate) name: String,
    pub(crate) amount: f64,
    pub(crate) unit: &'static str,
    /// What it is compared with, if anything.
    pub(crate) over: Option<Over>,
}

/// What a value is compared with.
#[derive(Debug, Clone)]
pub(crate) struct Over {
    pub(crate) ceiling: String,
    pub(crate) amount: f64,
}

impl SheetValue {
    pub(crate) fn new(name: impl Into<String>, amount: f64, unit: &'static str) -> Self {
        Self {
            name: name.into(),
            amount,
            unit,
            over: None,
        }
    }

    /// Compares it with a value of the same round.
    pub(crate) fn over(self, ceiling: &Self) -> Self {
        let over = Some(Over {
            ceiling: ceiling.name.clone(),
            amount: ceiling.amount,
        });
        Self { over, ..self }
    }
}

/// All values of a figure.
#[derive(Debug)]
struct Row {
    name: String,
    unit: &'static str,
    values: Vec<f64>,
    ratios: Vec<f64>,
    ceiling: Option<String>,
}

/// The figures of a run, in the order in which they were first measured.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    rows: Vec<Row>,
    notes: Vec<String>,
}

impl Sheet {
    /// Records a value and prints it.
    #[expect(
        clippy::print_stderr,
        reason = "standard output is for the figures alone"
    )]
    pub(crate) fn add(&mut self, value: &SheetValue) {
        let ratio = value.over.as_ref().map(|over| value.amount / over.amount);
        let compared = match (&value.over, ratio) {
            (Some(over), Some(ratio)) => format!(", {ratio:.2} of {}", over.ceiling),
            (None, _) | (_, None) => String::new(),
        };
        let (name, shown, unit) = (&value.name, number(value.amount), value.unit);
        eprintln!("{name}: {shown} {unit}{compared}");
        let row = self.row(value);
        row.values.push(value.amount);
        row.ratios.extend(ratio);
    }

    /// The last value of a figure.
    pub(crate) fn last(&self, name: &str) -> Option<f64> {
        let row = self.rows.iter().find(|row| row.name == name)?;
        row.values.last().copied()
    }

    /// Takes down what is no number.
    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    fn row(&mut self, value: &SheetValue) -> &mut Row {
        let known = self.rows.iter().position(|row| row.name == value.name);
        let place = known.unwrap_or(self.rows.len());
        if known.is_none() {
            self.rows.push(Row {
                name: value.name.clone(),
                unit: value.unit,
                values: Vec::new(),
                ratios: Vec::new(),
                ceiling: value.over.as_ref().map(|over| over.ceiling.clone()),
            });
        }
        // Panic safety: the place is of a row that was found, or of the one just added.
        #[expect(clippy::indexing_slicing, reason = "see above")]
        &mut self.rows[place]
    }

    /// Prints the medians.
    #[expect(
        clippy::print_stderr,
        reason = "standard output is for the figures alone"
    )]
    pub(crate) fn print(&self, form: Form) {
        match form {
            Form::Table => self.print_table(),
            Form::Json => {
                for row in &self.rows {
                    println!("{}", row.json());
                }
                for note in &self.notes {
                    eprintln!("{note}");
                }
            }
        }
    }

    fn print_table(&self) {
        println!("\n| figure | median | ratio | of | spread | rounds |");
        println!("|---|---|---|---|---|---|");
        for row in &self.rows {
            let ratio = row.ratio().map(|ratio| format!("{ratio:.2}"));
            println!(
                "| {} | {} {} | {} | {} | {:.0} % | {} |",
                row.name,
                number(median(&row.values)),
                row.unit,
                ratio.unwrap_or_default(),
                row.ceiling.as_deref().unwrap_or_default(),
                100.0 * spread(&row.values),
                row.values.len(),
            );
        }
        println!();
        for note in &self.notes {
            println!("{note}");
        }
    }
}

/// How figures are printed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    Table,
    /// One record a line.
    Json,
}

impl Row {
    /// The median of the ratios, not the ratio of the medians.
    fn ratio(&self) -> Option<f64> {
        (!self.ratios.is_empty()).then(|| median(&self.ratios))
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "name": self.name,
            "value": median(&self.values),
            "unit": self.unit,
            "ratio": self.ratio(),
            "ceiling": self.ceiling,
            "spread": spread(&self.values),
            "values": self.values,
        })
    }
}

/// Three digits or more: whole numbers where they are large.
fn number(value: f64) -> String {
    let digits = if value.abs() < 100.0 { 2 } else { 0 };
    format!("{value:.digits$}")
}
