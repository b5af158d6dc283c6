//! What each forced outcome must come to, as a table. It must not be computed: it is what the
//! interface promises.

use tests::answer::Answer;
use tests::books::Deed;
use tests::orders::Family::{self, Airtime, Electricity};
use tests::purchases::Purchase;

/// What a purchase is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answered {
    /// 200 with this final status.
    Now(&'static str),
    /// 202, `Pending`.
    Pending,
    /// An error with this status and service code: nothing is stored.
    Refused(u16, u64),
}

/// One row.
#[derive(Debug)]
pub(crate) struct Expected {
    pub(crate) family: Family,
    pub(crate) ending: &'static str,
    pub(crate) answered: Answered,
    /// `txnStatus` and `gtwStatus` of the report at the end; nothing where nothing is stored.
    pub(crate) end: Option<(&'static str, &'static str)>,
    pub(crate) deed: Deed,
}

const DELIVERED: Option<(&str, &str)> = Some(("Successful", "Delivered"));
const REJECTED: Option<(&str, &str)> = Some(("Failed", "Rejected"));
const ABSENT: Option<(&str, &str)> = Some(("Failed", "Unknown"));
const IN_REVIEW: Option<(&str, &str)> = Some(("Pending", "Unknown"));
const AWAITED: Option<(&str, &str)> = Some(("Pending", "Submitted"));
const REVERSED: Option<(&str, &str)> = Some(("Reversed", "Reversed"));

const SUCCESSFUL: Answered = Answered::Now("Successful");
const FAILED: Answered = Answered::Now("Failed");

pub(crate) static EXPECTED: &[Expected] = &[
    row(Airtime, "0000", (SUCCESSFUL, DELIVERED, Deed::Delivered)),
    row(Airtime, "0001", (FAILED, REJECTED, Deed::Nothing)),
    row(Airtime, "0002", (SUCCESSFUL, DELIVERED, Deed::Delivered)),
    row(Airtime, "0003", (SUCCESSFUL, DELIVERED, Deed::Delivered)),
    row(Airtime, "0004", (FAILED, ABSENT, Deed::Nothing)),
    row(Airtime, "0005", (SUCCESSFUL, DELIVERED, Deed::Delivered)),
    row(Airtime, "0006", (FAILED, ABSENT, Deed::Nothing)),
    row(
        Airtime,
        "0007",
        (Answered::Pending, DELIVERED, Deed::Delivered),
    ),
    row(
        Airtime,
        "0008",
        (Answered::Pending, IN_REVIEW, Deed::DeliveredOther),
    ),
    row(Airtime, "0009", (SUCCESSFUL, REVERSED, Deed::TakenBack)),
    row(
        Airtime,
        "0010",
        (Answered::Pending, AWAITED, Deed::Undecided),
    ),
    row(Airtime, "0011", (SUCCESSFUL, DELIVERED, Deed::Delivered)),
    row(Airtime, "0012", (FAILED, ABSENT, Deed::Nothing)),
    // A token cannot be late where there is none.
    row(Airtime, "0013", (SUCCESSFUL, DELIVERED, Deed::Delivered)),
    row(Airtime, "0014", (FAILED, REJECTED, Deed::Nothing)),
    row(
        Electricity,
        "0000",
        (SUCCESSFUL, DELIVERED, Deed::Delivered),
    ),
    row(Electricity, "0001", (FAILED, REJECTED, Deed::Nothing)),
    row(
        Electricity,
        "0002",
        (SUCCESSFUL, DELIVERED, Deed::Delivered),
    ),
    row(
        Electricity,
        "0003",
        (SUCCESSFUL, DELIVERED, Deed::Delivered),
    ),
    row(Electricity, "0004", (FAILED, ABSENT, Deed::Nothing)),
    row(
        Electricity,
        "0005",
        (SUCCESSFUL, DELIVERED, Deed::Delivered),
    ),
    row(Electricity, "0006", (FAILED, ABSENT, Deed::Nothing)),
    row(
        Electricity,
        "0007",
        (Answered::Pending, DELIVERED, Deed::Delivered),
    ),
    row(
        Electricity,
        "0008",
        (Answered::Pending, IN_REVIEW, Deed::DeliveredOther),
    ),
    row(Electricity, "0009", (SUCCESSFUL, REVERSED, Deed::TakenBack)),
    row(
        Electricity,
        "0010",
        (Answered::Pending, AWAITED, Deed::Undecided),
    ),
    row(
        Electricity,
        "0011",
        (SUCCESSFUL, DELIVERED, Deed::Delivered),
    ),
    // Meters are looked up before they are paid for: nothing is opened where that fails.
    row(
        Electricity,
        "0012",
        (Answered::Refused(503, 823), None, Deed::Nothing),
    ),
    row(
        Electricity,
        "0013",
        (SUCCESSFUL, DELIVERED, Deed::Delivered),
    ),
    row(
        Electricity,
        "0014",
        (Answered::Refused(404, 823), None, Deed::Nothing),
    ),
];

const fn row(
    family: Family,
    ending: &'static str,
    (answered, end, deed): (Answered, Option<(&'static str, &'static str)>, Deed),
) -> Expected {
    Expected {
        family,
        ending,
        answered,
        end,
        deed,
    }
}

impl Expected {
    /// The row of a family and ending.
    pub(crate) fn of(family: Family, ending: &str) -> &'static Self {
        let found = EXPECTED
            .iter()
            .find(|row| row.family == family && row.ending == ending);
        found.unwrap_or_else(|| panic!("nothing is expected of {family:?} {ending}"))
    }

    /// The answer to the purchase itself.
    pub(crate) fn check_answer(&self, purchase: &Purchase, answer: &Answer) {
        let what = &purchase.reference;
        let report = self.family.report(what);
        match self.answered {
            Answered::Now(status) => {
                assert_eq!(
                    (answer.status, &*answer.txn_status()),
                    (200, status),
                    "{what}"
                );
            }
            Answered::Pending => {
                assert_eq!(
                    (answer.status, &*answer.txn_status()),
                    (202, "Pending"),
                    "{what}"
                );
                assert_eq!(answer.header("location"), Some(&*report), "{what}");
            }
            Answered::Refused(status, service) => {
                assert_eq!(answer.status, status, "{what}: {answer:?}");
                assert_eq!(answer.json()["serviceCode"], service, "{what}: {answer:?}");
            }
        }
    }

    /// The types of the lines on the statement: what was set aside, and what came back.
    pub(crate) fn statement(&self) -> &'static [&'static str] {
        match self.end.map(|(status, _)| status) {
            None => &[],
            Some("Failed" | "Reversed") => &["Debit", "Credit"],
            Some(_) => &["Debit"],
        }
    }
}
