//! `GET /billing/subscription/runs`. A run must be shown as bought only where its payment is there.

use super::subscriptions::{NamedSubscription, PATH, name};
use crate::attribute;
use crate::attributes::Attributes;
use crate::format;
use crate::page::{self, Paging};
use crate::reader::{FieldReader, Handling};
use crate::service_code::ServiceCode;
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::recurring::{RecurringRunState, RunRefusal};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use domain::transaction::Transaction;

/// The only order of runs: by number.
const RUN_ORDERS: [(&str, ()); 1] = [("runNumber", ())];

/// A run that is over or in hand.
#[derive(Debug, Clone, Copy)]
pub struct ShownRun<'a> {
    pub number: u32,
    pub due_at: Timestamp,
    pub reference: &'a MerchantReference,
    /// Where it stands; `None` of one that was skipped.
    pub state: Option<RecurringRunState>,
    /// How often it was begun again.
    pub retries: u8,
    /// Whether it is in hand.
    pub is_open: bool,
    pub payment: Option<&'a Transaction>,
}

/// A page of the runs of a subscription.
#[derive(Debug, Clone, Copy)]
pub struct RunsPart<'a> {
    pub runs: &'a [ShownRun<'a>],
    /// The number of runs that are over or in hand.
    pub total: u64,
}

/// Reads whose runs are requested.
pub fn parse_runs(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(NamedSubscription, Paging<()>), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let name = name(&mut reader);
    let paging = Paging::read(&mut reader, &RUN_ORDERS);
    reader.finish(|| Ok((name?, paging?)))
}

/// A page of the runs.
pub fn view_runs(
    (number, part): (TransactionNumber, RunsPart<'_>),
    query: &Paging<()>,
    zone: &Zone,
) -> Object {
    let runs = part.runs.iter().map(|run| view_run(run, zone));
    Object::new()
        .with("subIdentifier", number.get())
        .with("runs", Node::objects("run", runs))
        .with("metadata", page::metadata(part.runs.len()))
        .with("query", page::query(&query.window(part.total)))
}

fn view_run(run: &ShownRun<'_>, zone: &Zone) -> Object {
    let refusal = run.state.and_then(RecurringRunState::refusal);
    let refusal = refusal.filter(|_| run.payment.is_none());
    let code = refusal.and_then(service_code).map(ServiceCode::number);
    Object::new()
        .with("runNumber", u64::from(run.number))
        .with("runDue", zone.date_time(run.due_at))
        .with("mrcReference", run.reference.as_str())
        .with("runStatus", run_status(run))
        .with("runRetries", u64::from(run.retries))
        .with("runCode", code.map(u64::from))
        .with("runReason", refusal.map(reason))
        .with("txnReference", run.payment.map(|it| it.number.get()))
}

/// What became of a run: the status of its payment, where there is one.
fn run_status(run: &ShownRun<'_>) -> &'static str {
    match (run.payment, run.state) {
        (Some(payment), _) => format::status(payment.status()),
        (None, Some(RecurringRunState::Refused(_))) => "Refused",
        (None, Some(RecurringRunState::Begun | RecurringRunState::Bought)) if run.is_open => {
            "Pending"
        }
        (
            None,
            None
            | Some(
                RecurringRunState::Begun
                | RecurringRunState::Bought
                | RecurringRunState::Failed
                | RecurringRunState::Missed,
            ),
        ) => "Skipped",
    }
}

const fn service_code(why: RunRefusal) -> Option<ServiceCode> {
    match why {
        RunRefusal::Balance => Some(ServiceCode::AccountBalance),
        RunRefusal::Limit | RunRefusal::Amount => Some(ServiceCode::Amount),
        RunRefusal::Product => Some(ServiceCode::ServiceProvider),
        RunRefusal::Sender => Some(ServiceCode::SenderId),
        RunRefusal::Customer | RunRefusal::Reference | RunRefusal::Settled | RunRefusal::Other => {
            None
        }
    }
}

const fn reason(why: RunRefusal) -> &'static str {
    match why {
        RunRefusal::Balance => "the balance did not cover the price",
        RunRefusal::Limit => "a limit of the account did not allow it",
        RunRefusal::Amount => "the amount is not one that may be bought any more",
        RunRefusal::Customer => "the provider does not know the customer any more",
        RunRefusal::Product => "what is ordered is not sold any more",
        RunRefusal::Sender => "the sender of the message is not approved",
        RunRefusal::Reference => "another payment of yours has the reference of the run",
        RunRefusal::Settled => "it was delivered before the database was restored, and settled",
        RunRefusal::Other => "it cannot be bought",
    }
}

/// The `Link` header of a page of runs.
pub fn runs_link_header(number: TransactionNumber, query: &Paging<()>, total: u64) -> String {
    let name = attribute::SUBSCRIPTION.name;
    query.link_header_of(&format!("{PATH}/runs?{name}={number}"), total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::query;
    use testkit::builders::{airtime, at, reference};

    #[test]
    fn a_run_is_shown_as_bought_only_with_its_payment() {
        let payment = airtime().transaction();
        let under = reference("sub-7-1");
        let run = |state, is_open, payment| {
            let run = ShownRun {
                number: 1,
                due_at: at(60),
                reference: &under,
                state,
                retries: 0,
                is_open,
                payment,
            };
            run_status(&run)
        };
        let refused = RecurringRunState::Refused(RunRefusal::Balance);
        let bought = Some(RecurringRunState::Bought);
        assert_eq!(run(bought, true, Some(&payment)), "Pending");
        assert_eq!(run(Some(refused), false, Some(&payment)), "Pending");
        assert_eq!(run(bought, true, None), "Pending");
        assert_eq!(run(bought, false, None), "Skipped");
        assert_eq!(run(Some(refused), false, None), "Refused");
        assert_eq!(run(None, false, None), "Skipped");
    }

    #[test]
    fn the_pages_of_runs_keep_the_name_of_their_subscription() {
        let paging = parse_runs(&query("subIdentifier=7&length=1"), Handling::Strict);
        let (name, paging) = paging.unwrap();
        let NamedSubscription::Number(number) = name else {
            panic!("by number")
        };
        let links = runs_link_header(number, &paging, 2);
        let next = "</billing/subscription/runs?subIdentifier=7&offset=1&length=1&sort=asc>";
        assert!(links.contains(next), "{links}");
    }
}
