//! Our money at a provider, over the socket. The balance must be what was paid in less the costs
//! that were reported, and the statement must lead through every line once.

use crate::support::{PROFILE, ServedSandbox};
use domain::float::{StatedOutcome, StatementCursor, StatementPeriod};
use domain::money::Money;
use domain::percent::Percent;
use domain::provider::{AttemptDetails, SubmitOutcome};
use ports::clock::Clock as _;
use ports::provider::{AttemptQuery, Provider};
use provider_sim::{SandboxFloat, SimSettings};
use std::collections::BTreeSet;
use std::time::Duration;
use testkit::builders::{airtime, naira, submission};
use testkit::permit::FixedPermit;

async fn world() -> ServedSandbox {
    let float = SandboxFloat {
        paid_in: naira("100,000.00"),
        takes: Percent::parse("97").unwrap(),
    };
    let settings = SimSettings {
        float: Some(float),
        ..SimSettings::default()
    };
    ServedSandbox::of(PROFILE, settings).await
}

impl ServedSandbox {
    async fn buys(&self, under: &str, ending: &str) -> (SubmitOutcome, AttemptDetails) {
        let order = airtime().to(&format!("234803555{ending}")).order();
        let mut sent = submission(under, order);
        sent.not_after = self.clock.now().plus(Duration::from_mins(1));
        let answer = self.adapter.submit(&sent, &FixedPermit::granted()).await;
        (answer.outcome, answer.details)
    }

    async fn available(&self) -> Money {
        self.adapter.balance().await.unwrap().unwrap().available
    }

    fn period(&self) -> StatementPeriod {
        let now = self.clock.now();
        StatementPeriod {
            from: now,
            to: now.plus(Duration::from_hours(1)),
        }
    }
}

#[tokio::test]
async fn the_balance_falls_by_the_costs_that_were_reported_and_rises_with_a_reversal() {
    let world = world().await;
    assert_eq!(world.available().await, naira("100,000.00"));
    let (outcome, details) = world.buys("a.1.1", "4567").await;
    let SubmitOutcome::Delivered(receipt) = outcome else {
        panic!("{outcome:?}");
    };
    let cost = Percent::parse("97").unwrap().of(receipt.amount);
    assert_eq!(details.cost, cost);
    let left = naira("100,000.00").checked_sub(cost.unwrap()).unwrap();
    assert_eq!(world.available().await, left);
    // Refused, and taken back later: neither costs anything in the end.
    world.buys("a.2.1", "0001").await;
    assert_eq!(world.available().await, left);
    world.buys("a.3.1", "0009").await;
    assert!(world.available().await.minor() < left.minor());
    world.clock.jump(Duration::from_secs(10));
    assert_eq!(world.available().await, left);
    let asked = AttemptQuery::by(&receipt.reference);
    let found = world.adapter.query(&asked).await;
    assert_eq!(found.details.cost, cost, "a query reports it as well");
}

#[tokio::test]
async fn the_statement_leads_through_every_line_of_the_period_once() {
    let world = world().await;
    let period = world.period();
    let mut bought = BTreeSet::new();
    for number in 0..60 {
        let (name, ending) = (format!("a.{number}.1"), format!("{:04}", 5_000 + number));
        world.buys(&name, &ending).await;
        bought.insert(name);
    }
    let mut after: Option<StatementCursor> = None;
    let (mut seen, mut pages) = (BTreeSet::new(), 0);
    loop {
        let page = world.adapter.statement(period, after.as_ref()).await;
        let page = page.unwrap().unwrap();
        pages += 1;
        for line in page.lines {
            assert_eq!(line.outcome, StatedOutcome::Delivered);
            assert!(line.cost.is_some());
            assert!(seen.insert(line.reference.unwrap().to_string()), "twice");
        }
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!((seen, pages), (bought, 2));
    world.clock.jump(Duration::from_hours(2));
    let later = world.adapter.statement(world.period(), None).await;
    assert_eq!(later.unwrap().unwrap().lines, []);
    let foreign = StatementCursor::parse("nowhere").unwrap();
    let refused = world.adapter.statement(period, Some(&foreign)).await;
    assert!(refused.is_err(), "{refused:?}");
}

#[tokio::test]
async fn what_is_not_offered_is_none_and_reports_no_costs() {
    let world = ServedSandbox::start().await;
    assert_eq!(world.adapter.balance().await.unwrap(), None);
    let period = world.period();
    assert_eq!(world.adapter.statement(period, None).await.unwrap(), None);
    let (_, details) = world.buys("a.1.1", "4567").await;
    assert!(details.is_empty());
}
