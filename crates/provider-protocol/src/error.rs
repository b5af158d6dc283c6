//! The body of an answer that is no answer about an attempt. It must never be read as a refusal:
//! whatever the status, the outcome is unknown.

use serde::{Deserialize, Serialize};

/// `{"error": {"code": …, "message": …}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorDocument {
    /// What is wrong.
    pub error: ErrorDetail,
}

/// What is wrong, for programs and for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorDetail {
    /// A word of [`ProtocolFault`].
    pub code: String,
    /// What to do about it.
    pub message: String,
}

/// What can be wrong with a request of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProtocolFault {
    /// The body cannot be read as the document of the operation.
    InvalidRequest,
    /// The signature is missing, wrong, outside the clock window, or was used before.
    Unauthorized,
    /// The reference is bound to another request.
    ReferenceConflict,
    /// There is no such operation, or this provider does not offer it.
    NotFound,
    /// The path is another method's.
    MethodNotAllowed,
    /// The body is too long.
    TooLarge,
    /// More is asked than can be done; nothing was done.
    Busy,
    /// The provider failed; what was done is unknown.
    Internal,
}

impl ProtocolFault {
    /// Every fault.
    pub const ALL: [Self; 8] = [
        Self::InvalidRequest,
        Self::Unauthorized,
        Self::ReferenceConflict,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::TooLarge,
        Self::Busy,
        Self::Internal,
    ];

    /// The word in `error.code`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::Unauthorized => "unauthorized",
            Self::ReferenceConflict => "reference_conflict",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::TooLarge => "too_large",
            Self::Busy => "busy",
            Self::Internal => "internal",
        }
    }

    /// The HTTP status it is answered with.
    pub const fn status(self) -> u16 {
        match self {
            Self::InvalidRequest => 400,
            Self::Unauthorized => 401,
            Self::NotFound => 404,
            Self::MethodNotAllowed => 405,
            Self::ReferenceConflict => 409,
            Self::TooLarge => 413,
            Self::Internal => 500,
            Self::Busy => 503,
        }
    }

    /// The document that says so.
    pub fn document(self, message: impl Into<String>) -> ErrorDocument {
        ErrorDocument {
            error: ErrorDetail {
                code: self.code().to_owned(),
                message: message.into(),
            },
        }
    }
}
