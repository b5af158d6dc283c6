//! Signed requests of a merchant. It must sign as the documentation has it: whether the gateway
//! takes that is for the suites to see.

use crate::answer::HttpAnswer;
use crate::merchant::{TestMerchant, fresh, send};
use crate::patience::time_of_day;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use message_signatures::{
    MerchantRequest, MerchantSignature, SignatureKeys, content_digest, sign_merchant_request,
};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

/// A client with a key whose requests are signed.
#[derive(Debug, Clone)]
pub struct SigningMerchant {
    /// The client, whose own requests are not signed.
    pub merchant: TestMerchant,
    /// The number of the key.
    pub id: String,
    /// The key itself.
    pub key: String,
    /// Its signing secret, in base 64.
    pub secret: String,
    keys: SignatureKeys,
}

impl SigningMerchant {
    /// Makes a key with these scopes.
    pub async fn make(owner: &TestMerchant, scopes: &str) -> Self {
        let key = json!({"keyName": fresh("Key "), "keyScopes": scopes, "keySigned": true});
        let made = owner.post("/account/keys", &key).await.with_status(201);
        let (id, key) = (made.text("keyIdentifier"), made.text("keySecret"));
        let secret = made.text("keySigningSecret");
        let bytes = BASE64_STANDARD.decode(&secret).unwrap();
        Self {
            merchant: owner.as_key(&key),
            keys: SignatureKeys::single(&*id, bytes.try_into().unwrap()),
            id,
            key,
            secret,
        }
    }

    /// The same client of another server.
    #[must_use]
    pub fn as_client(&self, merchant: &TestMerchant) -> Self {
        Self {
            merchant: merchant.as_key(&self.key),
            ..self.clone()
        }
    }

    /// Asks with a nonce, and reads the whole answer.
    pub async fn get(&self, path: &str, nonce: &str) -> HttpAnswer {
        let signature = self.sign(("GET", path, None), nonce);
        send(signed(self.merchant.request(Method::GET, path), signature)).await
    }

    /// Posts with a nonce, and reads the whole answer.
    pub async fn post(&self, path: &str, body: &Value, nonce: &str) -> HttpAnswer {
        let body = self.merchant.completed(&body.to_string());
        let digest = content_digest(body.as_bytes());
        let signature = self.sign(("POST", path, Some(&digest)), nonce);
        let request = self.merchant.posting(path, body);
        send(signed(request, signature).header("content-digest", digest)).await
    }

    fn sign(
        &self,
        (method, path, digest): (&str, &str, Option<&str>),
        nonce: &str,
    ) -> MerchantSignature {
        let request = MerchantRequest {
            method,
            path,
            query: None,
            content_digest: digest,
            idempotency_key: None,
        };
        let now = time_of_day().as_millis() / 1_000;
        sign_merchant_request(&self.keys, request, (now, nonce))
    }
}

fn signed(request: RequestBuilder, signature: MerchantSignature) -> RequestBuilder {
    request
        .header("signature-input", signature.signature_input)
        .header("signature", signature.signature)
}
