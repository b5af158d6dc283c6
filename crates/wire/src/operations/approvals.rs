//! `GET /operations/approvals`: what operators asked for over HTTP. It must be shown to operators
//! alone.

use super::maintenance::scope_fields;
use super::{Placed, placed};
use crate::attribute::{self, Attribute};
use crate::attributes::Attributes;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::operations::change_request::{
    CaseDecision, ChangeRequest, ChangeRequestState, RequestedChange,
};
use domain::operations::maintenance::AnnouncedMaintenance;
use domain::operator::OperatorName;

/// A request of an operator, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownRequest {
    /// What was asked for.
    pub request: ChangeRequest,
    /// What became of it.
    pub state: ChangeRequestState,
}

const LAYOUT: Layout<Placed<ShownRequest>> = Layout {
    path: "/operations/approvals",
    plural: "changeRequests",
    singular: "changeRequest",
    orders: &[ListingOrder {
        word: "aprDate",
        compare: |one, other| one.place.cmp(&other.place),
    }],
    entry: |row| view(&row.shown, &row.zone),
};

/// The requests that are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalsQuery {
    /// The word of the one state; without it, all of them.
    pub state: Option<&'static str>,
    pub paging: Paging<OrderWord>,
}

/// Reads which requests are asked for.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<ApprovalsQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let words = ChangeRequestState::WORDS.map(|word| (word, word));
    let state = reader.choice(&attribute::APPROVAL_STATUS, &words);
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| {
        Ok(ApprovalsQuery {
            state: state?,
            paging: paging?,
        })
    })
}

/// Those that are asked for, newest first.
pub fn listing(
    found: Vec<ShownRequest>,
    zone: &Zone,
    query: &ApprovalsQuery,
) -> Listing<Placed<ShownRequest>> {
    let mut rows = placed(found, zone);
    let is_asked = |state: &ChangeRequestState| query.state.is_none_or(|it| it == state.word());
    rows.found.retain(|row| is_asked(&row.shown.state));
    rows
}

/// A page of them.
pub fn page(rows: &Listing<Placed<ShownRequest>>, query: &ApprovalsQuery) -> Object {
    LAYOUT.view(rows, &query.paging)
}

/// The `Link` header of the answer.
pub fn link_header(rows: &Listing<Placed<ShownRequest>>, query: &ApprovalsQuery) -> String {
    let filter = query
        .state
        .map(|word| (&attribute::APPROVAL_STATUS, word.to_owned()));
    let filters: Vec<(&Attribute, String)> = filter.into_iter().collect();
    LAYOUT.link_header((rows, &query.paging), &filters)
}

/// One request.
pub fn view(shown: &ShownRequest, zone: &Zone) -> Object {
    let ShownRequest { request, state } = shown;
    let (case, decision) = match &request.change {
        RequestedChange::Resolve(case, decision) => (Some(case.as_str()), Some(*decision)),
        RequestedChange::Pause(_)
        | RequestedChange::Resume(_)
        | RequestedChange::Maintenance(_)
        | RequestedChange::MaintenanceEnd(_) => (None, None),
    };
    let time = match &request.change {
        RequestedChange::Maintenance(time) | RequestedChange::MaintenanceEnd(time) => Some(time),
        RequestedChange::Pause(_) | RequestedChange::Resume(_) | RequestedChange::Resolve(..) => {
            None
        }
    };
    let paused = match &request.change {
        RequestedChange::Pause(provider) | RequestedChange::Resume(provider) => Some(provider),
        RequestedChange::Maintenance(_)
        | RequestedChange::MaintenanceEnd(_)
        | RequestedChange::Resolve(..) => None,
    };
    let fields = Object::new()
        .with("aprIdentifier", request.number)
        .with("aprStatus", state.word())
        .with("aprAction", request.change.action())
        .with("aprAskedBy", request.by.as_str())
        .with("aprDecidedBy", state.decided_by().map(OperatorName::as_str))
        .with("aprDate", zone.date_time(request.at))
        .with("aprExpires", zone.date_time(request.expires_at()))
        .with("reason", request.reason.as_str());
    scope_fields(fields, time.map(AnnouncedMaintenance::scope), paused)
        .with("from", time.map(|it| zone.date_time(it.from())))
        .with("until", time.map(|it| zone.date_time(it.until())))
        .with("caseIdentifier", case)
        .with("decision", decision.map(CaseDecision::word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, query};
    use testkit::builders::change_request;

    #[test]
    fn one_state_is_asked_for() {
        let read = |text| parse(&query(text), Handling::Strict);
        let open = read("aprStatus=required").unwrap();
        assert_eq!(open.state, Some("Required"));
        let shown = |state| ShownRequest {
            request: change_request(1),
            state,
        };
        let all = vec![
            shown(ChangeRequestState::Expired),
            shown(ChangeRequestState::Required),
        ];
        let rows = listing(all, &lagos(), &open);
        assert_eq!(rows.found.len(), 1);
        let refused = faults(read("aprStatus=x&length=0"));
        assert!(
            refused.contains("aprStatus: must be Required or Granted"),
            "{refused}"
        );
    }
}
