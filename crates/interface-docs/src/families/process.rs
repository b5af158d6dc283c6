//! The process behind the interface. It must not promise what no sample shows.

use crate::operation::{Family, Operation};
use crate::states::sample;
use wire::tree::Object;

pub(super) fn family() -> Family {
    let samples = vec![sample("alive", "The gateway answers.", Object::new())];
    let health = Operation::get("/healthz", "showHealth", "Ask whether the gateway answers")
        .for_anyone()
        .answers("Health", samples);
    Family {
        stem: "process",
        name: "Process",
        about: "For load balancers and monitors.",
        operations: vec![health],
    }
}
