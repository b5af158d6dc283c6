//! Events at the endpoints of merchants: the real binary delivers to receivers of this machine. A
//! suite must believe nothing that is not signed.
#![cfg(test)]

mod addresses;
mod caller;
mod examples;
mod installation_secrets;
mod kills;
mod messages;
mod money;
mod notifying;
mod order;
mod receiver;
mod rotation;
mod secrets;
mod several_instances;
mod shop;
