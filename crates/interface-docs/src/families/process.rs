//! The process behind the interface. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily};
use crate::states::sample;
use wire::tree::Object;

pub(super) fn family() -> OperationFamily {
    let samples = vec![sample("alive", "The gateway answers.", Object::new())];
    let health = Operation::get("/healthz", "showHealth", "Ask whether the gateway answers")
        .for_anyone()
        .answers("Health", samples);
    OperationFamily {
        stem: "process",
        name: "Process",
        about: "For load balancers and monitors.",
        operations: vec![health],
    }
}
