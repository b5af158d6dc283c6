//! `manilla webhook replay`. It must work beside a running server, which delivers what is due.

use clap::Args;
use domain::webhook::{DeliveryId, WebhookEventId};
use ports::webhooks::{Replay, ReplayOf, Replayed};
use serde::Serialize;

use crate::commands::{endpoint_id, identity, moment_of, no_such_account};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

/// Most deliveries asked for together: some minutes of work, so that a slip of the pen does not
/// flood a merchant with the events of a year.
const MOST: u64 = 100_000;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla webhook replay --identity shop_1 --endpoint 241063411712 --event evt_241063412736_2
  manilla webhook replay --identity shop_1 --endpoint 241063411712 \\
      --from 2026-11-20T00:00:00+01:00 --until 2026-11-21T00:00:00+01:00 --json

Deliveries are made again by the running server, with all their attempts before them, whether or not
they were made before; receivers know them again by evtIdentifier.")]
pub(crate) struct WebhookReplayOptions {
    #[arg(long, value_name = "ID", help = "Whose, by mrcIdentity")]
    identity: String,
    #[arg(
        long,
        value_name = "NUMBER",
        help = "To which endpoint, by whkIdentifier"
    )]
    endpoint: String,
    #[arg(
        long,
        value_name = "EVT",
        conflicts_with_all = ["from", "until"],
        required_unless_present = "from",
        help = "Which event, by evtIdentifier"
    )]
    event: Option<String>,
    #[arg(
        long,
        value_name = "MOMENT",
        requires = "until",
        help = "Or every event from this moment on (RFC 3339, such as 2026-11-20T00:00:00+01:00)"
    )]
    from: Option<String>,
    #[arg(
        long,
        value_name = "MOMENT",
        requires = "from",
        help = "Until this moment, which is not included; a hundred thousand events at most"
    )]
    until: Option<String>,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    due: u64,
}

pub(super) async fn run(options: &WebhookReplayOptions, config: &Config) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let what = options.what()?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let replay = Replay {
        what,
        most: MOST,
        now: context.now(),
    };
    let known = context.accounts.credentials(&account).await;
    let replayed = context.outbox.replay(&account, &replay).await;
    context.close().await;
    if known?.is_none() {
        return Err(no_such_account(&account));
    }
    match replayed? {
        Replayed::Done(due) if options.json => Ok(output::json(&Document { due })?),
        Replayed::Done(due) => Ok(output::line(format!(
            "{due} deliveries are due now; the running server makes them."
        ))?),
        Replayed::Unknown => Err(Failure::from(anyhow::anyhow!(
            "account {account} has no such endpoint or delivery; GET /webhook/endpoint and \
             /webhook/deliveries show what it has"
        ))),
        Replayed::TooMany => Err(Failure::flag(
            "--until",
            format!(
                "is too late: more than {MOST} deliveries are in this time; ask for a shorter time"
            ),
        )),
    }
}

impl WebhookReplayOptions {
    fn what(&self) -> Result<ReplayOf, Failure> {
        let endpoint = endpoint_id(&self.endpoint)?;
        if let Some(event) = &self.event {
            let event = WebhookEventId::parse(event).ok_or_else(|| {
                Failure::flag(
                    "--event",
                    "must be an evtIdentifier, such as evt_241063412736_2",
                )
            })?;
            return Ok(ReplayOf::One(DeliveryId { endpoint, event }));
        }
        let from = moment_of("--from", self.from.as_deref().unwrap_or_default())?;
        let until = moment_of("--until", self.until.as_deref().unwrap_or_default())?;
        if from >= until {
            return Err(Failure::flag("--until", "must be after --from"));
        }
        Ok(ReplayOf::Range {
            endpoint,
            from,
            until,
        })
    }
}

#[cfg(test)]
mod tests {
    use domain::time::Timestamp;
    use domain::webhook::EndpointId;

    use super::*;

    fn options(event: Option<&str>, range: Option<(&str, &str)>) -> WebhookReplayOptions {
        WebhookReplayOptions {
            identity: "shop".to_owned(),
            endpoint: "17".to_owned(),
            event: event.map(str::to_owned),
            from: range.map(|(from, _)| from.to_owned()),
            until: range.map(|(_, until)| until.to_owned()),
            json: false,
        }
    }

    #[test]
    fn one_event_or_those_of_a_time_are_asked_for() {
        let endpoint = EndpointId::new(17).unwrap();
        let event = WebhookEventId::parse("evt_1_2").unwrap();
        assert_eq!(
            options(Some("evt_1_2"), None).what().unwrap(),
            ReplayOf::One(DeliveryId { endpoint, event })
        );
        let range = ("1970-01-01T01:00:00+01:00", "1970-01-01T00:00:01Z");
        assert_eq!(
            options(None, Some(range)).what().unwrap(),
            ReplayOf::Range {
                endpoint,
                from: Timestamp::from_millis(0),
                until: Timestamp::from_millis(1000),
            }
        );
    }

    #[test]
    fn what_cannot_be_asked_for_is_named() {
        let said = |options: WebhookReplayOptions| options.what().unwrap_err().message().unwrap();
        assert!(said(options(Some("17"), None)).starts_with("error: --event must be"));
        let never = ("2026-11-21T00:00:00Z", "2026-11-20T00:00:00Z");
        assert!(said(options(None, Some(never))).starts_with("error: --until must be after"));
        let vague = ("yesterday", "2026-11-20T00:00:00Z");
        assert!(said(options(None, Some(vague))).starts_with("error: --from must be a moment"));
        let nameless = WebhookReplayOptions {
            endpoint: "0".to_owned(),
            ..options(Some("evt_1_2"), None)
        };
        assert!(said(nameless).starts_with("error: --endpoint must be"));
    }
}
