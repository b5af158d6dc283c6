//! Signing and verifying answers of providers. The signature of an answer covers that of its
//! request, so an answer to another request, or an earlier one to the same, must fail.

use super::input::{read_input, read_tag};
use super::{
    ReceivedFields, SignatureError, SignatureFields, SignatureKeys, base, covered, digest,
    is_in_window, sign,
};

/// What a signature of an answer covers of the answer.
#[derive(Debug, Clone, Copy)]
pub struct AnswerParts<'a> {
    /// The status, such as 200.
    pub status: u16,
    /// The body.
    pub body: &'a [u8],
}

/// What a signature of an answer covers of its request.
#[derive(Debug, Clone, Copy)]
pub struct AnswerBinding<'a> {
    /// The method.
    pub method: &'a str,
    /// The whole address.
    pub target_uri: &'a str,
    /// The value of `Signature`.
    pub signature: &'a str,
}

fn lines<'a>(
    status: &'a str,
    content_digest: &'a str,
    request: AnswerBinding<'a>,
) -> [(&'static str, &'a str); 5] {
    [
        ("\"@status\"", status),
        ("\"content-digest\"", content_digest),
        ("\"@method\";req", request.method),
        ("\"@target-uri\";req", request.target_uri),
        ("\"signature\";req", request.signature),
    ]
}

/// Signs an answer at a moment, in seconds since the Unix epoch.
pub fn sign_answer(
    keys: &SignatureKeys,
    (answer, request): (AnswerParts<'_>, AnswerBinding<'_>),
    created: i64,
) -> SignatureFields {
    let content_digest = digest::content_digest(answer.body);
    let status = answer.status.to_string();
    let lines = lines(&status, &content_digest, request);
    let (signature_input, signature) = sign(keys, &lines, (created, None));
    SignatureFields {
        content_digest,
        signature_input,
        signature,
    }
}

/// Verifies an answer to a request that was sent.
///
/// # Errors
/// When anything is not exactly as signed, when it answers another request, or when it was signed
/// outside the clock window.
pub fn verify_answer(
    keys: &SignatureKeys,
    (answer, request): (AnswerParts<'_>, AnswerBinding<'_>),
    (fields, now): (ReceivedFields<'_>, i64),
) -> Result<(), SignatureError> {
    let status = answer.status.to_string();
    let lines = lines(&status, fields.content_digest, request);
    let input = read_input(fields.signature_input, &covered(&lines))?;
    let tag = read_tag(fields.signature)?;
    let fits = keys.verify(input.key_id, &base(&lines, input.parameters), &tag);
    if !fits.ok_or(SignatureError::Key)? {
        return Err(SignatureError::Mismatch);
    }
    if fields.content_digest != digest::content_digest(answer.body) {
        return Err(SignatureError::Digest);
    }
    if !is_in_window(input.created, now) {
        return Err(SignatureError::Clock);
    }
    Ok(())
}
