//! Serves a provider over the provider protocol: whatever implements `ports::provider::Provider`
//! becomes a process of its own. It stores a reference before the provider acts on it, and must
//! never act on one twice.

mod answer;
mod attempts;
mod binding;
mod catalogue;
mod float;
mod grant;
mod http;
mod lookups;
mod references;
mod served;
mod tls;
mod undecided;

pub use attempts::UnknownAnswers;
pub use catalogue::ServedCatalogue;
pub use http::{ProviderServer, ServedKeys, ServerError, ServerSettings};
pub use references::{ReferenceStoreError, ReferenceSync};
pub use served::{ServedFloat, ServedLookups, ServedProvider};
pub use tls::{ServerIdentity, ServerIdentityError};
