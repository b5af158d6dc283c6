//! The requests posted to endpoints of merchants, as the document describes them. It must show an
//! event as a delivery carries it: the bodies are those of the gateway.

use super::common::reference;
use super::schema;
use crate::families;
use crate::glossary::{Glossary, GlossaryPlace, Side};
use crate::json::list;
use crate::shape::ShapeValue;
use crate::states::{EventSchema, lagos};
use anyhow::{Context, Result};
use domain::reporting::ReportRunId;
use domain::statement::{Direction, StatementEntry};
use domain::transaction::Status;
use domain::webhook::{EndpointId, EventPayload, Topic, WebhookEvent, WebhookEventId};
use testkit::builders::{self, START, naira};
use wire::tree::{Node, Object};
use wire::webhook::{events, payload};

/// The payload of events of one type.
struct About {
    /// The name of its schema.
    name: &'static str,
    /// The family whose glossary entries describe it.
    stem: &'static str,
    subjects: Vec<EventPayload>,
}

/// The schemas of the payloads, by name.
pub(super) fn schemas(glossary: &Glossary) -> Result<Vec<(&'static str, Object)>> {
    let all = transactions().into_iter().chain(others()).map(|about| {
        let data = about
            .subjects
            .into_iter()
            .map(|subject| data(Topic::Ping, subject));
        let mut data = data.map(|data| ShapeValue::of(&data?));
        let first = data.next().with_context(|| about.name)??;
        let learned = data.try_fold(first, |known, value| known.merge(value?))?;
        let place = GlossaryPlace {
            family: about.stem,
            side: Side::Answer(""),
        };
        let schema = schema::object(learned.fields(), glossary, place);
        Ok((about.name, schema.with_context(|| about.name)?))
    });
    all.collect()
}

/// The webhooks, by the type of event.
pub(super) fn of() -> Object {
    let topics = Topic::ALL.into_iter();
    topics.fold(Object::new(), |all, topic| {
        all.with(topic.code(), Object::new().with("post", posted(topic)))
    })
}

fn posted(topic: Topic) -> Object {
    let media = Object::new().with("schema", body(topic)).with(
        "example",
        payload(&event(topic, shown(topic)), false, &lagos()),
    );
    let request = Object::new()
        .with("required", Node::Boolean(true))
        .with("content", Object::new().with("application/json", media));
    let taken = "The event was understood. Any other answer, or none in 15 seconds, and it is \
                 posted again.";
    let words = topic.code().split(['.', '_']);
    let id = words.fold("on".to_owned(), |id, word| {
        let (first, rest) = word.split_at(1);
        id + &first.to_ascii_uppercase() + rest
    });
    Object::new()
        .with("operationId", id)
        .with("tags", list(["Webhooks"]))
        .with("summary", events::description(topic))
        .with("security", list::<Node, _>([]))
        .with("parameters", list(headers()))
        .with("requestBody", request)
        .with(
            "responses",
            Object::new().with("2XX", Object::new().with("description", taken)),
        )
}

/// The headers of Standard Webhooks.
fn headers() -> [Object; 3] {
    [
        (
            "webhook-id",
            "The `evtIdentifier`: the same at every attempt.",
        ),
        (
            "webhook-timestamp",
            "When the attempt was made, in seconds since 1970.",
        ),
        (
            "webhook-signature",
            "`v1,` and the signature over id, timestamp and body; several, with a space between, \
             while the secret is changed.",
        ),
    ]
    .map(|(name, about)| {
        Object::new()
            .with("name", name)
            .with("in", "header")
            .with("description", about)
            .with("required", Node::Boolean(true))
            .with("schema", Object::new().with("type", "string"))
    })
}

fn body(topic: Topic) -> Object {
    let text = || Object::new().with("type", "string");
    let names = abouts(topic).into_iter().map(|about| about.name);
    let references: Vec<_> = names.map(|name| reference("schemas", name)).collect();
    let data = match &*references {
        [only] => only.clone(),
        _ => Object::new().with("anyOf", list(references)),
    };
    let properties = Object::new()
        .with("type", text().with("enum", list([topic.code()])))
        .with("timestamp", text().with("format", "date-time"))
        .with("data", data);
    Object::new()
        .with("type", "object")
        .with("properties", properties)
        .with("required", list(["type", "timestamp", "data"]))
}

/// The possible payloads of events of a type.
fn abouts(topic: Topic) -> Vec<About> {
    let named = |name| others().into_iter().filter(move |about| about.name == name);
    match topic {
        Topic::TransactionPending
        | Topic::TransactionSuccessful
        | Topic::TransactionFailed
        | Topic::TransactionReversed
        | Topic::TransactionReview
        | Topic::TransactionRefunded => transactions(),
        Topic::MessageStatus => {
            let all = transactions().into_iter();
            all.filter(|about| ["sms", "whatsapp", "rcs"].contains(&about.stem))
                .collect()
        }
        Topic::MessageReceived => named("IncomingMessageEvent").collect(),
        Topic::AccountCredited => named("CreditEvent").collect(),
        Topic::AccountLowBalance => named("LowBalanceEvent").collect(),
        Topic::ReportReady => named("ReportEvent").collect(),
        Topic::WebhookDisabled => named("EndpointEvent").collect(),
        Topic::Ping => named("TrialEvent").collect(),
    }
}

fn transactions() -> Vec<About> {
    let about = |event: EventSchema| About {
        name: event.name,
        stem: event.stem,
        subjects: event
            .transactions
            .into_iter()
            .map(|transaction| EventPayload::Transaction(Box::new(transaction)))
            .collect(),
    };
    families::events().map(about).collect()
}

fn others() -> [About; 6] {
    let line = Box::new(StatementEntry {
        position: 17,
        transaction: Some((builders::number(1), builders::reference("airtime-1001"))),
        direction: Direction::Debit,
        narration: "Airtime MTN 2348031234567".into(),
        amount: naira("970.00"),
        before: naira("1,000.00"),
        after: naira("30.00"),
        at: START,
    });
    let credit = Box::new(StatementEntry {
        position: 16,
        transaction: None,
        direction: Direction::Credit,
        narration: "Paid in: slip-1".into(),
        ..(*line).clone()
    });
    let below = naira("5,000.00");
    let endpoint = EndpointId::new(5_071_922_640_871).map(EventPayload::Endpoint);
    let credits = [&credit, &line].map(|line| EventPayload::Credit(line.clone()));
    let lows = [credit, line].map(|line| EventPayload::LowBalance { line, below });
    [
        ("CreditEvent", "account", credits.into()),
        ("LowBalanceEvent", "account", lows.into()),
        (
            "ReportEvent",
            "reporting",
            vec![EventPayload::Report(ReportRunId::new(builders::number(
                5_071_922_640_870,
            )))],
        ),
        (
            "IncomingMessageEvent",
            "incoming",
            families::incoming_messages()
                .into_iter()
                .map(|message| EventPayload::Incoming(Box::new(message)))
                .collect(),
        ),
        ("EndpointEvent", "webhook", endpoint.into_iter().collect()),
        ("TrialEvent", "webhook", vec![EventPayload::Ping]),
    ]
    .map(|(name, stem, subjects)| About {
        name,
        stem,
        subjects,
    })
}

/// The example of a type of event.
fn shown(topic: Topic) -> EventPayload {
    let wanted = match topic {
        Topic::TransactionFailed => Status::Failed,
        Topic::TransactionReversed => Status::Reversed,
        Topic::TransactionPending | Topic::TransactionReview => Status::Pending,
        Topic::TransactionSuccessful
        | Topic::TransactionRefunded
        | Topic::MessageStatus
        | Topic::MessageReceived
        | Topic::AccountCredited
        | Topic::AccountLowBalance
        | Topic::ReportReady
        | Topic::WebhookDisabled
        | Topic::Ping => Status::Successful,
    };
    let fits = |subject: &EventPayload| match subject {
        EventPayload::Transaction(transaction) => transaction.status() == wanted,
        EventPayload::Credit(_)
        | EventPayload::LowBalance { .. }
        | EventPayload::Endpoint(_)
        | EventPayload::Report(_)
        | EventPayload::Incoming(_)
        | EventPayload::Ping => true,
    };
    let mut subjects = abouts(topic).into_iter().flat_map(|about| about.subjects);
    subjects.find(fits).unwrap_or(EventPayload::Ping)
}

fn event(topic: Topic, subject: EventPayload) -> WebhookEvent {
    let id = match &subject {
        EventPayload::Credit(line) | EventPayload::LowBalance { line, .. } => {
            WebhookEventId::of_line(line)
        }
        EventPayload::Transaction(_)
        | EventPayload::Endpoint(_)
        | EventPayload::Report(_)
        | EventPayload::Incoming(_)
        | EventPayload::Ping => WebhookEventId::fresh(builders::number(7_213_340_016)),
    };
    WebhookEvent {
        id,
        topic,
        sequence: 1,
        at: START,
        subject,
    }
}

/// The `data` of an event.
fn data(topic: Topic, subject: EventPayload) -> Result<Node> {
    let body = payload(&event(topic, subject), true, &lagos());
    let mut fields = body.fields();
    let data = fields.find(|(name, _)| *name == "data");
    data.map(|(_, data)| data.clone())
        .context("a body has data")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface::Interface;
    use crate::json::pretty;
    use boon::{Compiler, Schemas};
    use serde_json::Value as Json;

    #[test]
    fn every_body_that_is_posted_is_as_its_kind_is_described() {
        let interface = Interface::read().unwrap();
        let document = super::super::document(&interface).unwrap();
        let document: Json = serde_json::from_str(&pretty(&document)).unwrap();
        let mut compiler = Compiler::new();
        compiler
            .add_resource("document.json", document.clone())
            .unwrap();
        let mut schemas = Schemas::new();
        for topic in Topic::ALL {
            let code = topic.code();
            let media = format!("/webhooks/{code}/post/requestBody/content/application~1json");
            let place = format!("document.json#{media}/schema");
            let schema = compiler.compile(&place, &mut schemas).unwrap();
            let example = document.pointer(&format!("{media}/example")).unwrap();
            schemas.validate(example, schema).unwrap();
            for subject in abouts(topic).into_iter().flat_map(|about| about.subjects) {
                for with_tokens in [false, true] {
                    let event = event(topic, subject.clone());
                    let body = wire::webhook::body(&event, with_tokens, &lagos());
                    let body: Json = serde_json::from_slice(&body).unwrap();
                    let valid = schemas.validate(&body, schema);
                    valid.unwrap_or_else(|error| panic!("{code}: {error} {body}"));
                }
            }
        }
        let other = serde_json::json!({"type": "ping", "timestamp": "x", "data": {}});
        let place = "/webhooks/ping/post/requestBody/content/application~1json/schema";
        let schema = compiler.compile(&format!("document.json#{place}"), &mut schemas);
        assert!(schemas.validate(&other, schema.unwrap()).is_err());
    }
}
