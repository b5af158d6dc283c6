//! `POST /webhook/replay`. It must never guess whether one event or a period was meant.

use super::endpoint_id;
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::time::Timestamp;
use domain::webhook::{EndpointId, WebhookEventId};

/// A replay request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayCommand {
    pub endpoint: EndpointId,
    pub which: ReplaySelection,
}

/// The deliveries of an endpoint to replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplaySelection {
    /// The delivery of one event.
    Event(WebhookEventId),
    /// The deliveries of the events within a period, the end not included.
    Range { from: Timestamp, until: Timestamp },
}

/// Reads a replay request; times are in the time zone of the account unless they name one.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    zone: &Zone,
) -> Result<ReplayCommand, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let endpoint = reader.required(&attribute::WEBHOOK, endpoint_id);
    let event = reader.optional(&attribute::EVENT, event_id);
    let from = reader.optional(&attribute::REPLAY_FROM, |text| zone.parse(text));
    let until = reader.optional(&attribute::REPLAY_UNTIL, |text| zone.parse(text));
    let which = which(&mut reader, event, (from, until));
    reader.finish(|| {
        Ok(ReplayCommand {
            endpoint: endpoint?,
            which: which?,
        })
    })
}

/// The number of deliveries that are due again.
pub fn view(endpoint: EndpointId, count: u64) -> Object {
    Object::new()
        .with("whkIdentifier", endpoint.get())
        .with("dlvCount", count)
}

type Read<T> = Result<Option<T>, InvalidField>;

fn which(
    reader: &mut FieldReader<'_>,
    event: Read<WebhookEventId>,
    (from, until): (Read<Timestamp>, Read<Timestamp>),
) -> Result<ReplaySelection, InvalidField> {
    const ONE_WAY: &str = "must be left out where whkFrom and whkUntil are sent";
    match (event?, from?, until?) {
        (Some(event), None, None) => Ok(ReplaySelection::Event(event)),
        (None, Some(from), Some(until)) => {
            if until <= from {
                return Err(reader.fault(&attribute::REPLAY_UNTIL, "must be later than whkFrom"));
            }
            Ok(ReplaySelection::Range { from, until })
        }
        (Some(_), _, _) => Err(reader.fault(&attribute::EVENT, ONE_WAY)),
        (None, Some(_), None) => {
            Err(reader.fault(&attribute::REPLAY_UNTIL, "is required beside whkFrom"))
        }
        (None, None, Some(_)) => {
            Err(reader.fault(&attribute::REPLAY_FROM, "is required beside whkUntil"))
        }
        (None, None, None) => Err(reader.fault(
            &attribute::EVENT,
            "is required, unless whkFrom and whkUntil say which time to deliver again",
        )),
    }
}

fn event_id(text: &str) -> Result<WebhookEventId, &'static str> {
    WebhookEventId::parse(text).ok_or(
        "must be the evtIdentifier of an event, such as evt_5071_2 or evt_NGN_17_1795296019893",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos};
    use domain::time::Timestamp;

    fn read(pairs: &[(&str, &str)]) -> Result<ReplayCommand, Violations> {
        let named = [&[("whkIdentifier", "42")], pairs].concat();
        parse(&body(&named), Handling::Strict, &lagos())
    }

    /// 2026-11-21T10:00:00Z.
    const TEN: Timestamp = Timestamp::from_millis(1_795_255_200_000);

    #[test]
    fn one_delivery_is_named_by_its_event() {
        let command = read(&[("evtIdentifier", "\"evt_5071_2\"")]).unwrap();
        let event = WebhookEventId::parse("evt_5071_2").unwrap();
        assert_eq!(command.which, ReplaySelection::Event(event));
        assert_eq!(command.endpoint, EndpointId::new(42).unwrap());
        for literal in ["\"\"", "\"evt_\"", "\"evt_1_2_3\"", "\"5071\"", "5071"] {
            assert!(read(&[("evtIdentifier", literal)]).is_err(), "{literal}");
        }
    }

    #[test]
    fn moments_are_read_as_they_are_shown_in_answers_and_in_deliveries() {
        let until = "\"2026-11-21T10:00:01.5Z\"";
        for from in [
            "\"21-11-2026 11:00:00\"",
            "\"2026-11-21T10:00:00Z\"",
            "\"2026-11-21T10:00:00.000Z\"",
            "\"2026-11-21T11:00:00+01:00\"",
        ] {
            let command = read(&[("whkFrom", from), ("whkUntil", until)]).unwrap();
            let until = Timestamp::from_millis(TEN.as_millis() + 1_500);
            assert_eq!(
                command.which,
                ReplaySelection::Range { from: TEN, until },
                "{from}"
            );
        }
        let bad = [
            "\"\"",
            "\"now\"",
            "1795255200000",
            "\"1795255200000\"",
            "\"2026-11-21\"",
            "\"2026-11-21T10:00:00\"",
            "\"31-02-2026 10:00:00\"",
            "\"21-11-2026 24:00:00\"",
            "\"1-1-2026 1:00:00\"",
        ];
        for from in bad {
            let reported = faults(read(&[("whkFrom", from), ("whkUntil", until)]));
            assert!(reported.contains("whkFrom: must be"), "{from}: {reported}");
        }
    }

    #[test]
    fn what_is_asked_for_is_one_event_or_one_time_and_never_both() {
        let (event, from) = (
            ("evtIdentifier", "\"evt_1\""),
            ("whkFrom", "\"2026-11-21T10:00:00Z\""),
        );
        let until = ("whkUntil", "\"2026-11-21T11:00:00Z\"");
        let asked: [&[_]; 6] = [
            &[],
            &[from],
            &[until],
            &[event, from],
            &[event, from, until],
            &[("whkFrom", until.1), ("whkUntil", from.1)],
        ];
        let reported = asked.map(|pairs| faults(read(pairs)));
        insta::assert_snapshot!(reported.join("\n\n"));
        assert!(read(&[from, until]).is_ok() && read(&[event]).is_ok());
        let empty = read(&[from, ("whkUntil", from.1)]);
        assert_eq!(faults(empty), "400 -\nwhkUntil: must be later than whkFrom");
    }
}
