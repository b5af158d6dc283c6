//! Webhooks (interface §6). Nothing here may deliver or sign anything.

pub(super) mod create;
pub(super) mod delete;
pub(super) mod deliveries;
pub(super) mod disable;
pub(super) mod enable;
pub(super) mod endpoints;
pub(super) mod events;
pub(super) mod replay;
pub(super) mod rotate;
pub(super) mod test;
