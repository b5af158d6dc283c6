//! The body of a delivery. It must show a transaction exactly as its report does in JSON, a
//! statement line as the statement does, and be identical to the byte at every attempt.

use crate::account::statement;
use crate::messaging::incoming;
use crate::render;
use crate::reporting::run::file_address;
use crate::transaction::report;
use crate::tree::Object;
use crate::zone::{Zone, utc};
use domain::webhook::{EventPayload, WebhookEvent};

/// The body posted to an endpoint: the type of the event, its time and its payload. Meter tokens
/// are as good as money, so they are sent only to endpoints that requested them.
pub fn body(event: &WebhookEvent, with_tokens: bool, zone: &Zone) -> Vec<u8> {
    render::json(&payload(event, with_tokens, zone).into())
}

/// The same before it is rendered.
pub fn payload(event: &WebhookEvent, with_tokens: bool, zone: &Zone) -> Object {
    let data = Object::new()
        .with("evtIdentifier", event.id.as_str())
        .with("evtSequence", u64::from(event.sequence));
    let about = about(&event.subject, zone);
    // Only one family has a token; a future one will be hidden in the same way.
    let about = if with_tokens {
        about
    } else {
        about.hiding("token")
    };
    Object::new()
        .with("type", event.topic.code())
        .with("timestamp", utc(event.at))
        .with("data", data.and(about))
}

fn about(subject: &EventPayload, zone: &Zone) -> Object {
    match subject {
        EventPayload::Transaction(transaction) => report(transaction, zone),
        EventPayload::Credit(line) => statement::line(line, zone),
        EventPayload::LowBalance { line, below } => {
            statement::line(line, zone).with("accLowBalance", *below)
        }
        EventPayload::Endpoint(endpoint) => Object::new().with("whkIdentifier", endpoint.get()),
        EventPayload::Report(run) => Object::new()
            .with("repIdentifier", run.to_string())
            .with("repStatus", "Ready")
            .with("repUrl", file_address(*run)),
        EventPayload::Incoming(message) => incoming::view_one(message, zone),
        EventPayload::Ping => Object::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::lagos;
    use domain::reference::TransactionNumber;
    use domain::statement::{Direction, StatementEntry};
    use domain::transaction::Transaction;
    use domain::webhook::{EndpointId, Topic, WebhookEventId};
    use testkit::builders::incoming_message;
    use testkit::builders::{
        START, advance, airtime, cabletv, delivered, electricity, hlr, internet, naira, payout,
        reference, sms,
    };

    fn successful(opened: &Transaction) -> Transaction {
        advance(opened, &delivered(opened), START).transaction
    }

    fn event(topic: Topic, subject: EventPayload) -> WebhookEvent {
        let number = TransactionNumber::try_new(7_001).unwrap();
        WebhookEvent {
            id: WebhookEventId::fresh(number),
            topic,
            sequence: 2,
            at: START,
            subject,
        }
    }

    fn reported(transaction: Transaction, with_tokens: bool) -> String {
        let subject = EventPayload::Transaction(Box::new(transaction));
        let event = event(Topic::TransactionSuccessful, subject);
        String::from_utf8(body(&event, with_tokens, &lagos())).unwrap()
    }

    #[test]
    fn a_transaction_is_delivered_to_the_byte_as_its_report_shows_it() {
        let opened = [
            airtime(),
            cabletv(),
            electricity(),
            internet(),
            sms(),
            payout(),
            hlr(),
        ];
        for opened in opened.map(testkit::builders::PurchaseBuilder::transaction) {
            for transaction in [opened.clone(), successful(&opened)] {
                let shown = render::json(&report(&transaction, &lagos()).into());
                let shown = String::from_utf8(shown).unwrap();
                let fields = shown.strip_prefix('{').unwrap();
                let reported = reported(transaction, true);
                let data = "\"data\":{\"evtIdentifier\":\"evt_7001\",\"evtSequence\":2,";
                assert!(
                    reported.ends_with(&format!("{data}{fields}}}")),
                    "{reported}"
                );
            }
        }
    }

    #[test]
    fn a_meter_token_is_delivered_only_where_it_was_asked_for() {
        let vended = successful(&electricity().transaction());
        let (with, without) = (reported(vended.clone(), true), reported(vended, false));
        insta::assert_snapshot!(without);
        let (same, token) = with.split_once("\"token\":").unwrap();
        assert!(token.starts_with("{\"number\":"), "{token}");
        assert_eq!(without, format!("{same}\"token\":null}}}}"));
    }

    #[test]
    fn a_line_of_the_statement_is_delivered_to_the_byte_as_the_statement_shows_it() {
        let line = |direction, transaction| StatementEntry {
            position: 17,
            transaction,
            direction,
            narration: "MTN airtime".into(),
            amount: naira("970.00"),
            before: naira("5,100.00"),
            after: naira("4,130.00"),
            at: START,
        };
        let order = (
            TransactionNumber::try_new(7_001).unwrap(),
            reference("order-1"),
        );
        let paid_in = line(Direction::Credit, None);
        let paid = line(Direction::Debit, Some(order));
        let shown = |line: &StatementEntry| {
            let shown = render::json(&statement::line(line, &lagos()).into());
            let shown = String::from_utf8(shown).unwrap();
            shown.trim_matches(['{', '}']).to_owned()
        };
        let (credit, debit) = (shown(&paid_in), shown(&paid));
        let low = EventPayload::LowBalance {
            line: Box::new(paid),
            below: naira("5,000.00"),
        };
        let reported = [
            event(
                Topic::AccountCredited,
                EventPayload::Credit(Box::new(paid_in)),
            ),
            event(Topic::AccountLowBalance, low),
        ]
        .map(|event| String::from_utf8(body(&event, false, &lagos())).unwrap());
        assert!(reported[0].contains(&credit), "{reported:?}");
        assert!(reported[1].contains(&debit), "{reported:?}");
        insta::assert_snapshot!(reported.join("\n"));
    }

    #[test]
    fn what_no_transaction_caused_is_delivered_without_one() {
        let endpoint = EndpointId::new(42).unwrap();
        let reported = [
            event(Topic::WebhookDisabled, EventPayload::Endpoint(endpoint)),
            event(Topic::Ping, EventPayload::Ping),
            WebhookEvent::of_incoming(&incoming_message("shop", 7)),
        ]
        .map(|event| String::from_utf8(body(&event, false, &lagos())).unwrap());
        insta::assert_snapshot!(reported.join("\n"));
    }
}
