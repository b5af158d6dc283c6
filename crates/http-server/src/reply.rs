//! An answer before it is written: decided by a handler or a layer, written once at the edge. It
//! must not be written before the edge knows its format and its request's id.

mod references;

pub(crate) use references::LoggedReferences;

use crate::file::{File, Picture};
use crate::layers::concurrency::ConcurrencyPermit;
use crate::layers::host::NamedHost;
use crate::layers::idempotency_key::IDEMPOTENCY_REPLAYED;
use crate::layers::if_match;
use crate::layers::negotiation::AnswerFormat;
use crate::layers::request_id::RequestId;
use crate::streamed_file::StreamedFile;
use application::ReplayMark;
use application::measuring::NamedLimit;
use bytes::Bytes;
use http::StatusCode;
use http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue};
use std::sync::Arc;
use wire::attributes::Malformed;
use wire::envelope::{self, ErrorEnvelope, Errors};
use wire::own_address;
use wire::service_code::ServiceCode;
use wire::tree::{Node, Object};
use wire::violations::Violations;

/// An answer before it is written.
#[derive(Debug)]
pub(crate) struct HttpReply {
    status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    content: Content,
    /// The concurrency permit that is kept until the client has read the answer.
    permit: Option<Arc<ConcurrencyPermit>>,
    /// The limit that it refuses with.
    limit: Option<NamedLimit>,
}

/// The media type of comma-separated values.
const CSV: &str = "text/csv; charset=utf-8; header=present";

/// The content of an answer.
#[derive(Debug)]
enum Content {
    Success {
        message: &'static str,
        fields: Object,
    },
    Failure(Box<ErrorEnvelope>),
    /// A file as it is, without an envelope.
    File(File),
    Picture(Picture),
    /// JSON of another interface than ours, as it is.
    Document(Bytes),
    /// Comma-separated values, whose first row names the columns.
    Csv(Bytes),
    /// The same, read part by part.
    Streamed(StreamedFile),
    /// A document of pages.
    Pdf(Bytes),
    /// An entry of a calendar.
    Calendar(Bytes),
    /// A page for browsers.
    Html(Bytes),
    /// No content: 204.
    Nothing,
}

impl HttpReply {
    pub(crate) fn success(status: StatusCode, message: &'static str, fields: Object) -> Self {
        Self::with_content(status, Content::Success { message, fields })
    }

    /// A file.
    pub(crate) const fn file(file: File) -> Self {
        Self::with_content(StatusCode::OK, Content::File(file))
    }

    /// A picture.
    pub(crate) const fn picture(picture: Picture) -> Self {
        Self::with_content(StatusCode::OK, Content::Picture(picture))
    }

    /// Comma-separated values.
    pub(crate) const fn csv(rows: Bytes) -> Self {
        Self::with_content(StatusCode::OK, Content::Csv(rows))
    }

    /// The same answer as a file of a name, which has no quotes.
    pub(crate) fn attached(self, name: &str) -> Self {
        match HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
            Ok(value) => self.with_header(CONTENT_DISPOSITION, value),
            // Names are of references, which are ASCII.
            Err(_) => self,
        }
    }

    /// A file of comma-separated values that is read part by part.
    pub(crate) const fn streamed(file: StreamedFile) -> Self {
        Self::with_content(StatusCode::OK, Content::Streamed(file))
    }

    /// A document of pages.
    pub(crate) const fn pdf(file: Bytes) -> Self {
        Self::with_content(StatusCode::OK, Content::Pdf(file))
    }

    /// An entry of a calendar (RFC 5545).
    pub(crate) const fn calendar(file: Bytes) -> Self {
        Self::with_content(StatusCode::OK, Content::Calendar(file))
    }

    /// A page for browsers.
    pub(crate) const fn html(status: StatusCode, page: Bytes) -> Self {
        Self::with_content(status, Content::Html(page))
    }

    /// JSON of another interface than ours.
    pub(crate) const fn document(status: StatusCode, json: Bytes) -> Self {
        Self::with_content(status, Content::Document(json))
    }

    /// The same answer, with its headers, as JSON of another interface.
    pub(crate) fn restated(self, status: StatusCode, json: Bytes) -> Self {
        Self {
            status,
            content: Content::Document(json),
            ..self
        }
    }

    /// What is wrong and how it is remedied; `None` of an answer that is no failure of our own
    /// interface.
    pub(crate) fn failure_words(&self) -> Option<String> {
        let Content::Failure(failure) = &self.content else {
            return None;
        };
        let remedies = match &failure.errors {
            Errors::Request(all) | Errors::System(all) => all.join("; "),
            Errors::Params(violations) => {
                let all = violations.iter();
                let all = all.map(|(name, messages)| format!("{name} {}", messages.join(", ")));
                all.collect::<Vec<_>>().join("; ")
            }
        };
        Some(format!("{} {remedies}", failure.message))
    }

    /// The same answer with complete addresses of logos and pay slips, for the host of the request.
    pub(crate) fn for_host(mut self, host: Option<&NamedHost>) -> Self {
        if let (Content::Success { fields, .. }, Some(host)) = (&mut self.content, host) {
            own_address::in_full(fields, &host.0);
        }
        self
    }

    /// An answer of 204 and headers.
    pub(crate) fn nothing() -> Self {
        Self::with_content(StatusCode::NO_CONTENT, Content::Nothing)
    }

    /// An error of the request itself: `message` in short, `remedy` in full.
    pub(crate) fn request(status: StatusCode, message: &str, remedy: impl Into<String>) -> Self {
        Self::failure(status, message, Errors::Request(vec![remedy.into()]))
    }

    /// An error of the gateway or of a system it uses.
    pub(crate) fn system(status: StatusCode, message: &str, remedy: impl Into<String>) -> Self {
        Self::failure(status, message, Errors::System(vec![remedy.into()]))
    }

    /// Errors of attributes, with any status.
    pub(crate) fn params(status: StatusCode, message: &str, violations: Violations) -> Self {
        let service = violations.service();
        let reply = Self::failure(status, message, Errors::Params(violations));
        match service {
            Some(service) => reply.about(service),
            None => reply,
        }
    }

    fn failure(status: StatusCode, message: &str, errors: Errors) -> Self {
        let failure = ErrorEnvelope {
            status: status.as_u16(),
            message: message.to_owned(),
            service: None,
            errors,
            request_id: String::new(),
        };
        Self::with_content(status, Content::Failure(Box::new(failure)))
    }

    const fn with_content(status: StatusCode, content: Content) -> Self {
        Self {
            status,
            headers: Vec::new(),
            content,
            permit: None,
            limit: None,
        }
    }

    /// The same refusal, counted as one by a limit.
    pub(crate) fn by_limit(self, limit: NamedLimit) -> Self {
        let limit = Some(limit);
        Self { limit, ..self }
    }

    /// The limit that it refuses with.
    pub(crate) const fn limit(&self) -> Option<NamedLimit> {
        self.limit
    }

    /// The same failure with the service code it concerns.
    pub(crate) fn about(mut self, service: ServiceCode) -> Self {
        if let Content::Failure(failure) = &mut self.content {
            failure.service = Some(service);
        }
        self
    }

    /// The errors of a failure: nothing is left in it.
    pub(crate) fn into_errors(self) -> (StatusCode, Option<ServiceCode>, Errors) {
        match self.content {
            Content::Failure(failure) => (self.status, failure.service, failure.errors),
            Content::Success { .. }
            | Content::File(_)
            | Content::Picture(_)
            | Content::Document(_)
            | Content::Csv(_)
            | Content::Streamed(_)
            | Content::Pdf(_)
            | Content::Calendar(_)
            | Content::Html(_)
            | Content::Nothing => (self.status, None, Errors::Request(Vec::new())),
        }
    }

    /// The same failure with its violations changed by `change`.
    pub(crate) fn with_violations(mut self, change: impl FnOnce(Violations) -> Violations) -> Self {
        if let Content::Failure(failure) = &mut self.content
            && let Errors::Params(violations) = &mut failure.errors
        {
            *violations = change(std::mem::take(violations));
        }
        self
    }

    pub(crate) fn header(&self, name: &HeaderName) -> Option<&HeaderValue> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value)
    }

    pub(crate) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The same answer, which shows an object in this version, for `If-Match`.
    pub(crate) fn in_version(self, version: u32) -> Self {
        match if_match::tag(version) {
            (name, Some(tag)) => self.with_header(name, tag),
            // Digits in quotes are a header.
            (_, None) => self,
        }
    }

    /// The same answer, marked where it is that to an earlier request.
    pub(crate) fn marked(self, mark: ReplayMark) -> Self {
        match mark {
            ReplayMark::New => self,
            ReplayMark::Replayed => self.replayed(),
        }
    }

    /// The same answer, marked as that to an earlier request with the same key.
    pub(crate) fn replayed(self) -> Self {
        self.with_header(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"))
    }

    /// The same answer, which keeps its permit until the client has read it.
    pub(crate) fn until_taken(self, permit: ConcurrencyPermit) -> Self {
        let permit = Some(Arc::new(permit));
        Self { permit, ..self }
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// Takes the permit out, to be kept until the client has read the answer.
    pub(crate) const fn take_permit(&mut self) -> Option<Arc<ConcurrencyPermit>> {
        self.permit.take()
    }

    /// Writes the answer: status, its own headers and the body.
    pub(crate) fn render(self, format: AnswerFormat, id: &RequestId) -> http::Response<Bytes> {
        let status = self.status;
        let mut file = None;
        let (content_type, body) = match self.content {
            Content::Success { message, fields } => {
                let tree = envelope::success(status.as_u16(), message, fields);
                (format.content_type(), write(&tree, format))
            }
            Content::Failure(mut failure) => {
                failure.request_id = id.to_string();
                let tree = envelope::failure(&failure);
                (format.content_type(), write(&tree, format))
            }
            Content::File(file) => (file.content_type, Bytes::from_static(file.bytes)),
            Content::Picture(picture) => (picture.content_type, picture.bytes),
            Content::Document(json) => ("application/json", json),
            Content::Csv(rows) => (CSV, rows),
            Content::Streamed(streamed) => {
                file = Some(streamed);
                (CSV, Bytes::new())
            }
            Content::Pdf(file) => ("application/pdf", file),
            Content::Calendar(file) => ("text/calendar; charset=utf-8", file),
            Content::Html(page) => ("text/html; charset=utf-8", page),
            Content::Nothing => ("", Bytes::new()),
        };
        let mut response = http::Response::new(body);
        *response.status_mut() = status;
        let length = u64::try_from(response.body().len()).unwrap_or(u64::MAX);
        let length = file.as_ref().map_or(length, StreamedFile::left);
        if let Some(file) = file {
            response.extensions_mut().insert(file);
        }
        let headers = response.headers_mut();
        headers.extend(self.headers);
        if length > 0 {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
            headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
        }
        response
    }

    /// The answer to an internal error; the reason is in the log and is not disclosed.
    pub(crate) fn broken() -> Self {
        Self::system(
            StatusCode::INTERNAL_SERVER_ERROR,
            "Something went wrong on our side.",
            "if this was a payment, ask for its report by mrcReference before sending it again; \
             give support the requestId",
        )
    }
}

fn write(tree: &Node, format: AnswerFormat) -> Bytes {
    let bytes = match format {
        AnswerFormat::Json => wire::render::json(tree),
        AnswerFormat::Xml => wire::render::xml(tree),
    };
    bytes.into()
}

impl From<Violations> for HttpReply {
    fn from(violations: Violations) -> Self {
        ErrorEnvelope::violations(violations, String::new()).into()
    }
}

impl From<Malformed> for HttpReply {
    fn from(malformed: Malformed) -> Self {
        ErrorEnvelope::malformed(&malformed, String::new()).into()
    }
}

impl From<ErrorEnvelope> for HttpReply {
    fn from(failure: ErrorEnvelope) -> Self {
        let status = StatusCode::from_u16(failure.status);
        // The statuses of failures are constants of this crate, so none is out of range.
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self::with_content(status, Content::Failure(Box::new(failure)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::request_id::RequestIds;

    fn body(reply: HttpReply, id: &RequestId) -> String {
        String::from_utf8(reply.render(AnswerFormat::Json, id).into_body().to_vec()).unwrap()
    }

    #[test]
    fn a_failure_carries_the_id_of_its_request() {
        let id = RequestIds::new(0).next();
        let reply = HttpReply::request(StatusCode::UNAUTHORIZED, "No.", "say who you are");
        let envelope = r#"{"code":401,"status":"error","message":"No.""#;
        let errors = r#""errors":{"request":["say who you are"]}"#;
        let expected = format!(r#"{envelope},{errors},"requestId":"{id}"}}"#);
        assert_eq!(body(reply, &id), expected);
    }

    #[test]
    fn every_format_is_announced_as_what_it_is_and_nothing_has_none() {
        let id = RequestIds::new(0).next();
        for (format, kind, begin) in [
            (AnswerFormat::Json, "application/json", "{\"code\":500,"),
            (
                AnswerFormat::Xml,
                "application/xml",
                "<?xml version=\"1.0\"",
            ),
        ] {
            let response = HttpReply::broken().render(format, &id);
            assert_eq!(response.headers()[CONTENT_TYPE], kind);
            let body = String::from_utf8(response.into_body().to_vec()).unwrap();
            assert!(body.starts_with(begin), "{body}");
            assert!(body.contains(&id.to_string()), "{body}");
            let nothing = HttpReply::nothing().render(format, &id);
            assert!(!nothing.headers().contains_key(CONTENT_TYPE));
            assert!(nothing.body().is_empty());
        }
    }
}
