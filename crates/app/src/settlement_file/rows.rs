//! The rows of a settlement file, one at a time, folded by reference. One row that cannot be read
//! must end the reading: half a file is no evidence.

use super::bounded::{BoundedFile, Digest};
use super::columns::SettlementColumns;
use super::moment::SettlementPeriod;
use super::{amount, moment};
use crate::provider_reconciliation::{Fact, Judged};
use anyhow::{Context as _, anyhow};
use csv::StringRecord;
use domain::money::Money;
use domain::text::{self, Breaks};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};

/// Most rows of a file: a day of a large gateway. Each reference is kept until the end, about 200
/// bytes each.
const ROWS_MAX: u64 = 500_000;

/// Longest reference, in characters: what is longer is another column.
const REFERENCE_MAX: usize = 200;

/// Rows between two reports of the progress.
const PROGRESS_EVERY: u64 = 100_000;

/// The byte order mark that some programs write before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What a file says of one reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FoldedRow {
    /// The line that decided.
    pub(super) line: u64,
    pub(super) fact: Fact,
    pub(super) amount: Money,
    /// What was taken for it, where the file says so.
    pub(super) cost: Option<Money>,
    /// How many rows say that it was delivered.
    pub(super) deliveries: u64,
}

/// A whole file.
#[derive(Debug)]
pub(crate) struct SettlementRows {
    pub(super) by_reference: BTreeMap<String, FoldedRow>,
    /// Whether the references are what the provider calls its attempts.
    pub(super) by_provider_id: bool,
    pub(crate) rows: u64,
    /// From the first moment in the file to the last.
    pub(crate) period: Option<SettlementPeriod>,
    pub(crate) digest: Digest,
}

impl SettlementRows {
    pub(crate) fn references(&self) -> usize {
        self.by_reference.len()
    }
}

/// Reads a file to its end; `progress` is called now and then with the number of rows.
///
/// # Errors
/// Names the line and the column of the first row that cannot be read.
pub(crate) fn read(
    file: impl Read,
    columns: &SettlementColumns,
    mut progress: impl FnMut(u64),
) -> anyhow::Result<SettlementRows> {
    let mut file = BufReader::new(BoundedFile::new(file));
    skip(&mut file, columns.skip_lines)?;
    let mut builder = csv::ReaderBuilder::new();
    builder.delimiter(u8::try_from(columns.delimiter).unwrap_or(b','));
    let mut reader = builder.trim(csv::Trim::All).from_reader(file);
    let skipped = u64::from(columns.skip_lines);
    let headers = reader.headers().map_err(|why| unread(&why, skipped))?;
    let places = Places::of(headers, columns)?;
    let mut by_reference = BTreeMap::new();
    let (mut rows, mut period) = (0_u64, None::<SettlementPeriod>);
    let mut record = StringRecord::new();
    while reader
        .read_record(&mut record)
        .map_err(|why| unread(&why, skipped))?
    {
        rows = rows.saturating_add(1);
        if rows > ROWS_MAX {
            return Err(anyhow!("it has more than {ROWS_MAX} rows; split it by day"));
        }
        let line = record.position().map_or(rows, csv::Position::line);
        let line = line.saturating_add(skipped);
        let row = places.row(&record, columns);
        let row = row.with_context(|| format!("line {line} cannot be used"))?;
        period = match (period, row.period) {
            (Some(before), Some(now)) => Some(before.joined(now)),
            (before, now) => before.or(now),
        };
        fold(&mut by_reference, line, row);
        if rows.is_multiple_of(PROGRESS_EVERY) {
            progress(rows);
        }
    }
    if rows == 0 {
        return Err(anyhow!(
            "it holds no rows below the names of the columns; give the whole file"
        ));
    }
    Ok(SettlementRows {
        by_reference,
        by_provider_id: columns.by_provider_id(),
        rows,
        period,
        digest: reader.into_inner().into_inner().digest(),
    })
}

/// Passes a byte order mark and the lines above the names of the columns.
fn skip(file: &mut impl BufRead, lines: u32) -> anyhow::Result<()> {
    let start = file.fill_buf().context("it cannot be read")?;
    if start.starts_with(BYTE_ORDER_MARK) {
        file.consume(BYTE_ORDER_MARK.len());
    }
    let mut line = Vec::new();
    for _ in 0..lines {
        line.clear();
        file.read_until(b'\n', &mut line)
            .context("it cannot be read")?;
    }
    Ok(())
}

/// Why a line is none of CSV, with the remedy.
fn unread(why: &csv::Error, skipped: u64) -> anyhow::Error {
    let line = |position: &Option<csv::Position>| {
        let line = position.as_ref().map_or(1, csv::Position::line);
        line.saturating_add(skipped)
    };
    if let csv::ErrorKind::UnequalLengths {
        pos,
        expected_len,
        len,
    } = why.kind()
    {
        return anyhow!(
            "line {} has {len} columns, and the line with the names has {expected_len}; correct \
             it, or delimiter or skip_lines in the columns",
            line(pos)
        );
    }
    if let csv::ErrorKind::Utf8 { pos, .. } = why.kind() {
        return anyhow!("line {} is not UTF-8; save the file as UTF-8", line(pos));
    }
    anyhow!("{why}")
}

/// Where the columns are.
struct Places {
    reference: usize,
    amount: usize,
    cost: Option<usize>,
    status: Option<usize>,
    date: Option<usize>,
}

/// One row.
struct Row {
    reference: String,
    fact: Fact,
    amount: Money,
    cost: Option<Money>,
    period: Option<SettlementPeriod>,
}

impl Places {
    fn of(headers: &StringRecord, columns: &SettlementColumns) -> anyhow::Result<Self> {
        let place = |name: &str| {
            let mut found = headers.iter().enumerate().filter(|(_, it)| *it == name);
            match (found.next(), found.next()) {
                (Some((place, _)), None) => Ok(place),
                (Some(_), Some(_)) => Err(anyhow!(
                    "there are two columns {name:?}; name the columns differently"
                )),
                (None, _) => Err(anyhow!(
                    "there is no column {name:?}, there is {}; correct the name, delimiter or \
                     skip_lines in the columns",
                    headers
                        .iter()
                        .map(|it| format!("{it:?}"))
                        .collect::<Vec<_>>()
                        .join(", ")
                )),
            }
        };
        Ok(Self {
            reference: place(columns.name())?,
            amount: place(&columns.amount)?,
            cost: columns.cost.as_deref().map(place).transpose()?,
            status: columns.status.as_deref().map(place).transpose()?,
            date: columns.date.as_deref().map(place).transpose()?,
        })
    }

    fn row(&self, record: &StringRecord, columns: &SettlementColumns) -> anyhow::Result<Row> {
        let field = |place: usize| record.get(place).unwrap_or_default();
        let column = |name: &str, why: String| anyhow!("column {name:?}: {why}");
        let reference = field(self.reference);
        let fits = (1..=REFERENCE_MAX).contains(&reference.chars().count());
        if !fits || text::check(reference, Breaks::Refused).is_err() {
            let why = format!(
                "a reference must be 1 to {REFERENCE_MAX} characters without control characters; \
                 take the row out, or correct its name in the columns"
            );
            return Err(column(columns.name(), why));
        }
        let amount = amount::parse(field(self.amount), columns);
        let amount = amount.map_err(|why| column(&columns.amount, why))?;
        let cost = columns.cost.as_deref().zip(self.cost);
        let cost = cost
            .filter(|(_, place)| !field(*place).is_empty())
            .map(|(name, place)| {
                amount::parse(field(place), columns).map_err(|why| column(name, why))
            });
        let status = columns.status.as_deref().zip(self.status);
        let fact = match status {
            Some((name, place)) => fact(field(place), columns).map_err(|why| column(name, why))?,
            None => Fact::Delivered,
        };
        let date = columns.date.as_deref().zip(self.date);
        let period = date.map(|(name, place)| {
            moment::parse(field(place), columns).map_err(|why| column(name, why))
        });
        Ok(Row {
            reference: reference.to_owned(),
            fact,
            amount,
            cost: cost.transpose()?,
            period: period.transpose()?,
        })
    }
}

fn fact(word: &str, columns: &SettlementColumns) -> Result<Fact, String> {
    let lists = [
        (&columns.delivered, Fact::Delivered),
        (&columns.failed, Fact::Refused),
        (&columns.reversed, Fact::Reversed(Judged::Overdue)),
        (&columns.pending, Fact::Awaited),
    ];
    let found = lists
        .into_iter()
        .find(|(words, _)| words.iter().any(|it| it == word));
    found.map(|(_, fact)| fact).ok_or_else(|| {
        format!(
            "{word:?} is in none of the lists; add it to delivered, failed, reversed or pending in \
             the columns"
        )
    })
}

/// A reference may have several rows, such as a delivery and its reversal: what happened last in
/// the life of an order is what counts.
fn fold(rows: &mut BTreeMap<String, FoldedRow>, line: u64, row: Row) {
    let delivers = u64::from(row.fact == Fact::Delivered);
    let new = FoldedRow {
        line,
        fact: row.fact,
        amount: row.amount,
        cost: row.cost,
        deliveries: delivers,
    };
    let kept = rows.entry(row.reference).or_insert(FoldedRow {
        deliveries: 0,
        ..new
    });
    let deliveries = kept.deliveries.saturating_add(delivers);
    if rank(new.fact) > rank(kept.fact) {
        *kept = new;
    }
    kept.deliveries = deliveries;
}

const fn rank(fact: Fact) -> u8 {
    match fact {
        Fact::Awaited => 0,
        Fact::Refused => 1,
        Fact::Delivered => 2,
        Fact::Reversed(_) => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::money::Currency;
    use proptest::prelude::*;

    const MAPPING: &str = "reference = \"Ref\"\namount = \"Amount\"\nstatus = \"State\"\n\
        delivered = [\"ok\"]\nfailed = [\"no\"]\nreversed = [\"back\"]\npending = [\"wait\"]\n\
        date = \"Day\"\ndate_format = \"%Y-%m-%d\"\n";

    fn columns(more: &str) -> SettlementColumns {
        SettlementColumns::parse(&format!("{MAPPING}{more}")).unwrap()
    }

    fn wrong(file: &[u8]) -> String {
        format!("{:#}", read(file, &columns(""), |_| ()).unwrap_err())
    }

    #[test]
    fn a_file_that_cannot_be_read_whole_names_line_column_and_remedy() {
        let head = "Ref,Amount,State,Day\n";
        for (rows, expected) in [
            ("", &["no rows"][..]),
            ("a,1.00,ok\n", &["line 2", "3 columns", "delimiter"]),
            (
                "a,1.00,ok,2026-01-01\nb,x,ok,2026-01-01\n",
                &["line 3", "\"Amount\"", "\"x\"", "correct it"],
            ),
            (
                "a,1.00,maybe,2026-01-01\n",
                &["line 2", "\"State\"", "\"maybe\"", "pending"],
            ),
            (
                "a,1.00,ok,01.01.2026\n",
                &["line 2", "\"Day\"", "date_format"],
            ),
            (",1.00,ok,2026-01-01\n", &["line 2", "\"Ref\"", "reference"]),
        ] {
            let wrong = wrong(format!("{head}{rows}").as_bytes());
            for part in expected {
                assert!(wrong.contains(part), "{rows:?}: {wrong}");
            }
        }
        assert!(wrong(b"Ref,Amount,State\n").contains("no column \"Day\""));
        assert!(wrong(b"Ref,Amount,State,Day\n\xff,1,ok,2026-01-01\n").contains("UTF-8"));
        let long = "x".repeat(70_000);
        assert!(wrong(format!("{head}{long}").as_bytes()).contains("one row per line"));
    }

    #[test]
    fn a_delivery_and_its_reversal_are_one_reference_and_two_deliveries_are_counted() {
        let file = "\u{feff}Exported by hand\nRef;Amount;State;Day\nb;2.00;back;2026-01-03\n\
                    b;2.00;ok;2026-01-02\nc;3.00;ok;2026-01-01\nc;3.00;ok;2026-01-01\n";
        let columns = columns("skip_lines = 1\ndelimiter = \";\"\n");
        let read = read(file.as_bytes(), &columns, |_| ()).unwrap();
        let (b, c) = (&read.by_reference["b"], &read.by_reference["c"]);
        assert_eq!((b.fact, b.line), (Fact::Reversed(Judged::Overdue), 3));
        assert_eq!((c.fact, c.deliveries, c.line), (Fact::Delivered, 2, 5));
        let period = read.period.unwrap();
        assert_eq!(period.from.to_string(), "2026-01-01T00:00:00Z");
        assert_eq!(period.until.to_string(), "2026-01-04T00:00:00Z");
        assert_eq!((read.rows, read.references()), (4, 2));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(
            rows in prop::collection::btree_map(
                "[A-Za-z0-9.,;:\"_-]{1,40}",
                (0_i64..10_000_000_000, 0_usize..4),
                1..40,
            )
        ) {
            let words = ["ok", "no", "back", "wait"];
            let mut writer = csv::Writer::from_writer(Vec::new());
            writer.write_record(["Day", "Ref", "other", "Amount", "State"]).unwrap();
            for (reference, (minor, word)) in &rows {
                let amount = format!("{}.{:02}", minor / 100, minor % 100);
                writer.write_record(["2026-01-01", reference, "x", &amount, words[*word]]).unwrap();
            }
            let file = writer.into_inner().unwrap();
            let read = read(&file[..], &columns(""), |_| ()).unwrap();
            prop_assert_eq!(read.references(), rows.len());
            for (reference, (minor, word)) in rows {
                let kept = read.by_reference[&reference];
                prop_assert_eq!(kept.amount, Money::from_minor(minor, Currency::Ngn));
                prop_assert_eq!(kept.fact, fact(words[word], &columns("")).unwrap());
            }
        }
    }
}
