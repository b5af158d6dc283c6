//! One payment, failed at each of its steps in turn: the first call of any port is lost, then the
//! second, and so on to the last. Whatever was lost, recovery ends with the books right.

use super::support::fault_injector::InjectedFault;
use super::support::process::outside;
use super::support::request::{Request, Worker};
use super::support::{BALANCE, World, attempt, minutes, seconds};
use application::RequestError;

use domain::provider::UnknownCause;
use domain::transaction::{State, Status, Transaction};
use ports::CommitState;
use testkit::builders::reference;
use testkit::provider::{JournalledState, ScriptedReply};

/// More calls than any of these payments makes until it is settled.
const STEPS_MAX: usize = 400;

#[derive(Debug, Clone, Copy)]
enum Family {
    Airtime,
    Electricity,
}

struct Scenario {
    name: &'static str,
    family: Family,
    replies: Vec<ScriptedReply>,
}

fn scenarios() -> Vec<Scenario> {
    let scenario = |name, family, replies| Scenario {
        name,
        family,
        replies,
    };
    let lost = UnknownCause::ConnectionLost;
    vec![
        scenario("delivered", Family::Airtime, vec![ScriptedReply::deliver()]),
        scenario("refused", Family::Airtime, vec![ScriptedReply::decline()]),
        scenario("accepted", Family::Airtime, vec![ScriptedReply::accept()]),
        scenario(
            "unreachable once",
            Family::Airtime,
            vec![ScriptedReply::not_sent()],
        ),
        scenario(
            "unreachable",
            Family::Airtime,
            vec![ScriptedReply::not_sent(), ScriptedReply::not_sent()],
        ),
        scenario(
            "answer lost",
            Family::Airtime,
            vec![ScriptedReply::answer_lost(lost)],
        ),
        scenario(
            "request lost",
            Family::Airtime,
            vec![ScriptedReply::request_lost(lost)],
        ),
        scenario(
            "another amount",
            Family::Airtime,
            vec![ScriptedReply::deliver_other_amount()],
        ),
        scenario(
            "hanging",
            Family::Airtime,
            vec![ScriptedReply::deliver().silently()],
        ),
        scenario(
            "token late",
            Family::Electricity,
            vec![ScriptedReply::accept_unfinished()],
        ),
        scenario("token", Family::Electricity, vec![ScriptedReply::deliver()]),
    ]
}

/// What one run showed.
struct Shown {
    answer: Result<Transaction, RequestError>,
    calls: usize,
}

/// Pays once, with something befalling the `step`th call, and lets recovery finish.
async fn run(world: &World, scenario: &Scenario, (step, fault): (usize, InjectedFault)) -> Shown {
    for reply in &scenario.replies {
        world.provider.on_submit(reply.clone());
    }
    let gateway = world.gateway_with(|parts| {
        parts.settings.recovery_interval = seconds(20);
        parts.settings.changes_interval = seconds(20);
    });
    world.faults.inject_at(step, fault);
    let request = match scenario.family {
        Family::Airtime => Request::buy(&gateway, "order-1"),
        Family::Electricity => Request::pay(&gateway, "order-1"),
    };
    let worker = Worker::start(&gateway);
    world.pass(seconds(32)).await;
    let answer = request.answer().await.map(|paid| paid.transaction);
    for line in world.provider.journal() {
        if matches!(line.standing, JournalledState::Accepted(_)) {
            world.provider.finish(&line.reference);
        }
    }
    world.pass(minutes(20)).await;
    worker.stop().await;
    let calls = world.faults.calls();
    Shown { answer, calls }
}

async fn everything_is_right(world: &World, shown: &Shown, case: &str) {
    world.is_right().await;
    let attempts = [attempt("order-1", 1), attempt("order-1", 2)];
    let deliveries: u32 = attempts
        .iter()
        .map(|it| world.provider.deliveries(it))
        .sum();
    assert!(deliveries <= 1, "{case}");
    let Some(tx) = world.stores.read("shop", "order-1").await else {
        assert!(
            shown.answer.is_err(),
            "{case}: answered, and nothing is stored"
        );
        assert_eq!(world.provider.submissions(), [], "{case}");
        assert_eq!(world.wallet().await, (BALANCE, 0), "{case}");
        return;
    };
    let price = tx.quote.price.minor();
    let expected = match &tx.state {
        State::Successful(_) => (1, (BALANCE - price, 0)),
        State::Failed(_) => (0, (BALANCE, 0)),
        State::Review(_) => (1, (BALANCE - price, price)),
        State::Queued(_)
        | State::Sending(_)
        | State::InDoubt(_)
        | State::Reversed(_)
        | State::Cancelled(_)
        | State::Booked(_) => panic!("{case}: {tx:?}"),
    };
    assert_eq!((deliveries, world.wallet().await), expected, "{case}");
    match &shown.answer {
        // A final answer was final.
        Ok(reported) if reported.status() != Status::Pending => assert_eq!(*reported, tx, "{case}"),
        Ok(reported) => assert_eq!(reported.number, tx.number, "{case}"),
        // Only a store whose outcome is unknown may be an error with something stored.
        Err(RequestError::Store(error)) => assert_eq!(error.effect, CommitState::Unknown, "{case}"),
        Err(refused) => panic!("{case}: {refused:?}"),
    }
    assert_eq!(tx.reference, reference("order-1"));
}

#[test]
fn a_payment_survives_the_loss_of_any_one_call() {
    let mut runs = 0;
    for scenario in scenarios() {
        for fault in [InjectedFault::RequestLost, InjectedFault::ResponseLost] {
            let mut step = 1;
            loop {
                let case = format!("{}, call {step}: {fault:?}", scenario.name);
                let calls = outside(async {
                    let world = World::new().await;
                    let shown = run(&world, &scenario, (step, fault)).await;
                    everything_is_right(&world, &shown, &case).await;
                    shown.calls
                });
                runs += 1;
                // Later calls are the worker looking for what is due, again and again.
                if step >= calls.min(STEPS_MAX) || step > SETTLED_BY {
                    break;
                }
                step += 1;
            }
        }
    }
    assert!(runs > 200, "{runs}");
}

/// By this call every scenario is past everything that happens only once.
const SETTLED_BY: usize = 40;
