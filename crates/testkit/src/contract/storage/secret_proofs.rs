//! Laws of proofs of secrets: a store knows what it was used with.

use super::setup::Stores;
use ports::secret_proofs::{SecretKind, SecretProof};

fn pepper(byte: u8) -> SecretProof {
    SecretProof {
        kind: SecretKind::Pepper,
        generation: 1,
        proof: [byte; 32],
    }
}

fn key(generation: u32, byte: u8) -> SecretProof {
    SecretProof {
        kind: SecretKind::Key,
        generation,
        proof: [byte; 32],
    }
}

/// A proof that was accepted stays, and others are added to it.
pub async fn a_proof_that_was_accepted_stays(stores: &Stores) {
    let proofs = &stores.secret_proofs;
    assert_eq!(proofs.accepted_proofs().await.unwrap(), []);
    proofs.add_proofs(&[key(1, 1), pepper(9)]).await.unwrap();
    let first = [pepper(9), key(1, 1)];
    assert_eq!(proofs.accepted_proofs().await.unwrap(), first);
    let others = [pepper(8), key(1, 2), key(u32::MAX, 3)];
    proofs.add_proofs(&others).await.unwrap();
    let both = [pepper(9), key(1, 1), key(u32::MAX, 3)];
    assert_eq!(proofs.accepted_proofs().await.unwrap(), both);
}

/// Proofs that replace others are all that counts, and are added to like any.
pub async fn proofs_that_replace_others_are_all_that_counts(stores: &Stores) {
    let proofs = &stores.secret_proofs;
    let before = [pepper(9), key(1, 1), key(2, 2)];
    proofs.add_proofs(&before).await.unwrap();
    proofs
        .replace_proofs(&[pepper(7), key(1, 5)])
        .await
        .unwrap();
    proofs.add_proofs(&[pepper(6), key(3, 3)]).await.unwrap();
    let accepted = [pepper(7), key(1, 5), key(3, 3)];
    assert_eq!(proofs.accepted_proofs().await.unwrap(), accepted);
    proofs.replace_proofs(&before).await.unwrap();
    assert_eq!(proofs.accepted_proofs().await.unwrap(), before);
}
