//! `[[maintenance]]`: when an account at a provider is given nothing new. It must not decide what
//! becomes of an order then, only that every window is one.

use application::maintenance::{MaintenanceTime, MaintenanceWindow, WeeklyTime};
use domain::order::Service;
use domain::time::Timestamp;
use jiff::Timestamp as Moment;
use toml::Value;

use super::parse::{Parsed, scalar};
use super::problem::{Problem, ReadList, each};
use super::route;
use super::written_list::{ListForm, WrittenEntry};

/// The name of the section.
pub(super) const SECTION: &str = "maintenance";

const FORM: ListForm<5> = ListForm {
    section: SECTION,
    many: "windows",
    fields: ["provider", "product", "weekly", "from", "until"],
    // Each order looks at all of them.
    entries_max: 200,
    remedy: "remove those that are over",
    // A moment may be written with quotes or without.
    text: |value| {
        let moment = value.as_datetime().map(ToString::to_string);
        moment.or_else(|| scalar(value))
    },
};

/// A window as it was written.
pub(crate) type RawWindow = WrittenEntry<5>;

/// Takes in the value of `maintenance` in a file.
pub(super) fn read(value: Value) -> ReadList<RawWindow> {
    FORM.read(value)
}

/// The windows, in the order they were written.
pub(super) fn parse(
    raw: &[RawWindow],
    providers: &[&str],
) -> Result<Vec<MaintenanceWindow>, Vec<Problem>> {
    each(SECTION, raw, |raw| window(raw, providers))
}

fn window(raw: &RawWindow, providers: &[&str]) -> Parsed<MaintenanceWindow> {
    let provider = raw.get("provider").ok_or("`provider` is missing")?;
    let provider = route::provider(provider, providers).map_err(|it| format!("`provider` {it}"))?;
    let product = raw.get("product").map(|text| {
        let product = Service::from_code(text).filter(|product| product.has_provider());
        product.ok_or_else(|| format!("`product` \"{text}\" is not known"))
    });
    Ok(MaintenanceWindow {
        provider,
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
    use toml::Table;

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
