//! The rules of looking up an address: who is asked, and for how long.

use crate::support::World;
use application::Gateway;
use application::settings::Settings;
use domain::geolocation::{Address, Location};
use mockall::predicate::eq;
use ports::geolocation::ReverseNames;
use std::sync::Arc;
use std::time::Duration;
use testkit::geolocation::{KNOWN, TestNames, location};

mockall::mock! {
    #[derive(Debug)]
    Names {}

    #[async_trait::async_trait]
    impl ReverseNames for Names {
        async fn name(&self, address: Address) -> Option<String>;
        async fn address(&self, name: &str, address: Address) -> Option<Address>;
        async fn system(&self, number: u32) -> Option<String>;
    }
}

fn asking(world: &World, names: impl ReverseNames + 'static) -> Gateway {
    world.gateway_with(|parts| parts.reverse_names = Arc::new(names))
}

fn address(text: &str) -> Address {
    Address::parse(text).unwrap()
}

#[tokio::test]
async fn a_public_address_is_located_and_named() {
    let world = World::new().await;
    let mut names = MockNames::new();
    let known = address(KNOWN);
    let name = names.expect_name().times(1).with(eq(known));
    name.return_const("dns.example".to_owned());
    let back = names.expect_address().times(1);
    back.with(eq("dns.example"), eq(known)).return_const(known);
    names.expect_system().return_const(None);
    let found = asking(&world, names).locate(address(KNOWN)).await;
    assert_eq!(found.address, address(KNOWN));
    assert_eq!(found.location, location());
    assert_eq!(found.name.as_deref(), Some("dns.example"));
}

#[tokio::test]
async fn a_special_purpose_address_is_not_looked_up() {
    let world = World::new().await;
    // Any call of it panics.
    let gateway = asking(&world, MockNames::new());
    for text in [
        "10.0.0.1",
        "127.0.0.1",
        "169.254.169.254",
        "::1",
        "fd00::1",
        "224.0.0.1",
    ] {
        let found = gateway.locate(address(text)).await;
        assert_eq!(found.location, Location::default(), "{text}");
        assert_eq!(found.name, None, "{text}");
    }
}

#[tokio::test]
async fn a_name_that_is_not_resolved_in_time_is_not_waited_for() {
    let world = World::new().await;
    let gateway = asking(&world, TestNames::Silent);
    let mut asked = Box::pin(gateway.locate(address(KNOWN)));
    let instant = Duration::from_millis(1);
    let almost = Settings::default()
        .reverse_dns_deadline
        .saturating_sub(instant);
    tokio::select! {
        _ = &mut asked => panic!("it was waited for less than promised"),
        () = world.clock.advance(almost) => {}
    }
    let (found, ()) = tokio::join!(asked, world.clock.advance(instant));
    assert_eq!(found.location, location(), "the rest is known all the same");
    assert_eq!(found.name, None);
}
