//! What each forced outcome must come to, as a table. It must say what the interface
//! promises, never what the gateway is found to do.

use std::sync::LazyLock;
use tests::answer::HttpAnswer;
use tests::orders::OrderFamily::{self, Bank, CableTv, Card, Electricity, Gas, MobileMoney};
use tests::provider_journal::ProviderAction;
use tests::purchases::TestPurchase;

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
    pub(crate) family: OrderFamily,
    pub(crate) ending: &'static str,
    pub(crate) answered: Answered,
    /// `txnStatus` and `gtwStatus` of the report at the end; nothing where nothing is stored.
    pub(crate) end: End,
    pub(crate) action: ProviderAction,
}

/// `txnStatus` and `gtwStatus`.
type End = Option<(&'static str, &'static str)>;

const DELIVERED: End = Some(("Successful", "Delivered"));
const REJECTED: End = Some(("Failed", "Rejected"));
const ABSENT: End = Some(("Failed", "Unknown"));
const IN_REVIEW: End = Some(("Pending", "Unknown"));
const AWAITED: End = Some(("Pending", "Submitted"));
const REVERSED: End = Some(("Reversed", "Reversed"));

const SUCCESSFUL: Answered = Answered::Now("Successful");
const FAILED: Answered = Answered::Now("Failed");

/// What every family does, by what the number, card, meter or account ends in.
const OF_EVERY_FAMILY: [(&str, Answered, End, ProviderAction); 15] = [
    ("0000", SUCCESSFUL, DELIVERED, ProviderAction::Delivered),
    ("0001", FAILED, REJECTED, ProviderAction::Nothing),
    ("0002", SUCCESSFUL, DELIVERED, ProviderAction::Delivered),
    ("0003", SUCCESSFUL, DELIVERED, ProviderAction::Delivered),
    ("0004", FAILED, ABSENT, ProviderAction::Nothing),
    ("0005", SUCCESSFUL, DELIVERED, ProviderAction::Delivered),
    ("0006", FAILED, ABSENT, ProviderAction::Nothing),
    (
        "0007",
        Answered::Pending,
        DELIVERED,
        ProviderAction::Delivered,
    ),
    (
        "0008",
        Answered::Pending,
        IN_REVIEW,
        ProviderAction::DeliveredOther,
    ),
    ("0009", SUCCESSFUL, REVERSED, ProviderAction::TakenBack),
    (
        "0010",
        Answered::Pending,
        AWAITED,
        ProviderAction::Undecided,
    ),
    ("0011", SUCCESSFUL, DELIVERED, ProviderAction::Delivered),
    ("0012", FAILED, ABSENT, ProviderAction::Nothing),
    // A token cannot be late where there is none.
    ("0013", SUCCESSFUL, DELIVERED, ProviderAction::Delivered),
    ("0014", FAILED, REJECTED, ProviderAction::Nothing),
];

/// What is looked up before it is paid for is refused where that fails: nothing is opened.
const LOOKED_UP: [(OrderFamily, &str, Answered); 12] = [
    (CableTv, "0012", Answered::Refused(503, 824)),
    (CableTv, "0014", Answered::Refused(404, 824)),
    (Electricity, "0012", Answered::Refused(503, 823)),
    (Electricity, "0014", Answered::Refused(404, 823)),
    (Gas, "0012", Answered::Refused(503, 823)),
    (Gas, "0014", Answered::Refused(404, 823)),
    (Bank, "0012", Answered::Refused(503, 842)),
    (Bank, "0014", Answered::Refused(404, 842)),
    (MobileMoney, "0012", Answered::Refused(503, 822)),
    (MobileMoney, "0014", Answered::Refused(404, 822)),
    (Card, "0012", Answered::Refused(503, 812)),
    (Card, "0014", Answered::Refused(404, 812)),
];

/// Silence, however long, never gives a payout back: a person decides.
const UNHEARD_PAYOUTS: [&str; 2] = ["0004", "0006"];

/// One row for each family and ending.
pub(crate) static EXPECTED: LazyLock<Vec<Expected>> = LazyLock::new(|| {
    let rows = |family: OrderFamily| OF_EVERY_FAMILY.map(|row| Expected::new(family, row));
    OrderFamily::ALL.into_iter().flat_map(rows).collect()
});

impl Expected {
    fn new(
        family: OrderFamily,
        (ending, answered, end, action): (&'static str, Answered, End, ProviderAction),
    ) -> Self {
        let looked_up = LOOKED_UP
            .iter()
            .find(|(of, at, _)| (*of, *at) == (family, ending));
        let (answered, end) = match looked_up {
            Some((_, _, refused)) => (*refused, None),
            None if family.waits_for_a_person() && UNHEARD_PAYOUTS.contains(&ending) => {
                (Answered::Pending, IN_REVIEW)
            }
            None => (answered, end),
        };
        Self {
            family,
            ending,
            answered,
            end,
            action,
        }
    }

    /// The row of a family and ending.
    pub(crate) fn of(family: OrderFamily, ending: &str) -> &'static Self {
        let found = EXPECTED
            .iter()
            .find(|row| row.family == family && row.ending == ending);
        found.unwrap_or_else(|| panic!("nothing is expected of {family:?} {ending}"))
    }

    /// The answer to the purchase itself.
    pub(crate) fn check_answer(&self, purchase: &TestPurchase, answer: &HttpAnswer) {
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
