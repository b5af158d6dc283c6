//! Every family under every ending: one table says what each forces, and no family may be an
//! exception that the table does not show.

use crate::support::{LATER, SandboxWorld, order_of};
use domain::order::{Order, Service};
use domain::provider::{QueryOutcome, SubmitOutcome, UnknownCause};
use provider_sim::journal::EntryEffect;
use testkit::builders::{provider_code, submission};
use testkit::permit::FixedPermit;

/// What an answer or a finding comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FamilyAnswer {
    Yes,
    /// Yes, to another amount.
    Other,
    /// Yes, and something is missing.
    Half,
    No,
    NotSent,
    Pending,
    Unknown(UnknownCause),
    NotFound,
    Reversed,
}

/// What must follow from an ending: the answer, what a query finds at once and later, and what the
/// journal says was done in the end.
struct Forced {
    answer: FamilyAnswer,
    soon: FamilyAnswer,
    late: FamilyAnswer,
    effect: Option<EntryEffect>,
}

const fn forced(
    answer: FamilyAnswer,
    soon: FamilyAnswer,
    late: FamilyAnswer,
    effect: Option<EntryEffect>,
) -> Forced {
    Forced {
        answer,
        soon,
        late,
        effect,
    }
}

fn forced_by(ending: &str, order: &Order) -> Forced {
    use FamilyAnswer::{Half, No, NotFound, NotSent, Other, Pending, Reversed, Unknown, Yes};
    let delivered = Some(EntryEffect::Delivered);
    let unanswered = |cause| forced(Unknown(cause), Yes, Yes, delivered);
    match ending {
        "0001" | "0014" | "0018" | "0019" | "0020" => {
            forced(No, No, No, Some(EntryEffect::Refused))
        }
        "0002" => forced(Pending, Pending, Yes, delivered),
        "0003" => unanswered(UnknownCause::ConnectionLost),
        "0004" => forced(Unknown(UnknownCause::Timeout), NotFound, NotFound, None),
        "0005" => unanswered(UnknownCause::ServerError),
        "0006" => forced(Unknown(UnknownCause::Unreadable), NotFound, NotFound, None),
        // The late answer is not awaited here; the tests of outcomes cover it.
        "0007" => forced(Unknown(UnknownCause::Timeout), Pending, Yes, delivered),
        "0008" => forced(Other, Other, Other, delivered),
        "0009" => forced(Yes, Yes, Reversed, Some(EntryEffect::Reversed)),
        "0010" => forced(Pending, Pending, Pending, Some(EntryEffect::Awaited)),
        "0011" => unanswered(UnknownCause::DuplicateReference),
        "0012" => forced(NotSent, NotFound, NotFound, None),
        "0013" if order.takes_token() => forced(Half, Half, Yes, delivered),
        _ => forced(Yes, Yes, Yes, delivered),
    }
}

fn yes(order: &Order, under: &str, receipt: &domain::provider::Receipt) -> FamilyAnswer {
    assert_eq!(receipt.reference.as_str(), under);
    assert_eq!(receipt.fulfilment.service(), order.service());
    if receipt.amount != order.amount() {
        assert_eq!(receipt.amount.currency(), order.amount().currency());
        FamilyAnswer::Other
    } else if receipt.fulfilment.completes(order) {
        FamilyAnswer::Yes
    } else {
        FamilyAnswer::Half
    }
}

fn answered(order: &Order, under: &str, outcome: &SubmitOutcome) -> FamilyAnswer {
    match outcome {
        SubmitOutcome::Delivered(receipt) => yes(order, under, receipt),
        SubmitOutcome::Declined(_) => FamilyAnswer::No,
        SubmitOutcome::NotSent => FamilyAnswer::NotSent,
        SubmitOutcome::Pending => FamilyAnswer::Pending,
        SubmitOutcome::Reversed => FamilyAnswer::Reversed,
        SubmitOutcome::Unknown(cause) => FamilyAnswer::Unknown(*cause),
    }
}

async fn found(bench: &SandboxWorld, order: &Order, under: &str) -> FamilyAnswer {
    match bench.query(under).await {
        QueryOutcome::Delivered(receipt) => yes(order, under, &receipt),
        QueryOutcome::Declined(_) => FamilyAnswer::No,
        QueryOutcome::Pending => FamilyAnswer::Pending,
        QueryOutcome::NotFound => FamilyAnswer::NotFound,
        QueryOutcome::Reversed => FamilyAnswer::Reversed,
        QueryOutcome::Unknown => panic!("{under} cannot be read"),
    }
}

#[tokio::test]
async fn every_ending_forces_the_same_in_every_family() {
    for service in Service::delivered() {
        for n in (1..=17).chain([4567]) {
            let (ending, bench) = (format!("{n:04}"), SandboxWorld::new());
            let what = format!("{} {ending}", service.code());
            let (under, order) = ("shop.order-1.1", order_of(service, &ending));
            let forced = forced_by(&ending, &order);
            let mut request = submission(under, order.clone());
            if ending == "0007" {
                request.deadline = std::time::Duration::ZERO;
            }
            let outcome = {
                use ports::provider::Provider;
                bench
                    .simulator()
                    .submit(&request, &FixedPermit::granted())
                    .await
                    .outcome
            };
            assert_eq!(answered(&order, under, &outcome), forced.answer, "{what}");
            assert_eq!(found(&bench, &order, under).await, forced.soon, "{what}");
            bench.clock.advance(LATER * 10).await;
            assert_eq!(found(&bench, &order, under).await, forced.late, "{what}");
            assert_eq!(
                bench.effects(),
                Vec::from_iter(forced.effect),
                "{what}: what the journal says"
            );
            for entry in bench.entries() {
                assert_eq!(entry.service(), service);
                assert!(entry.digits().ends_with(&ending), "{what}");
                assert_eq!(entry.ordered, order.amount());
            }
        }
    }
}

#[tokio::test]
async fn a_reversal_is_reported_in_every_family_and_nothing_else_of_it() {
    use ports::provider::Provider;
    for service in Service::delivered() {
        let bench = SandboxWorld::new();
        bench
            .submit("shop.order-1.1", order_of(service, "0009"))
            .await;
        bench.clock.advance(LATER * 10).await;
        let changes = bench.simulator().changes_since(0).await.unwrap();
        let reported: Vec<_> = changes.findings.iter().map(|(_, said)| said).collect();
        assert_eq!(reported, [&QueryOutcome::Reversed], "{}", service.code());
        assert_eq!(changes.next, 1);
    }
}

#[tokio::test]
async fn an_order_for_an_unknown_biller_is_refused() {
    let bench = SandboxWorld::new();
    let mut cable = order_of(Service::CableTv, "4567");
    let mut data = order_of(Service::Internet, "4567");
    let mut message = order_of(Service::Sms, "4567");
    let mut lookup = order_of(Service::Hlr, "4567");
    let ghana = domain::country::CountryCode::parse("288").unwrap();
    if let Order::CableTv(order) = &mut cable {
        order.provider = provider_code("301");
    }
    if let Order::Internet(order) = &mut data {
        // The plan is another provider's.
        order.provider = provider_code("302");
    }
    if let Order::Sms(order) = &mut message {
        order.country = ghana;
    }
    if let Order::Hlr(order) = &mut lookup {
        order.country = ghana;
    }
    for (under, order) in [cable, data, message, lookup].into_iter().enumerate() {
        let service = order.service();
        let outcome = bench.submit(&format!("a.{under}.1"), order).await;
        assert!(matches!(outcome, SubmitOutcome::Declined(_)), "{service:?}");
    }
    assert_eq!(bench.effects(), [EntryEffect::Refused; 4]);
}
