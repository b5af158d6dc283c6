//! Errors about messages and calls, and about templates and flows that merchants keep. One of
//! another account and one that does not exist must get the same answer.

use super::{invalid, unknown};
use crate::reply::HttpReply;
use application::messaging_library::LibraryError;
use application::request_error::MessageRefusal;
use domain::messaging_library::{LIBRARY_MAX, LibraryKind};
use http::StatusCode;
use wire::attribute::{CALL_VARIABLES, MESSAGE_TYPE};
use wire::messaging_library::identifier;
use wire::whatsapp::send::CONVERSATION_CLOSED;

impl From<LibraryError> for HttpReply {
    fn from(refused: LibraryError) -> Self {
        match refused {
            LibraryError::TooMany(kind) => too_many(kind),
            LibraryError::Request(refused) => refused.into(),
        }
    }
}

impl From<MessageRefusal> for HttpReply {
    fn from(refused: MessageRefusal) -> Self {
        match refused {
            MessageRefusal::NotKept(kind) => item_unknown(kind),
            MessageRefusal::ConversationClosed => invalid(&MESSAGE_TYPE, CONVERSATION_CLOSED),
            MessageRefusal::Unfilled(misfits) => {
                let misfits: Vec<_> = misfits.iter().map(ToString::to_string).collect();
                invalid(&CALL_VARIABLES, misfits.join("; "))
            }
        }
    }
}

fn item_unknown(kind: LibraryKind) -> HttpReply {
    let message = match kind {
        LibraryKind::Template => {
            "names no template of your account; GET /messaging/template lists those you have"
        }
        LibraryKind::Flow => {
            "names no flow of your account; GET /messaging/flow lists those you have"
        }
    };
    unknown(identifier(kind), message)
}

fn too_many(kind: LibraryKind) -> HttpReply {
    let (message, path) = match kind {
        LibraryKind::Template => (
            "The account has as many templates as it may have.",
            "/messaging/template/delete",
        ),
        LibraryKind::Flow => (
            "The account has as many flows as it may have.",
            "/messaging/flow/delete",
        ),
    };
    let remedy = format!("an account has {LIBRARY_MAX} at most; POST {path} removes one");
    HttpReply::request(StatusCode::CONFLICT, message, remedy)
}
