//! `POST /webhook/endpoint`. It must not decide whether the URL is acceptable: the dispatcher does.

use super::ENDPOINTS;
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use base64::prelude::{BASE64_STANDARD, Engine};
use domain::webhook::{
    Endpoint, EndpointId, EndpointState, InvalidDescription, Registration, Secret, Topic, Topics,
};
use std::collections::BTreeSet;
use std::convert::Infallible;

/// The prefix of secrets (Standard Webhooks).
pub(crate) const SECRET_PREFIX: &str = "whsec_";

/// Reads the registration of an endpoint.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<Registration, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let url = reader.required(&attribute::WEBHOOK_URL, |text| {
        Ok::<_, Infallible>(text.to_owned())
    });
    let topics = reader.optional(&attribute::WEBHOOK_EVENTS, topics);
    let description = reader.optional(&attribute::WEBHOOK_DESCRIPTION, |text| {
        InvalidDescription::unless_fit(text).map(|()| text.to_owned())
    });
    let with_tokens = reader.truth(&attribute::WEBHOOK_TOKENS);
    reader.finish(|| {
        Ok(Registration {
            url: url?,
            topics: topics?.map_or(Topics::All, Topics::Only),
            description: description?.unwrap_or_default(),
            with_tokens: with_tokens?.unwrap_or(false),
        })
    })
}

/// The endpoint with its secret, which is shown only in this answer.
pub fn created(endpoint: &Endpoint, secret: &Secret, zone: &Zone) -> Object {
    view(endpoint, zone).with("whkSecret", secret_text(secret))
}

/// The address of an endpoint, for `Location`.
pub fn path(endpoint: EndpointId) -> String {
    format!("{ENDPOINTS}?{}={endpoint}", attribute::WEBHOOK.name)
}

/// An endpoint: an entry of the list, or the whole answer.
pub fn view(endpoint: &Endpoint, zone: &Zone) -> Object {
    let (status, reason) = match endpoint.health.state {
        EndpointState::Enabled => ("Enabled", None),
        EndpointState::Disabled { because, at: _ } => ("Disabled", Some(because.code())),
    };
    let received = Topic::ALL
        .into_iter()
        .filter(|topic| asks_for(endpoint, *topic));
    let received = received.map(|topic| topic.code().to_owned());
    let note = &*endpoint.description;
    Object::new()
        .with("whkIdentifier", endpoint.id.get())
        .with("whkUrl", endpoint.target.as_str())
        .with("whkEvents", Node::texts("whkEvent", received))
        .with("whkDescription", Some(note).filter(|note| !note.is_empty()))
        .with("whkTokens", endpoint.with_tokens)
        .with("whkStatus", status)
        .with("whkReason", reason)
        .with("whkDate", zone.date_time(endpoint.created_at))
        .with(
            "whkFailing",
            endpoint.health.failing_since.map(|at| zone.date_time(at)),
        )
}

/// A secret in the form verifiers take.
pub(crate) fn secret_text(secret: &Secret) -> String {
    format!("{SECRET_PREFIX}{}", BASE64_STANDARD.encode(secret.0))
}

/// Whether it is subscribed to a type of event; test events need no subscription.
fn asks_for(endpoint: &Endpoint, topic: Topic) -> bool {
    match &endpoint.topics {
        Topics::All => true,
        Topics::Only(topics) => topics.contains(&topic),
    }
}

fn topics(text: &str) -> Result<BTreeSet<Topic>, String> {
    let words = text.split(',').map(str::trim);
    let named = |word: &str| {
        let mut all = Topic::ALL.into_iter();
        all.find(|topic| topic.code().eq_ignore_ascii_case(word))
    };
    let topics: Option<BTreeSet<_>> = words.map(named).collect();
    topics.ok_or_else(|| {
        let known = Topic::ALL.map(Topic::code).join(", ");
        format!("must name events there are, or be left out for all of them: {known}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, endpoint as numbered, faults, lagos, pretty, replaced};
    use domain::webhook::{DisabledBecause, EndpointHealth};
    use testkit::builders::START;

    const GOOD: [(&str, &str); 4] = [
        ("whkUrl", "\"https://shop.example/events\""),
        ("whkEvents", "[\"transaction.failed\",\"ping\"]"),
        ("whkDescription", "\"Till 1\""),
        ("whkTokens", "true"),
    ];

    fn read(pairs: &[(&str, &str)]) -> Result<Registration, Violations> {
        parse(&body(pairs), Handling::Strict)
    }

    fn some() -> Topics {
        Topics::Only(BTreeSet::from([Topic::TransactionFailed, Topic::Ping]))
    }

    fn endpoint() -> Endpoint {
        numbered(42)
    }

    #[test]
    fn an_endpoint_asks_for_everything_unless_it_names_events() {
        let expected = Registration {
            url: "https://shop.example/events".into(),
            topics: some(),
            description: "Till 1".into(),
            with_tokens: true,
        };
        assert_eq!(read(&GOOD), Ok(expected));
        let expected = Registration {
            url: "https://shop.example/events".into(),
            topics: Topics::All,
            description: String::new(),
            with_tokens: false,
        };
        assert_eq!(read(&GOOD[..1]), Ok(expected));
    }

    #[test]
    fn events_are_a_list_of_texts_or_one_text_with_commas() {
        let good = [
            "\"ping,transaction.failed\"",
            "\"Ping,Transaction.Failed\"",
            "\"transaction.failed, ping, ping\"",
            "[\"ping\", \"transaction.failed\", \"ping\"]",
        ];
        for literal in good {
            let read = read(&replaced(&GOOD, "whkEvents", literal)).unwrap();
            assert_eq!(read.topics, some(), "{literal}");
        }
        let bad = [
            "[]",
            "\"\"",
            "[\"\"]",
            "\"pings\"",
            "\"ping,\"",
            "\"ping;\"",
        ];
        for literal in bad {
            let reported = faults(read(&replaced(&GOOD, "whkEvents", literal)));
            assert!(
                reported.ends_with("account.low_balance, report.ready, webhook.disabled, ping"),
                "{literal}: {reported}"
            );
        }
        let other = [
            "1",
            "true",
            "null",
            "{}",
            "[1]",
            "[[\"ping\"]]",
            "[\"ping,ping\"]",
        ];
        for literal in other {
            let reported = faults(read(&replaced(&GOOD, "whkEvents", literal)));
            let expected = "whkEvents: must be an array of strings, or one string with commas";
            assert!(reported.contains(expected), "{literal}: {reported}");
        }
    }

    #[test]
    fn everything_wrong_is_reported_at_once() {
        let long = format!("\"{}\"", "a".repeat(201));
        let pairs = [
            ("whkEvents", "\"transaction.opened\""),
            ("whkDescription", &*long),
            ("whkTokens", "1"),
            ("whkSecret", "\"x\""),
        ];
        insta::assert_snapshot!(faults(read(&pairs)));
        for literal in ["\"a\\nb\"", "\"\\u0000\""] {
            assert!(
                read(&replaced(&GOOD, "whkDescription", literal)).is_err(),
                "{literal}"
            );
        }
        for (literal, truth) in [("\"true\"", true), ("false", false), ("\"false\"", false)] {
            let read = read(&replaced(&GOOD, "whkTokens", literal)).unwrap();
            assert_eq!(read.with_tokens, truth, "{literal}");
        }
    }

    #[test]
    fn an_endpoint_shows_its_secret_only_when_it_was_made() {
        let secret = Secret([0xA5; 32]);
        let shown = pretty(&created(&endpoint(), &secret, &lagos()).into());
        insta::assert_snapshot!("created", shown);
        assert!(!pretty(&view(&endpoint(), &lagos()).into()).contains("whkSecret"));
        assert_eq!(path(endpoint().id), "/webhook/endpoint?whkIdentifier=42");
    }

    #[test]
    fn an_endpoint_says_why_it_is_served_no_longer() {
        let shown = DisabledBecause::ALL.map(|because| {
            let disabled = Endpoint {
                health: EndpointHealth {
                    state: EndpointState::Disabled { because, at: START },
                    failing_since: Some(START),
                },
                topics: some(),
                description: "Till 1".into(),
                ..endpoint()
            };
            pretty(&view(&disabled, &lagos()).into())
        });
        insta::assert_snapshot!("disabled", shown.join("\n"));
    }
}
