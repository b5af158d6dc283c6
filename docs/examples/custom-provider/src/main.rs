//! A gateway with one more adapter. It must do nothing but register it and hand over.

mod adapter;

use std::process::ExitCode;

fn main() -> ExitCode {
    manilla::run(manilla::Registry::standard().register(adapter::ShopAdapter))
}
