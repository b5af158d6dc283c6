//! Tools for developers. It must not document what no sample shows.

mod checks;
mod fees;
mod lists;
mod sandbox;

use crate::operation::OperationFamily;

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "tools",
        name: "Tools",
        about: "Ask what a product costs before it is ordered, check numbers, messages and \
                signatures, and try the sandbox.",
        operations: vec![
            fees::fees(),
            checks::segments(),
            checks::number(),
            checks::signature(),
            sandbox::numbers(),
            sandbox::simulate(),
            lists::countries(),
            lists::currencies(),
            lists::timezones(),
        ],
    }
}
