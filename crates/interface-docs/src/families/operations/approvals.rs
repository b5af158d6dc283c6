//! What operators ask for over HTTP. It must not document what no sample shows.

use super::PAGE;
use crate::operation::{Operation, optional, required};
use crate::states::{Sample, lagos, sample};
use domain::family::Service;
use domain::operations::change_request::{
    CaseDecision, ChangeReason, ChangeRequest, ChangeRequestState, RequestedChange,
};
use domain::operations::maintenance::{AnnouncedMaintenance, MaintenanceScope};
use domain::operator::OperatorName;
use testkit::builders::{at, change_request, provider_id};
use wire::attribute::{
    APPROVAL_STATUS, BILLER, CASE, DECISION, FROM, MAINTENANCE_STATUS, PROVIDER_ENABLED,
    PROVIDER_NAME, REASON, SCOPE, SERVICE, UNTIL,
};
use wire::operations::approvals::{self, ApprovalsQuery, ShownRequest};
use wire::operations::maintenance::{self, ShownMaintenance};

const ASKED: &str = "It is asked for; another operator grants it with manilla approve.";

pub(super) fn ask_for_provider() -> Operation {
    Operation::post(
        "/operations/providers",
        "askForProvider",
        "Ask that a provider be paused, or resumed",
    )
    .detailed(
        "For operators. Nothing changes until an operator other than the one who asks grants it \
         with `manilla approve`, signed with that operator's own key, within 24 hours. What you \
         asked for before and still waits is answered instead of a second request; 20 of an \
         operator wait at most, and more are answered 409.",
    )
    .takes([
        required(&PROVIDER_NAME, "sandbox"),
        required(&PROVIDER_ENABLED, "false"),
        required(&REASON, "float is spent"),
    ])
    .answers("ChangeRequest", asked("provider-pause"))
    .refused(&[404, 409])
}

pub(super) fn ask_for_maintenance() -> Operation {
    let services: Vec<&'static str> = Service::delivered().map(Service::code).collect();
    Operation::post(
        "/operations/maintenance",
        "askForMaintenance",
        "Ask that maintenance be announced, or end before its time",
    )
    .detailed(
        "For operators, and granted as a pause is. From the first moment on nothing new is given \
             to the provider, of the service or of its biller; what is open is asked about as \
             before. It lasts 31 days at most. To end it before its time send the same scope and \
             moments with the status Ended.",
    )
    .takes([
        required(&SCOPE, "service").one_of(&MaintenanceScope::WORDS),
        optional(&PROVIDER_NAME),
        optional(&SERVICE).one_of(&services).such_as("electricity"),
        optional(&BILLER),
        required(&FROM, "2099-01-15T01:00:00+01:00"),
        required(&UNTIL, "2099-01-15T03:00:00+01:00"),
        required(&REASON, "new switch"),
        optional(&MAINTENANCE_STATUS).one_of(&["Announced", "Ended"]),
    ])
    .answers("ChangeRequest", asked("maintenance"))
    .refused(&[404, 409])
}

pub(super) fn ask_for_decision() -> Operation {
    Operation::post(
        "/operations/resolve",
        "askForDecision",
        "Ask that a case be decided",
    )
    .detailed(
        "For operators, and granted as a pause is: what is granted is what `manilla case \
         resolve` does. A review is delivered or declined, a reference delivered (what its \
         provider then says is booked), and a late delivery or a difference reversed once it was \
         made good. What was handed over, such as a token, is entered with `manilla approve`. \
         Whether the case still waits is looked up when it is granted: where it does not, nothing \
         is.",
    )
    .takes([
        required(&CASE, "review:mrc_MAMrSp2j3Z:order-7"),
        required(&DECISION, "declined").one_of(&CaseDecision::ALL.map(CaseDecision::word)),
        required(&REASON, "letter 2026-14"),
    ])
    .answers("ChangeRequest", asked("case-resolve"))
    .refused(&[409])
}

pub(super) fn list_approvals() -> Operation {
    let query = ApprovalsQuery {
        state: None,
        paging: PAGE,
    };
    let rows = approvals::listing(requests(), &lagos(), &query);
    let shown = approvals::page(&rows, &query);
    Operation::get(
        "/operations/approvals",
        "listChangeRequests",
        "List what operators asked for",
    )
    .detailed("For operators. The newest 1,000 requests, newest first.")
    .takes([optional(&APPROVAL_STATUS).one_of(&ChangeRequestState::WORDS)])
    .in_parts(&["aprDate"])
    .lists(
        "ChangeRequests",
        vec![sample("approvals", "What operators asked for.", shown)],
    )
}

pub(super) fn list_maintenance() -> Operation {
    let shown = |scope| ShownMaintenance {
        time: time(scope),
        by: "beta".to_owned(),
        reason: "new switch".to_owned(),
    };
    let rows = maintenance::listing(scopes().map(shown).to_vec(), &lagos());
    let fields = maintenance::view(&rows, &PAGE);
    Operation::get(
        "/operations/maintenance",
        "listMaintenance",
        "List what is announced to be away",
    )
    .detailed(
        "For operators. What was announced and is not over, in the order in which it begins; \
         windows of the configuration are not in it.",
    )
    .takes([])
    .in_parts(&["from"])
    .lists(
        "Maintenances",
        vec![sample(
            "maintenance",
            "What is announced to be away.",
            fields,
        )],
    )
}

fn scopes() -> [MaintenanceScope; 3] {
    let biller = MaintenanceScope::biller(Service::Electricity, "101");
    [
        MaintenanceScope::Provider(provider_id("vtpass")),
        MaintenanceScope::Service(Service::Electricity),
        biller.expect("a biller"),
    ]
}

fn time(scope: MaintenanceScope) -> AnnouncedMaintenance {
    let announced = AnnouncedMaintenance::announce(scope, (at(3_600), at(7_200)), at(0));
    announced.expect("a time")
}

/// One of each kind, in each state.
fn requests() -> Vec<ShownRequest> {
    let alpha = || OperatorName::parse("alpha").expect("a name");
    let beta = OperatorName::parse("beta").expect("a name");
    let [_, service, biller] = scopes();
    let case = "review:mrc_MAMrSp2j3Z:order-7".to_owned();
    let of = |number, change, state| ShownRequest {
        request: ChangeRequest {
            by: alpha(),
            at: at(60),
            change,
            reason: ChangeReason::parse("new switch").expect("a reason"),
            ..change_request(number)
        },
        state,
    };
    let resolve = RequestedChange::Resolve(case, CaseDecision::Declined);
    vec![
        of(5, resolve, ChangeRequestState::Required),
        of(
            4,
            RequestedChange::MaintenanceEnd(time(biller)),
            ChangeRequestState::Expired,
        ),
        of(
            3,
            RequestedChange::Maintenance(time(service)),
            ChangeRequestState::Refused(beta.clone()),
        ),
        of(
            2,
            RequestedChange::Resume(provider_id("vtpass")),
            ChangeRequestState::Granted(beta),
        ),
        of(
            1,
            RequestedChange::Pause(provider_id("vtpass")),
            ChangeRequestState::Required,
        ),
    ]
}

/// What each kind is answered with.
fn asked(kind: &'static str) -> Vec<Sample> {
    let of = |shown: &ShownRequest| {
        let sample = sample(kind, ASKED, approvals::view(shown, &lagos()));
        let sample = Sample {
            status: 202,
            ..sample
        };
        if shown.request.change.action() == kind {
            sample
        } else {
            sample.unseen()
        }
    };
    requests().iter().map(of).collect()
}
