"""Signs and verifies with an implementation of RFC 9421 that is not ours.

Needs `pip install http-message-signatures==3.0.0`.

    independent_signatures.py sign   > vectors/signed-elsewhere.json
    independent_signatures.py verify < vectors/signed-here.json
"""

import base64
import datetime
import hashlib
import json
import sys
from types import SimpleNamespace

from http_message_signatures import (
    HTTPMessageSigner,
    HTTPMessageVerifier,
    MappingKeyResolver,
    algorithms,
)

SECRET = bytes(range(32))
KEYS = MappingKeyResolver(public_keys={"key-1": SECRET}, private_keys={"key-1": SECRET})
CREATED = datetime.datetime.fromtimestamp(1768467600, datetime.timezone.utc)
REQUEST = ("@method", "@target-uri", "content-type", "content-digest")
ANSWER = ("@status", "content-digest", '"@method";req', '"@target-uri";req', '"signature";req')


def digest(body):
    return "sha-256=:%s:" % base64.b64encode(hashlib.sha256(body).digest()).decode()


def request(method, target, body, headers):
    return SimpleNamespace(method=method, url=target, headers=headers, body=body)


def fields(message):
    names = ("Content-Digest", "Signature-Input", "Signature")
    return {name: message.headers[name] for name in names}


def sign():
    signer = HTTPMessageSigner(signature_algorithm=algorithms.HMAC_SHA256, key_resolver=KEYS)
    cases = []
    for method, path, body in (
        ("POST", "/v1/attempts", b'{"reference":"r"}'),
        ("GET", "/v1/attempts?after=10", b""),
    ):
        target = "https://provider.example:8443" + path
        headers = {"Content-Type": "application/json", "Content-Digest": digest(body)}
        asked = request(method, target, body, headers)
        signer.sign(
            asked, key_id="key-1", created=CREATED, nonce="nonce-1", label="manilla",
            covered_component_ids=REQUEST, use_existing_digest=True,
        )
        answer_body = b'{"state":"delivered"}'
        answer = SimpleNamespace(
            status_code=200, headers={"Content-Digest": digest(answer_body)}, request=asked
        )
        signer.sign(
            answer, key_id="key-1", created=CREATED, label="manilla",
            covered_component_ids=ANSWER, use_existing_digest=True,
        )
        cases.append({
            "method": method, "target": target, "body": body.decode(), "request": fields(asked),
            "status": 200, "answerBody": answer_body.decode(), "answer": fields(answer),
        })
    json.dump(cases, sys.stdout, indent=2)
    print()


class Verifier(HTTPMessageVerifier):
    def validate_created_and_expires(self, sig_input, max_age=None):
        """The vectors are of a fixed moment."""


def verify():
    for case in json.load(sys.stdin):
        verifier = Verifier(signature_algorithm=algorithms.HMAC_SHA256, key_resolver=KEYS)
        headers = {"Content-Type": "application/json", **case["request"]}
        body = case["body"].encode()
        asked = request(case["method"], case["target"], body, headers)
        assert headers["Content-Digest"] == digest(body)
        (result,) = verifier.verify(asked)
        assert tuple(c.strip('"') for c in result.covered_components if c != '"@signature-params"') == REQUEST
        answer = SimpleNamespace(
            status_code=case["status"], headers=dict(case["answer"]), request=asked
        )
        assert answer.headers["Content-Digest"] == digest(case["answerBody"].encode())
        verifier.verify(answer)
        for changed in (
            request(case["method"], case["target"] + "x", body, headers),
            request("PUT", case["target"], body, headers),
        ):
            try:
                verifier.verify(changed)
            except Exception:
                continue
            raise SystemExit("a changed request was accepted")
        print("verified", case["method"], case["target"], "and its answer")


{"sign": sign, "verify": verify}[sys.argv[1]]()
