//! An HTTP answer as the suites look at it. It must not hide the bytes: what is promised is often
//! their order and type.

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::Value;

/// A whole answer.
#[derive(Debug, Clone)]
pub struct HttpAnswer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: String,
}

impl HttpAnswer {
    /// A made-up answer, to check what is checked of answers.
    #[must_use]
    pub fn made(status: u16, content_type: &str, body: String) -> Self {
        let value = HeaderValue::from_str(content_type).expect("a content type");
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, value)]);
        Self {
            status,
            headers,
            body,
        }
    }

    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    /// A header, once.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        let first = values.next()?;
        assert!(values.next().is_none(), "{name} is there twice in {self:?}");
        Some(first.to_str().expect("headers are ASCII"))
    }

    /// A field that is text.
    #[must_use]
    pub fn text(&self, field: &str) -> String {
        let value = &self.json()[field];
        let text = value.as_str();
        text.unwrap_or_else(|| panic!("no text `{field}` in {self:?}"))
            .to_owned()
    }

    /// `txnStatus`.
    #[must_use]
    pub fn txn_status(&self) -> String {
        self.text("txnStatus")
    }

    /// The attributes an error names, in the order it names them.
    #[must_use]
    pub fn faulty(&self) -> Vec<String> {
        let params = &self.json()["errors"]["params"];
        let params = params
            .as_object()
            .map(|params| params.keys().cloned().collect());
        params.unwrap_or_default()
    }

    /// The answer checked to have this status.
    #[expect(clippy::return_self_not_must_use, reason = "the check is the use")]
    pub fn with_status(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    /// The body with its request id blanked, to compare two answers byte for byte.
    #[must_use]
    pub fn body_without_id(&self) -> String {
        let id = self.header("x-request-id").expect("every answer has an id");
        self.body.replace(id, "…")
    }
}
