//! `[[maintenance]]`: when an account at a provider is given nothing new. It must not decide what
//! becomes of an order then, only that every window is one.

use application::maintenance::{MaintenanceTime, MaintenanceWindow, WeeklyTime};
use domain::order::Service;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use jiff::Timestamp as Moment;
use toml::{Table, Value};

use super::nearest::nearest;
use super::parse::{Parsed, scalar};
use super::problem::{Problem, ReadList};

/// The name of the section.
pub(super) const SECTION: &str = "maintenance";

const FIELDS: [&str; 5] = ["provider", "product", "weekly", "from", "until"];

/// Most windows: each order looks at all of them.
const WINDOWS_MAX: usize = 200;

/// A window as it was written: the text of each field that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawWindow([Option<String>; FIELDS.len()]);

impl RawWindow {
    fn get(&self, field: &str) -> Option<&str> {
        let at = FIELDS.iter().position(|it| *it == field)?;
        self.0.get(at)?.as_deref()
    }

    /// The window in one line, for showing.
    pub(super) fn summary(&self) -> String {
        let fields = FIELDS.into_iter().zip(&self.0);
        let given = fields.filter_map(|(field, text)| Some(format!("{field} {}", text.as_ref()?)));
        given.collect::<Vec<_>>().join(", ")
    }
}

/// Takes in the value of `maintenance` in a file.
pub(super) fn read(value: Value) -> ReadList<RawWindow> {
    let mut list = ReadList::default();
    let Value::Array(windows) = value else {
        list.problem("`maintenance` is a list: write [[maintenance]]".to_owned());
        return list;
    };
    if windows.len() > WINDOWS_MAX {
        let count = windows.len();
        list.problem(format!(
            "`maintenance`: there are {count} windows, and {WINDOWS_MAX} at most; remove those \
             that are over"
        ));
        return list;
    }
    for (index, window) in (1_usize..).zip(windows) {
        if let Value::Table(table) = window {
            read_one(&mut list, index, table);
        } else {
            list.problem(format!(
                "maintenance {index} must be a table: write [[maintenance]]"
            ));
        }
    }
    list
}

fn read_one(list: &mut ReadList<RawWindow>, index: usize, mut table: Table) {
    let mut problems = Vec::new();
    let fields = FIELDS.map(|field| {
        // A moment may be written with quotes or without.
        let value = table.remove(field)?;
        let moment = value.as_datetime().map(ToString::to_string);
        let text = moment.or_else(|| scalar(value));
        if text.is_none() {
            problems.push(format!(
                "maintenance {index}: `{field}` must be a single value"
            ));
        }
        text
    });
    for (name, _) in table {
        let meant = nearest(&name, FIELDS)
            .map(|meant| format!("; did you mean `{meant}`?"))
            .unwrap_or_default();
        problems.push(format!("maintenance {index}: `{name}` is not known{meant}"));
    }
    for problem in problems {
        list.problem(problem);
    }
    list.entries.push(RawWindow(fields));
}

/// The windows, in the order they were written.
pub(super) fn parse(
    raw: &[RawWindow],
    providers: &[&str],
) -> Result<Vec<MaintenanceWindow>, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut windows = Vec::new();
    for (index, raw) in (1_usize..).zip(raw) {
        match window(raw, providers) {
            Ok(window) => windows.push(window),
            Err(wrong) => problems.push(Problem(format!("maintenance {index}: {wrong}"))),
        }
    }
    if problems.is_empty() {
        Ok(windows)
    } else {
        Err(problems)
    }
}

fn window(raw: &RawWindow, providers: &[&str]) -> Parsed<MaintenanceWindow> {
    let provider = raw.get("provider").ok_or("`provider` is missing")?;
    if !providers.contains(&provider) {
        let known = providers.join(", ");
        let hint = match nearest(provider, providers.iter().copied()) {
            Some(meant) => format!("did you mean \"{meant}\"?"),
            None => format!("there is {known}"),
        };
        return Err(format!(
            "`provider` \"{provider}\" is not the name of a [provider.NAME]; {hint}"
        ));
    }
    let product = raw.get("product").map(|text| {
        Service::from_code(text).ok_or_else(|| format!("`product` \"{text}\" is not known"))
    });
    Ok(MaintenanceWindow {
        provider: ProviderId::parse(provider).map_err(|error| error.to_string())?,
        product: product.transpose()?,
        time: time(raw)?,
    })
}

fn time(raw: &RawWindow) -> Parsed<MaintenanceTime> {
    match (raw.get("weekly"), raw.get("from"), raw.get("until")) {
        (Some(weekly), None, None) => {
            let time = WeeklyTime::parse(weekly);
            let time = time.map_err(|error| format!("`weekly` {error}, not \"{weekly}\""))?;
            Ok(MaintenanceTime::Weekly(time))
        }
        (None, Some(from), Some(until)) => {
            let (from, until) = (moment("from", from)?, moment("until", until)?);
            if from >= until {
                return Err("`until` must be after `from`".to_owned());
            }
            Ok(MaintenanceTime::Once(from, until))
        }
        _ => Err("needs either `weekly`, or `from` and `until`".to_owned()),
    }
}

fn moment(field: &str, text: &str) -> Parsed<Timestamp> {
    let moment: Moment = text.parse().map_err(|_| {
        format!(
            "`{field}` must be a moment of RFC 3339 with its offset, such as \
             2027-01-31T22:00:00+01:00, not \"{text}\""
        )
    })?;
    Ok(Timestamp::from_millis(moment.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Vec<MaintenanceWindow>, Vec<String>> {
        let mut table: Table = text.parse().unwrap();
        let list = read(table.remove(SECTION).unwrap());
        let mut problems = list.problems;
        let windows = parse(&list.entries, &["sandbox", "shop"]);
        problems.extend(windows.as_ref().err().into_iter().flatten().cloned());
        if problems.is_empty() {
            return Ok(windows.unwrap());
        }
        Err(problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn both_forms_are_read_and_a_moment_needs_no_quotes() {
        let windows = parsed(
            "[[maintenance]]\nprovider = \"shop\"\nweekly = \"Sun 01:00-03:00 +01:00\"\n\
             [[maintenance]]\nprovider = \"sandbox\"\nproduct = \"sms\"\n\
             from = 2027-01-31T22:00:00+01:00\nuntil = \"2027-01-31T22:00:00Z\"\n",
        )
        .unwrap();
        let weekly = WeeklyTime::parse("Sun 01:00-03:00 +01:00").unwrap();
        assert_eq!(windows[0].time, MaintenanceTime::Weekly(weekly));
        assert_eq!(windows[1].product, Some(Service::Sms));
        let MaintenanceTime::Once(from, until) = windows[1].time else {
            panic!("{:?}", windows[1]);
        };
        assert_eq!(until.since(from).as_secs(), 3_600);
    }

    #[test]
    fn every_mistake_is_named_with_its_window() {
        let check = |fields: &str, said: &str| {
            let problems = parsed(&format!("[[maintenance]]\n{fields}")).unwrap_err();
            assert!(problems.join("\n").contains(said), "{fields}: {problems:?}");
        };
        check("weekly = \"Sun 01:00-03:00\"", "1: `provider` is missing");
        check(
            "provider = \"shpo\"\nweekly = \"Sun 01:00-03:00\"",
            "\"shop\"?",
        );
        check("provider = \"shop\"", "needs either `weekly`");
        check(
            "provider = \"shop\"\nweekly = \"daily\"",
            "`weekly` must be a day",
        );
        check(
            "provider = \"shop\"\nwekly = \"x\"",
            "did you mean `weekly`?",
        );
        let backwards = "from = \"2027-01-02T00:00:00Z\"\nuntil = \"2027-01-01T00:00:00Z\"";
        check(&format!("provider = \"shop\"\n{backwards}"), "after `from`");
        let local = "from = \"2027-01-01T00:00:00\"\nuntil = \"2027-01-02T00:00:00Z\"";
        check(&format!("provider = \"shop\"\n{local}"), "RFC 3339");
    }
}
