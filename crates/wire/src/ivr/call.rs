//! `POST /messaging/ivr`. It must not know any numbering plan, sender or flow.

use crate::attribute::{CALL_VARIABLES, FLOW};
use crate::attributes::Attributes;
use crate::format::gateway_status;
use crate::messaging::{calls, parties, personal_fields};
use crate::messaging_library::flow_id;
use crate::reader::{FieldReader, Handling};
use crate::transaction::identity;
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::country::CountryCode;
use domain::ivr::{FlowRun, FlowRunId, IvrCall, IvrOrder, PathStep};
use domain::phone::{NumberStatus, PhoneNumber};
use domain::transaction::Transaction;

/// Reads a call; `status` is called with the number where it and its country could be read.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    status: impl FnOnce(&PhoneNumber, CountryCode) -> NumberStatus,
) -> Result<IvrCall, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let parties = parties::parse(&mut reader, status);
    let flow = reader.required(&FLOW, flow_id);
    let values = personal_fields::read(&mut reader, &CALL_VARIABLES, handling);
    let minutes = calls::minutes(&mut reader);
    let window = calls::window(&mut reader);
    reader.finish(|| {
        Ok(IvrCall {
            reference: reference?,
            parties: parties?,
            flow: flow?,
            values: values?,
            minutes: minutes?,
            window: window?,
        })
    })
}

/// A call as its answer and its report show it: what was said is not repeated.
pub(crate) fn view(transaction: &Transaction, order: &IvrOrder, zone: &Zone) -> Object {
    let delivered = transaction.state.delivered();
    let run = delivered.and_then(|it| it.fulfilment.flow_run());
    let path = run.into_iter().flat_map(|run| &run.path);
    let names = path.map(|taken: &PathStep| taken.step.as_str().to_owned());
    let keys = run.into_iter().flat_map(FlowRun::keys);
    let id = run.and_then(|run| run.id.as_ref());
    let cost = transaction.charged().price;
    identity(transaction)
        .with("txnDate", zone.date_time(transaction.opened_at))
        .with("gtwStatus", gateway_status(transaction.gateway_status()))
        .and(calls::view(transaction, zone))
        .with("flwIdentifier", order.flow_id.get())
        .with("flwRun", id.map(FlowRunId::as_str))
        .with("flwPath", Node::texts("flwPath", names))
        .with(
            "digits",
            Node::texts("digit", keys.map(|key| key.to_string())),
        )
        .and(parties::view(&order.parties))
        .with("callMinutes", u64::from(order.minutes.get()))
        .with("cost", cost)
        .with("currency", cost.currency().code())
}
