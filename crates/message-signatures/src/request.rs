//! Signing and verifying requests to providers. A signature covers where the request goes, so it
//! must fail at every other path, method, body and provider.

use super::input::{read_input, read_tag};
use super::keys::is_token;
use super::{
    ReceivedFields, SignatureError, SignatureFields, SignatureKeys, base, covered, digest,
    is_in_window, sign,
};

/// The media type of every body of the provider protocol.
const MEDIA_TYPE: &str = "application/json";

/// What a signature of a request covers, beside its `Content-Type`, which is always
/// `application/json`, also where there is no body.
#[derive(Debug, Clone, Copy)]
pub struct RequestParts<'a> {
    /// The method, in capitals.
    pub method: &'a str,
    /// The whole address, such as `https://provider.example/v1/attempts`.
    pub target_uri: &'a str,
    /// The body; empty where there is none.
    pub body: &'a [u8],
}

/// A request whose signature fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedRequest {
    /// What may be used once.
    pub nonce: String,
    /// When it was signed, in seconds since the Unix epoch.
    pub created: i64,
}

impl RequestParts<'_> {
    fn lines<'a>(&'a self, content_digest: &'a str) -> [(&'static str, &'a str); 4] {
        [
            ("\"@method\"", self.method),
            ("\"@target-uri\"", self.target_uri),
            ("\"content-type\"", MEDIA_TYPE),
            ("\"content-digest\"", content_digest),
        ]
    }
}

/// Signs a request at a moment, in seconds since the Unix epoch, with a nonce of letters and digits
/// that was never used before.
pub fn sign_request(
    keys: &SignatureKeys,
    request: RequestParts<'_>,
    (created, nonce): (i64, &str),
) -> SignatureFields {
    debug_assert!(is_token(nonce), "a nonce is made of letters and digits");
    let content_digest = digest::content_digest(request.body);
    let lines = request.lines(&content_digest);
    let (signature_input, signature) = sign(keys, &lines, (created, Some(nonce)));
    SignatureFields {
        content_digest,
        signature_input,
        signature,
    }
}

/// Verifies a request that arrived with these fields and `Content-Type: application/json`. Whether
/// its nonce was used before is another question: [`super::NonceMemory`].
///
/// # Errors
/// When anything is not exactly as signed, or signed outside the clock window.
pub fn verify_request(
    keys: &SignatureKeys,
    request: RequestParts<'_>,
    (fields, now): (ReceivedFields<'_>, i64),
) -> Result<VerifiedRequest, SignatureError> {
    let lines = request.lines(fields.content_digest);
    let input = read_input(fields.signature_input, &covered(&lines))?;
    let nonce = input.nonce.ok_or(SignatureError::Input)?;
    let tag = read_tag(fields.signature)?;
    let fits = keys.verify(input.key_id, &base(&lines, input.parameters), &tag);
    if !fits.ok_or(SignatureError::Key)? {
        return Err(SignatureError::Mismatch);
    }
    if fields.content_digest != digest::content_digest(request.body) {
        return Err(SignatureError::Digest);
    }
    if !is_in_window(input.created, now) {
        return Err(SignatureError::Clock);
    }
    Ok(VerifiedRequest {
        nonce: nonce.to_owned(),
        created: input.created,
    })
}
