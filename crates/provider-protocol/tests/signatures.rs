//! Signatures are those of RFC 9421 as another implementation makes and verifies them, and nothing
//! of a message may change without its signature failing.
#![cfg(test)]

use proptest::prelude::*;
use provider_protocol::signature::{
    AnswerBinding, AnswerParts, ReceivedFields, RequestParts, SignatureError, SignatureFields,
    SignatureKeys, VerifiedRequest, sign_answer, sign_request, verify_answer, verify_request,
};
use serde_json::{Value, json};

const CREATED: i64 = 1_768_467_600;
const SECRET: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER: &str = "HwECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

fn keys(text: &str) -> SignatureKeys {
    SignatureKeys::parse(text).unwrap()
}

fn key_1() -> SignatureKeys {
    keys(&format!("key-1 {SECRET}"))
}

fn received(fields: &SignatureFields) -> ReceivedFields<'_> {
    ReceivedFields {
        content_digest: &fields.content_digest,
        signature_input: &fields.signature_input,
        signature: &fields.signature,
    }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name]
        .as_str()
        .unwrap_or_else(|| panic!("no {name} in {value}"))
}

fn fields_of(value: &Value) -> ReceivedFields<'_> {
    ReceivedFields {
        content_digest: text(value, "Content-Digest"),
        signature_input: text(value, "Signature-Input"),
        signature: text(value, "Signature"),
    }
}

/// The cases of a file of vectors, verified.
fn verify_all(vectors: &str) -> usize {
    let cases: Vec<Value> = serde_json::from_str(vectors).unwrap();
    for case in &cases {
        let request = RequestParts {
            method: text(case, "method"),
            target_uri: text(case, "target"),
            body: text(case, "body").as_bytes(),
        };
        let fields = fields_of(&case["request"]);
        let verified = verify_request(&key_1(), request, (fields, CREATED));
        let nonce = "nonce-1".to_owned();
        let created = CREATED;
        assert_eq!(verified, Ok(VerifiedRequest { nonce, created }));
        let answer = AnswerParts {
            status: u16::try_from(case["status"].as_u64().unwrap()).unwrap(),
            body: text(case, "answerBody").as_bytes(),
        };
        let binding = AnswerBinding {
            method: request.method,
            target_uri: request.target_uri,
            signature: fields.signature,
        };
        let answered = (fields_of(&case["answer"]), CREATED);
        assert_eq!(verify_answer(&key_1(), (answer, binding), answered), Ok(()));
    }
    cases.len()
}

/// `signed-elsewhere.json` was written by `independent_signatures.py sign`, which signs with the
/// package `http-message-signatures` 3.0.0 for Python.
#[test]
fn what_another_implementation_signed_is_verified() {
    assert_eq!(verify_all(include_str!("vectors/signed-elsewhere.json")), 2);
}

fn vector(method: &str, path: &str, body: &str) -> Value {
    let target = format!("https://provider.example:8443{path}");
    let request = RequestParts {
        method,
        target_uri: &target,
        body: body.as_bytes(),
    };
    let signed = sign_request(&key_1(), request, (CREATED, "nonce-1"));
    let answer_body = r#"{"state":"delivered"}"#;
    let answer = AnswerParts {
        status: 200,
        body: answer_body.as_bytes(),
    };
    let binding = AnswerBinding {
        method,
        target_uri: &target,
        signature: &signed.signature,
    };
    let answered = sign_answer(&key_1(), (answer, binding), CREATED);
    let fields = |fields: &SignatureFields| {
        json!({
            "Content-Digest": fields.content_digest,
            "Signature-Input": fields.signature_input,
            "Signature": fields.signature,
        })
    };
    json!({
        "method": method, "target": target, "body": body, "request": fields(&signed),
        "status": 200, "answerBody": answer_body, "answer": fields(&answered),
    })
}

/// `signed-here.json` is what this crate signs. `independent_signatures.py verify` accepted every
/// case of it, and refused each with another path or method.
#[test]
fn what_is_signed_here_is_what_another_implementation_verified() {
    let made = json!([
        vector("POST", "/v1/attempts", r#"{"reference":"r"}"#),
        vector("GET", "/v1/attempts?after=10", ""),
    ]);
    let made = format!("{made:#}\n");
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/vectors/signed-here.json"
    );
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &made).unwrap();
    }
    assert_eq!(made, std::fs::read_to_string(path).unwrap());
    assert_eq!(verify_all(&made), 2);
}

const REQUEST: RequestParts<'_> = RequestParts {
    method: "POST",
    target_uri: "https://provider.example/v1/attempts",
    body: b"{}",
};

fn verified(
    keys: &SignatureKeys,
    request: RequestParts<'_>,
    fields: &SignatureFields,
) -> Result<VerifiedRequest, SignatureError> {
    verify_request(keys, request, (received(fields), CREATED))
}

#[test]
fn nothing_of_a_request_may_change() {
    let fields = sign_request(&key_1(), REQUEST, (CREATED, "n1"));
    assert!(verified(&key_1(), REQUEST, &fields).is_ok());
    for changed in [
        RequestParts {
            method: "PUT",
            ..REQUEST
        },
        RequestParts {
            target_uri: "https://provider.example/v1/attempts/x/seal",
            ..REQUEST
        },
        RequestParts {
            target_uri: "http://provider.example/v1/attempts",
            ..REQUEST
        },
        RequestParts {
            target_uri: "https://other.example/v1/attempts",
            ..REQUEST
        },
    ] {
        let refused = verified(&key_1(), changed, &fields);
        assert_eq!(refused, Err(SignatureError::Mismatch), "{changed:?}");
    }
    let body = RequestParts {
        body: b"{ }",
        ..REQUEST
    };
    assert_eq!(
        verified(&key_1(), body, &fields),
        Err(SignatureError::Digest)
    );
    let other_digest = sign_request(&key_1(), body, (CREATED, "n1")).content_digest;
    let swapped = SignatureFields {
        content_digest: other_digest,
        ..fields
    };
    assert_eq!(
        verified(&key_1(), body, &swapped),
        Err(SignatureError::Mismatch)
    );
}

#[test]
fn a_request_is_accepted_within_five_minutes_on_either_side() {
    let fields = sign_request(&key_1(), REQUEST, (CREATED, "n1"));
    let at = |now| verify_request(&key_1(), REQUEST, (received(&fields), now));
    for now in [CREATED - 300, CREATED + 300] {
        assert!(at(now).is_ok(), "{now}");
    }
    for now in [CREATED - 301, CREATED + 301, i64::MIN, i64::MAX] {
        assert_eq!(at(now), Err(SignatureError::Clock), "{now}");
    }
}

#[test]
fn a_key_is_replaced_without_a_gap() {
    let old = keys(&format!("old {SECRET}"));
    let both = keys(&format!("old {SECRET}\nnew {OTHER}"));
    let turned = keys(&format!("new {OTHER}\nold {SECRET}"));
    let new = keys(&format!("new {OTHER}"));
    for (signer, verifier, accepted) in [
        (&old, &both, true),
        (&both, &old, true),
        (&turned, &both, true),
        (&both, &turned, true),
        (&turned, &new, true),
        (&old, &new, false),
        (&turned, &old, false),
    ] {
        let fields = sign_request(signer, REQUEST, (CREATED, "n1"));
        let result = verified(verifier, REQUEST, &fields);
        assert_eq!(result.is_ok(), accepted, "{signer:?} {verifier:?}");
        assert!(accepted || result == Err(SignatureError::Key));
    }
    let same_name = keys(&format!("old {OTHER}"));
    let fields = sign_request(&old, REQUEST, (CREATED, "n1"));
    assert_eq!(
        verified(&same_name, REQUEST, &fields),
        Err(SignatureError::Mismatch)
    );
}

#[test]
fn an_answer_is_that_of_its_own_request() {
    let first = sign_request(&key_1(), REQUEST, (CREATED, "n1"));
    let second = sign_request(&key_1(), REQUEST, (CREATED, "n2"));
    let binding = |signature| AnswerBinding {
        method: "POST",
        target_uri: REQUEST.target_uri,
        signature,
    };
    let answer = AnswerParts {
        status: 200,
        body: b"{}",
    };
    let fields = sign_answer(&key_1(), (answer, binding(&first.signature)), CREATED);
    let check =
        |answer, binding| verify_answer(&key_1(), (answer, binding), (received(&fields), CREATED));
    assert_eq!(check(answer, binding(&first.signature)), Ok(()));
    let mismatch = Err(SignatureError::Mismatch);
    assert_eq!(check(answer, binding(&second.signature)), mismatch);
    assert_eq!(
        check(
            AnswerParts {
                status: 202,
                ..answer
            },
            binding(&first.signature)
        ),
        mismatch
    );
    let body = AnswerParts {
        body: b"[]",
        ..answer
    };
    assert_eq!(
        check(body, binding(&first.signature)),
        Err(SignatureError::Digest)
    );
    let method = AnswerBinding {
        method: "GET",
        ..binding(&first.signature)
    };
    assert_eq!(check(answer, method), mismatch);
}

/// A request's signature is none of an answer, and the reverse: the covered lists differ.
#[test]
fn only_the_profile_is_read() {
    let fields = sign_request(&key_1(), REQUEST, (CREATED, "n1"));
    let input = |from: &str, to: &str| {
        assert!(fields.signature_input.contains(from), "{from}");
        let signature_input = fields.signature_input.replacen(from, to, 1);
        let changed = SignatureFields {
            signature_input,
            ..fields.clone()
        };
        verified(&key_1(), REQUEST, &changed)
    };
    for (from, to) in [
        ("manilla=", "sig1="),
        ("manilla=", " manilla="),
        ("\"@method\" ", ""),
        (" \"content-digest\"", ""),
        ("\"@method\" \"@target-uri\"", "\"@target-uri\" \"@method\""),
        (";nonce=\"n1\"", ""),
        (";nonce=\"n1\"", ";nonce=\"n1\";nonce=\"n2\""),
        (";nonce=\"n1\"", ";nonce=\"n1\";tag=\"x\""),
        (";nonce=\"n1\"", ";nonce=\"n\\\"1\""),
        (";alg=\"hmac-sha256\"", ""),
        ("hmac-sha256", "hmac-sha1"),
        ("created=", "created=+"),
        ("created=", "created=0"),
        (";created", "; created"),
        ("hmac-sha256\"", "hmac-sha256\", other=()"),
    ] {
        assert_eq!(
            input(from, to),
            Err(SignatureError::Input),
            "{from} -> {to}"
        );
    }
    let tag = SignatureFields {
        signature: "manilla=abc".to_owned(),
        ..fields.clone()
    };
    assert_eq!(verified(&key_1(), REQUEST, &tag), Err(SignatureError::Form));
    let short = SignatureFields {
        signature: "manilla=:AAAA:".to_owned(),
        ..fields
    };
    assert_eq!(
        verified(&key_1(), REQUEST, &short),
        Err(SignatureError::Mismatch)
    );
}

proptest! {
    #[test]
    fn no_header_makes_a_reader_panic(
        (digest, input, signature) in ("\\PC{0,80}", "manilla=\\PC{0,120}", "manilla=:\\PC{0,80}"),
    ) {
        let fields = ReceivedFields {
            content_digest: &digest,
            signature_input: &input,
            signature: &signature,
        };
        prop_assert!(verify_request(&key_1(), REQUEST, (fields, CREATED)).is_err());
    }
}
