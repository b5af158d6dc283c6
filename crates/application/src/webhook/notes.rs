//! What is recorded of changes of endpoints. The address of one is confidential and must not be in
//! it.

use crate::account_changes::{ChangeNote, Described};
use domain::account_change::ChangeAction;
use domain::webhook::{Endpoint, EndpointId, Topic, Topics};
use ports::webhooks::EndpointChange;

/// An endpoint that is registered.
pub(super) fn registration(endpoint: &Endpoint) -> ChangeNote {
    let topics = match &endpoint.topics {
        Topics::All => "all".to_owned(),
        Topics::Only(topics) => {
            let words: Vec<_> = topics.iter().copied().map(Topic::code).collect();
            words.join(", ")
        }
    };
    of(ChangeAction::WebhookRegistered, endpoint.id).to(Described::of("topics", topics))
}

/// An endpoint that gets its next secret, or is served or not from now on.
pub(super) fn change(id: EndpointId, change: EndpointChange) -> ChangeNote {
    match change {
        EndpointChange::Rotate(..) => of(ChangeAction::WebhookSecretRotated, id),
        EndpointChange::Disable(because, _) => of(ChangeAction::WebhookDisabled, id)
            .from(Some(Described::of("status", "enabled")))
            .to(Described::of("status", "disabled").with("because", because.code())),
        EndpointChange::Enable(_) => of(ChangeAction::WebhookEnabled, id)
            .from(Some(Described::of("status", "disabled")))
            .to(Described::of("status", "enabled")),
    }
}

/// An endpoint that is removed.
pub(super) fn removal(id: EndpointId) -> ChangeNote {
    of(ChangeAction::WebhookRemoved, id)
}

fn of(action: ChangeAction, id: EndpointId) -> ChangeNote {
    ChangeNote::new(action, format!("webhook {}", id.get()))
}
