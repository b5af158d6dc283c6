//! The server that the tests take for DT One, on a port of this machine: for clients that others
//! wrote. It must not be used for anything else.

#[path = "../tests/adapter/fake.rs"]
#[expect(dead_code, reason = "tests use more of it")]
#[expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "it is the code of tests, which panic to fail"
)]
mod fake;

use std::time::Duration;

#[tokio::main]
async fn main() {
    let port = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let fake = fake::FakeDtone::start(port.unwrap_or_default()).await;
    #[expect(
        clippy::print_stdout,
        reason = "the client that starts it reads the port"
    )]
    {
        println!("{}", fake.port);
    }
    tokio::time::sleep(Duration::from_hours(1)).await;
}
