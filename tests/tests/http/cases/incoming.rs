//! Cases of the list of incoming messages.

use super::shared::{ask, params, strictly, success};
use crate::case::{Case, Expect, Route};
use http_server::Verb;

const LIST: Route = Route(Verb::Get, "/messaging/incoming");

pub(crate) fn cases() -> Vec<Case> {
    let page = "\"incomingMessages\":[],\"metadata\":{\"total\":0},\
                \"query\":{\"length\":1,\"offset\":900000,\"total\":<int>,\"found\":<int>}";
    let phone = Some((822, "Phone Number"));
    vec![
        ask(LIST, "it needs credentials", "", Expect::Credentials),
        ask(
            LIST,
            "a part of the messages of a channel and a number",
            "channel=WhatsApp&number=%2B2348031230029&length=1&offset=900000&sort=desc\
             &orderby=recordedDate",
            success(page),
        ),
        ask(
            LIST,
            "everything that is wrong is named at once",
            "channel=fax&number=0803&length=0&offset=-1&sort=up&orderby=number",
            params(
                400,
                phone,
                &["offset", "length", "orderby", "sort", "channel", "number"],
            ),
        ),
        ask(
            LIST,
            "a channel is a word",
            "channel=",
            params(400, None, &["channel"]),
        ),
        strictly(ask(
            LIST,
            "under strict handling every unknown attribute is named",
            "sender=100000000001",
            params(400, None, &["sender"]),
        )),
    ]
}
