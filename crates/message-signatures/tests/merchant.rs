//! Signatures of merchants' requests: the worked example of the documentation is what is computed
//! here, and nothing of a request may change without its signature failing.
#![cfg(test)]

use message_signatures::{
    MerchantRequest, MerchantSignature, MerchantSignatureError as Refused, NonceMemory,
    SignatureKeys, VerifiedRequest, content_digest, sign_merchant_request, verify_merchant_request,
};

const PAGE: &str = include_str!("../../../docs/REQUEST-SIGNING.md");
const KEY: &str = "00c3a5d97b21f04e";
const NONCE: &str = "3f9a1c7e5b2d4860";
const CREATED: i64 = 1_796_040_000;
const BODY: &str = r#"{"mrcReference":"order-1042","number":"08031234567","amount":"100"}"#;

/// The bytes 0 to 31, whose base 64 the documentation shows.
fn keys() -> SignatureKeys {
    SignatureKeys::single(KEY, std::array::from_fn(|at| u8::try_from(at).unwrap()))
}

fn post(digest: &str) -> MerchantRequest<'_> {
    MerchantRequest {
        method: "POST",
        path: "/payment/airtime",
        query: None,
        content_digest: Some(digest),
        idempotency_key: None,
    }
}

fn signed(request: MerchantRequest<'_>) -> MerchantSignature {
    sign_merchant_request(&keys(), request, (CREATED, NONCE))
}

fn verified(
    request: MerchantRequest<'_>,
    signature: &MerchantSignature,
    now: i64,
) -> Result<VerifiedRequest, Refused> {
    let fields = (&*signature.signature_input, &*signature.signature);
    verify_merchant_request(&keys(), request, (fields, now))
}

#[test]
fn the_worked_example_is_what_is_computed() {
    let digest = content_digest(BODY.as_bytes());
    let signature = signed(post(&digest));
    let lines = [
        BODY.to_owned(),
        format!("Content-Digest: {digest}"),
        format!("Signature-Input: {}", signature.signature_input),
        format!("Signature: {}", signature.signature),
    ];
    for line in lines {
        let is_shown = PAGE.lines().any(|shown| shown == line);
        assert!(is_shown, "the page lacks the line {line}");
    }
    // As Python's hmac makes it, apart from this code.
    let elsewhere = "manilla=:kPIrHbuO9qKfZMQxmuaUeEJH/m17P0VI3gq6NXDjHTE=:";
    assert_eq!(signature.signature, elsewhere);
}

#[test]
fn a_request_is_authentic_as_it_was_signed_and_in_no_other_way() {
    let digest = content_digest(BODY.as_bytes());
    let request = MerchantRequest {
        query: Some("a=1&b=%20"),
        idempotency_key: Some("retry-1"),
        ..post(&digest)
    };
    let signature = signed(request);
    let authentic = VerifiedRequest {
        nonce: NONCE.to_owned(),
        created: CREATED,
    };
    assert_eq!(verified(request, &signature, CREATED), Ok(authentic));
    let other = content_digest(b"{}");
    let changed = [
        MerchantRequest {
            method: "PUT",
            ..request
        },
        MerchantRequest {
            path: "/payment/airtime/",
            ..request
        },
        MerchantRequest {
            query: Some("a=1&b=+"),
            ..request
        },
        MerchantRequest {
            query: None,
            ..request
        },
        MerchantRequest {
            content_digest: Some(&other),
            ..request
        },
        MerchantRequest {
            idempotency_key: Some("retry-2"),
            ..request
        },
    ];
    for request in changed {
        let refused = verified(request, &signature, CREATED);
        assert_eq!(refused, Err(Refused::Mismatch), "{request:?}");
    }
    let foreign = SignatureKeys::single(KEY, [9; 32]);
    let fields = (&*signature.signature_input, &*signature.signature);
    let refused = verify_merchant_request(&foreign, request, (fields, CREATED));
    assert_eq!(refused, Err(Refused::Mismatch));
    let unknown = SignatureKeys::single("00c3a5d97b21f04f", [9; 32]);
    let refused = verify_merchant_request(&unknown, request, (fields, CREATED));
    assert_eq!(refused, Err(Refused::Key));
}

#[test]
fn what_is_wrong_is_named() {
    let digest = content_digest(BODY.as_bytes());
    let request = post(&digest);
    let get = MerchantRequest {
        method: "GET",
        content_digest: None,
        ..request
    };
    let said = |request, signature: &MerchantSignature, now| {
        verified(request, signature, now).unwrap_err().to_string()
    };
    let of_get = signed(get);
    assert_eq!(
        verified(get, &of_get, CREATED + 300).map(|it| it.created),
        Ok(CREATED)
    );
    assert_eq!(
        said(request, &of_get, CREATED),
        "the signature does not cover \"content-digest\"; the components are (\"@method\" \
         \"@path\" \"@query\" \"content-digest\")"
    );
    let retried = MerchantRequest {
        idempotency_key: Some("retry-1"),
        ..get
    };
    assert!(said(retried, &of_get, CREATED).contains("does not cover \"idempotency-key\""));
    let bare = MerchantRequest {
        content_digest: None,
        ..request
    };
    assert!(said(bare, &of_get, CREATED).starts_with("a POST needs `Content-Digest`"));
    let two = format!("{digest}, sha-512=:AAAA:");
    for wrong in ["sha-512=:AAAA:", "sha-256=:AAAA:", &two] {
        let wrong = post(wrong);
        assert!(said(wrong, &signed(wrong), CREATED).contains("must be one digest"));
    }
    assert_eq!(
        said(get, &of_get, CREATED + 301),
        "`created` is 301 s ago; set the clock, and sign each request anew"
    );
    assert_eq!(
        said(get, &of_get, CREATED - 301),
        "`created` is 301 s in the future; set the clock, and sign each request anew"
    );
    let altered = |from: &str, to: &str| MerchantSignature {
        signature_input: of_get.signature_input.replace(from, to),
        ..of_get.clone()
    };
    for (from, to) in [
        ("manilla=", "sig1="),
        ("hmac-sha256", "hmac-sha512"),
        (";nonce=\"3f9a1c7e5b2d4860\"", ""),
        (";created=1796040000", ""),
        ("\"@query\")", "\"@query\" \"host\")"),
    ] {
        let refused = said(get, &altered(from, to), CREATED);
        assert!(
            refused.starts_with("`Signature-Input` must be manilla=(\"@method\""),
            "{refused}"
        );
    }
    let unreadable = MerchantSignature {
        signature: "manilla=:x".to_owned(),
        ..of_get.clone()
    };
    assert!(said(get, &unreadable, CREATED).contains("manilla=:base64:"));
}

#[test]
fn what_is_remembered_is_counted_until_it_is_forgotten() {
    let mut memory = NonceMemory::new(2);
    assert!(memory.is_empty());
    assert_eq!(memory.admit("a", 1_000, 1_000), Ok(()));
    memory.forget_before(1_300);
    assert_eq!(memory.len(), 1);
    memory.forget_before(1_301);
    assert!(memory.is_empty());
}
