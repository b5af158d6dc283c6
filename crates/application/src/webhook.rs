//! Webhooks: what an account's endpoints need of the gateway. Nothing here may deliver.

mod secrets;

pub use secrets::DerivedSecrets;
