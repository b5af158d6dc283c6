//! Signing and verifying requests of merchants. Host and scheme are not covered, because a proxy
//! may change both; a signature must fail at every other method, path, query and body.

use super::digest::is_content_digest;
use super::input::{read_input, read_tag};
use super::keys::is_token;
use super::{ALGORITHM, LABEL, SignatureKeys, VerifiedRequest, base, covered, is_in_window, sign};

/// What a signature of a merchant's request covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MerchantRequest<'a> {
    /// The method, in capitals.
    pub method: &'a str,
    /// The path as it is sent, with its percent-encoding.
    pub path: &'a str,
    /// What stands after the question mark; `None` where there is none.
    pub query: Option<&'a str>,
    /// `Content-Digest`, which every request with a body has.
    pub content_digest: Option<&'a str>,
    /// `Idempotency-Key`, where the request has one.
    pub idempotency_key: Option<&'a str>,
}

/// The header fields that a signature adds to a merchant's request, beside `Content-Digest`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MerchantSignature {
    /// `Signature-Input`.
    pub signature_input: String,
    /// `Signature`.
    pub signature: String,
}

/// Why a merchant's request is not accepted as authentic.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MerchantSignatureError {
    /// A component of the request is not covered.
    #[error("the signature does not cover {0}; the components are {1}")]
    Uncovered(&'static str, String),
    /// `Signature-Input` is not exactly of the profile.
    #[error(
        "`Signature-Input` must be {LABEL}={0} and then created, keyid, nonce and \
         alg=\"{ALGORITHM}\", each once; keyid and nonce are up to 64 characters out of \
         A-Z a-z 0-9 . _ -"
    )]
    Input(String),
    /// `Signature` has not the form `manilla=:base64:`.
    #[error("`Signature` must have the form {LABEL}=:base64:")]
    Form,
    /// `Content-Digest` is missing at a request with a body.
    #[error("a POST needs `Content-Digest`: sha-256=:base64 of the SHA-256 of the body:")]
    NoDigest,
    /// `Content-Digest` is not a SHA-256 in base 64.
    #[error("`Content-Digest` must be one digest: sha-256=:base64 of the SHA-256 of the body:")]
    DigestForm,
    /// The key is not that of the request.
    #[error("the `keyid` is not known; it is the keyIdentifier of the key of the request")]
    Key,
    /// Signed too long ago, or in the future; by how many seconds the present is later.
    #[error("`created` is {} s {}; set the clock, and sign each request anew", .0.unsigned_abs(),
        if *.0 > 0 { "ago" } else { "in the future" })]
    Clock(i64),
    /// The signature is not of these components.
    #[error(
        "the signature does not fit the request and the key; it is made over the method, path and \
         query as they are sent, with the keySigningSecret decoded from base 64"
    )]
    Mismatch,
}

impl<'a> MerchantRequest<'a> {
    /// The lines of the signature base, in the order of the profile; `query` has its question mark
    /// (RFC 9421 §2.2.7).
    fn lines(&self, query: &'a str) -> Vec<(&'static str, &'a str)> {
        let always = [
            ("\"@method\"", self.method),
            ("\"@path\"", self.path),
            ("\"@query\"", query),
        ];
        let digest = self.content_digest.map(|it| ("\"content-digest\"", it));
        let retry = self.idempotency_key.map(|it| ("\"idempotency-key\"", it));
        always.into_iter().chain(digest).chain(retry).collect()
    }

    fn query_line(&self) -> String {
        format!("?{}", self.query.unwrap_or_default())
    }
}

/// Signs a request at a moment, in seconds since the Unix epoch, with a nonce of letters and digits
/// that was never used before.
pub fn sign_merchant_request(
    keys: &SignatureKeys,
    request: MerchantRequest<'_>,
    (created, nonce): (i64, &str),
) -> MerchantSignature {
    debug_assert!(is_token(nonce), "a nonce is made of letters and digits");
    let query = request.query_line();
    let lines = request.lines(&query);
    let (signature_input, signature) = sign(keys, &lines, (created, Some(nonce)));
    MerchantSignature {
        signature_input,
        signature,
    }
}

/// Verifies the head of a request that arrived with `Signature-Input` and `Signature`. Whether its
/// body has the digest, and whether its nonce was used before, are other questions.
///
/// # Errors
/// When anything is not exactly as signed, or signed outside the clock window.
pub fn verify_merchant_request(
    keys: &SignatureKeys,
    request: MerchantRequest<'_>,
    ((signature_input, signature), now): ((&str, &str), i64),
) -> Result<VerifiedRequest, MerchantSignatureError> {
    if request.method == "POST" && request.content_digest.is_none() {
        return Err(MerchantSignatureError::NoDigest);
    }
    if request
        .content_digest
        .is_some_and(|it| !is_content_digest(it))
    {
        return Err(MerchantSignatureError::DigestForm);
    }
    let query = request.query_line();
    let lines = request.lines(&query);
    let components = covered(&lines);
    let input = read_input(signature_input, &components);
    let input = input.map_err(|_| wrong_input(signature_input, &lines))?;
    let Some(nonce) = input.nonce else {
        return Err(MerchantSignatureError::Input(components));
    };
    let tag = read_tag(signature).map_err(|_| MerchantSignatureError::Form)?;
    let fits = keys.verify(input.key_id, &base(&lines, input.parameters), &tag);
    if !fits.ok_or(MerchantSignatureError::Key)? {
        return Err(MerchantSignatureError::Mismatch);
    }
    if !is_in_window(input.created, now) {
        let late = now.saturating_sub(input.created);
        return Err(MerchantSignatureError::Clock(late));
    }
    Ok(VerifiedRequest {
        nonce: nonce.to_owned(),
        created: input.created,
    })
}

/// What is wrong with a value of `Signature-Input` that could not be read: what it does not cover,
/// where that is it.
fn wrong_input(value: &str, lines: &[(&'static str, &str)]) -> MerchantSignatureError {
    let components = covered(lines);
    let list = value
        .split_once('(')
        .and_then(|(_, rest)| rest.split_once(')'));
    let listed: Vec<_> = list.map_or(vec![], |(list, _)| list.split(' ').collect());
    let mut needed = lines.iter().map(|(component, _)| *component);
    match needed.find(|component| !listed.contains(component)) {
        Some(component) => MerchantSignatureError::Uncovered(component, components),
        None => MerchantSignatureError::Input(components),
    }
}
