//! The envelope of every answer (interface §2.1 and §7.3). It must not decide which status an
//! outcome gets.

use crate::attributes::Malformed;
use crate::service_code::ServiceCode;
use crate::tree::{Node, Object};
use crate::violations::Violations;

/// The content of an error answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorEnvelope {
    /// The HTTP status.
    pub status: u16,
    /// One sentence for people.
    pub message: String,
    pub service: Option<ServiceCode>,
    pub errors: Errors,
    /// The value of `X-Request-Id`.
    pub request_id: String,
}

/// The three kinds of errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Errors {
    /// Errors of attributes.
    Params(Violations),
    /// Errors of the request itself.
    Request(Vec<String>),
    /// Errors of the gateway.
    System(Vec<String>),
}

impl ErrorEnvelope {
    /// A request refused for the values of its attributes: 400, or 405 where a required filter is
    /// missing.
    pub fn violations(violations: Violations, request_id: String) -> Self {
        let message = if violations.missing_filter() {
            "A required filter is missing."
        } else {
            "The request has attributes that are missing or not valid."
        };
        Self {
            status: violations.status(),
            message: message.to_owned(),
            service: violations.service(),
            errors: Errors::Params(violations),
            request_id,
        }
    }

    /// A request whose attributes cannot be read at all: 400, or 413 where it asks for too much.
    pub fn malformed(malformed: &Malformed, request_id: String) -> Self {
        let (status, message) = match malformed {
            Malformed::TooManyOperations => (413, "The request asks for too many operations."),
            Malformed::BodyNotUtf8
            | Malformed::ByteOrderMark
            | Malformed::NotAnObject
            | Malformed::Syntax(_)
            | Malformed::Unreadable(_)
            | Malformed::TooDeep
            | Malformed::Repeated(_)
            | Malformed::TooMany
            | Malformed::BadEscape
            | Malformed::QueryNotUtf8 => (400, "The request cannot be read."),
        };
        Self {
            status,
            message: message.to_owned(),
            service: None,
            errors: Errors::Request(vec![malformed.to_string()]),
            request_id,
        }
    }
}

/// A success: the fields of the resource stand beside `code`, `status` and `message`.
pub fn success(status: u16, message: &str, fields: Object) -> Node {
    let envelope = Object::new()
        .with("code", status)
        .with("status", "success")
        .with("message", message);
    envelope.and(fields).into()
}

/// An error.
pub fn failure(failure: &ErrorEnvelope) -> Node {
    let mut envelope = Object::new()
        .with("code", failure.status)
        .with("status", "error")
        .with("message", failure.message.as_str());
    if let Some(service) = failure.service {
        envelope = envelope
            .with("serviceCode", service.number())
            .with("serviceSubject", service.subject());
    }
    envelope
        .with("errors", errors(&failure.errors))
        .with("requestId", failure.request_id.as_str())
        .into()
}

fn errors(errors: &Errors) -> Object {
    match errors {
        Errors::Params(violations) => {
            let attribute = |object: Object, (name, texts): (&str, &[String])| {
                object.with(name.to_owned(), messages(texts))
            };
            let params = violations.iter().fold(Object::new(), attribute);
            Object::new().with("params", params)
        }
        Errors::Request(texts) => Object::new().with("request", messages(texts)),
        Errors::System(texts) => Object::new().with("system", messages(texts)),
    }
}

fn messages(texts: &[String]) -> Node {
    Node::texts("message", texts.iter().cloned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribute;
    use crate::fixtures::pretty;
    use crate::render;

    fn shown(node: &Node) -> String {
        String::from_utf8(render::json(node)).unwrap()
    }

    #[test]
    fn a_success_puts_the_resource_beside_its_envelope() {
        let fields = Object::new().with("accBalance", "1.00");
        insta::assert_snapshot!(
            shown(&success(202, "Accepted.", fields)),
            @r#"{"code":202,"status":"success","message":"Accepted.","accBalance":"1.00"}"#
        );
    }

    #[test]
    fn violations_are_reported_per_attribute_under_their_service_code() {
        let mut violations = Violations::of(&attribute::PHONE, "is too short; add digits");
        violations.add(&attribute::PHONE, "is \"odd\"".into());
        violations.add(&attribute::AMOUNT, "is required".into());
        let failed = ErrorEnvelope::violations(violations.clone(), "req-1".into());
        insta::assert_snapshot!(pretty(&failure(&failed)), @r#"
        {
          code: 400
          status: "error"
          message: "The request has attributes that are missing or not valid."
          serviceCode: 822
          serviceSubject: "Phone Number"
          errors: {
            params: {
              number: [
                message "is too short; add digits"
                message "is \"odd\""
              ]
              amount: [
                message "is required"
              ]
            }
          }
          requestId: "req-1"
        }
        "#);
        let broke = violations.with_service(ServiceCode::AccountBalance);
        assert_eq!(
            ErrorEnvelope::violations(broke, String::new()).service,
            Some(ServiceCode::AccountBalance)
        );
    }

    #[test]
    fn a_missing_filter_is_405() {
        let mut violations = Violations::default();
        violations.add_missing_filter(&attribute::REFERENCE, "is required".into());
        let failed = ErrorEnvelope::violations(violations, "req-1".into());
        insta::assert_snapshot!(pretty(&failure(&failed)), @r#"
        {
          code: 405
          status: "error"
          message: "A required filter is missing."
          errors: {
            params: {
              mrcReference: [
                message "is required"
              ]
            }
          }
          requestId: "req-1"
        }
        "#);
    }

    #[test]
    fn a_fault_of_the_request_or_of_ours_is_a_list_of_sentences() {
        let unreadable = ErrorEnvelope::malformed(&Malformed::TooDeep, "req-1".into());
        insta::assert_snapshot!(pretty(&failure(&unreadable)), @r#"
        {
          code: 400
          status: "error"
          message: "The request cannot be read."
          errors: {
            request: [
              message "the body nests deeper than 32 levels; send a flatter one"
            ]
          }
          requestId: "req-1"
        }
        "#);
        let ours = ErrorEnvelope {
            status: 503,
            message: "A sentence.".into(),
            service: None,
            errors: Errors::System(vec!["One.".into(), "Two.".into()]),
            request_id: "req-1".into(),
        };
        insta::assert_snapshot!(pretty(&failure(&ours)), @r#"
        {
          code: 503
          status: "error"
          message: "A sentence."
          errors: {
            system: [
              message "One."
              message "Two."
            ]
          }
          requestId: "req-1"
        }
        "#);
    }
}
