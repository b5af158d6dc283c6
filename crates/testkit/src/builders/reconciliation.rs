//! What a person says of payments that were suspended. Nothing here may be more than one provider.

use super::provider_id;
use domain::reference::ProviderReference;
use ports::reconciliation::Acknowledgement;

/// An operator's word about the sandbox, with what only it knows.
pub fn vouched(missing: impl IntoIterator<Item = ProviderReference>) -> Acknowledgement {
    Acknowledgement {
        by: "Ngozi Eze".to_owned(),
        provider: provider_id("sandbox"),
        compared: 2,
        missing: missing.into_iter().map(Into::into).collect(),
        wanted: Vec::new(),
    }
}
