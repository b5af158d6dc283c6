//! Requests signed as they should be, and as they should not. A broken signature must differ from a
//! right one in exactly one thing.

use crate::upstream::Upstream;
use crate::wire_message::{WireAnswer, WireRequest, single};
use provider_protocol::signature::{
    AnswerBinding, AnswerParts, ReceivedFields, RequestParts, SignatureError, SignatureKeys,
    sign_request, verify_answer,
};
use provider_protocol::{MEDIA_TYPE, PATH_PREFIX, VERSION, VERSION_HEADER};

/// Which key signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignerKey {
    /// The shared one.
    Shared,
    /// Another secret under the identifier of the shared one.
    WrongSecret,
    /// A key that the provider does not have.
    UnknownId,
}

/// How a request is signed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signing<'a> {
    pub(crate) key: SignerKey,
    /// Seconds that are added to the time of signing.
    pub(crate) skew: i64,
    /// The method and path that are signed, where those are not the request's.
    pub(crate) instead_of: Option<(&'a str, &'a str)>,
    /// The body that is sent after another one was signed.
    pub(crate) altered: Option<&'a [u8]>,
    /// Whether the fields of the signature are left out.
    pub(crate) left_out: bool,
}

impl Signing<'_> {
    pub(crate) const RIGHT: Self = Self {
        key: SignerKey::Shared,
        skew: 0,
        instead_of: None,
        altered: None,
        left_out: false,
    };
}

/// A request that is ready to go, and what its answer is bound to.
#[derive(Debug, Clone)]
pub(crate) struct SignedRequest {
    pub(crate) wire: WireRequest,
    pub(crate) target_uri: String,
    pub(crate) signature: String,
}

/// The keys that the kit signs with.
#[derive(Debug, Clone)]
pub(crate) struct KitKeys {
    shared: SignatureKeys,
    wrong_secret: SignatureKeys,
    unknown_id: SignatureKeys,
}

/// A secret that no provider has.
pub(crate) const OTHER_SECRET: &str = "bm90IHRoZSBzZWNyZXQgdGhhdCBib3RoIHNpZGVzIGhhdmUu";

impl KitKeys {
    /// Another secret under the identifier of the shared key.
    pub(crate) const fn wrong_secret(&self) -> &SignatureKeys {
        &self.wrong_secret
    }

    pub(crate) fn new(shared: SignatureKeys, current_id: &str) -> Option<Self> {
        let other = |id: &str| SignatureKeys::parse(&format!("{id} {OTHER_SECRET}")).ok();
        Some(Self {
            shared,
            wrong_secret: other(current_id)?,
            unknown_id: other("no-such-key")?,
        })
    }

    pub(crate) const fn shared(&self) -> &SignatureKeys {
        &self.shared
    }

    /// A request for a path below `/v1`.
    pub(crate) fn request(
        &self,
        upstream: &Upstream,
        (method, path, body): (&str, &str, &[u8]),
        (signing, created, nonce): (Signing<'_>, i64, &str),
    ) -> SignedRequest {
        let path = format!("{PATH_PREFIX}{path}");
        let (signed_method, signed_path) = signing
            .instead_of
            .map_or((method, path.clone()), |(method, path)| {
                (method, format!("{PATH_PREFIX}{path}"))
            });
        let keys = match signing.key {
            SignerKey::Shared => &self.shared,
            SignerKey::WrongSecret => &self.wrong_secret,
            SignerKey::UnknownId => &self.unknown_id,
        };
        let parts = RequestParts {
            method: signed_method,
            target_uri: &upstream.target_uri(&signed_path),
            body,
        };
        let created = created.saturating_add(signing.skew);
        let fields = sign_request(keys, parts, (created, nonce));
        let mut headers = vec![
            ("Host".to_owned(), upstream.authority.clone()),
            ("Content-Type".to_owned(), MEDIA_TYPE.to_owned()),
            (VERSION_HEADER.to_owned(), VERSION.to_owned()),
            ("Connection".to_owned(), "close".to_owned()),
        ];
        if !signing.left_out {
            headers.extend([
                ("Content-Digest".to_owned(), fields.content_digest),
                ("Signature-Input".to_owned(), fields.signature_input),
                ("Signature".to_owned(), fields.signature.clone()),
            ]);
        }
        SignedRequest {
            wire: WireRequest {
                method: method.to_owned(),
                path: upstream.path_of(&path),
                headers,
                body: signing.altered.unwrap_or(body).to_vec(),
            },
            target_uri: upstream.target_uri(&path),
            signature: fields.signature,
        }
    }

    /// What is wrong with the signature of an answer.
    pub(crate) fn flaw(
        &self,
        answer: &WireAnswer,
        request: &SignedRequest,
        now: i64,
    ) -> Option<AnswerFlaw> {
        let field = |name| single(&answer.headers, name);
        let (Some(content_digest), Some(signature_input), Some(signature)) = (
            field("content-digest"),
            field("signature-input"),
            field("signature"),
        ) else {
            return Some(AnswerFlaw::Unsigned);
        };
        let fields = ReceivedFields {
            content_digest,
            signature_input,
            signature,
        };
        let parts = AnswerParts {
            status: answer.status,
            body: &answer.body,
        };
        let binding = AnswerBinding {
            method: &request.wire.method,
            target_uri: &request.target_uri,
            signature: &request.signature,
        };
        match verify_answer(&self.shared, (parts, binding), (fields, now)) {
            Ok(()) => None,
            // The list of components is wrong, or they are not those of this exchange.
            Err(SignatureError::Mismatch) => Some(AnswerFlaw::Unbound),
            Err(error) => Some(AnswerFlaw::Signature(error)),
        }
    }
}

/// Why an answer is not authentic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AnswerFlaw {
    /// It has no signature.
    #[error("it is not signed: `Content-Digest`, `Signature-Input` and `Signature` must be there")]
    Unsigned,
    /// The signature is of another exchange, or of another secret.
    #[error("its signature does not cover this status, body and request with the shared key")]
    Unbound,
    /// Anything else.
    #[error("{0}")]
    Signature(SignatureError),
}
