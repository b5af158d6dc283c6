//! Codes out of the pepper and the seed of their batch, and the hashes that they are found by. A
//! code must never be stored or logged.

use crate::pepper::Pepper;
use crate::prefixed_parts::PrefixedParts;
use domain::account::AccountId;
use domain::voucher::{VoucherBatch, VoucherCode, VoucherCodeHash};

/// The purposes of the keys that codes are made and hashed with.
const CODE: &str = "manilla voucher code v1";
const HASH: &str = "manilla voucher-code hash v1";

/// The codes of a batch, in the order of their places. The same batch has the same codes, and
/// neither the pepper nor the row of the batch alone says one.
pub(super) fn of_batch(pepper: &Pepper, batch: &VoucherBatch) -> Vec<VoucherCode> {
    let key = pepper.for_purpose(CODE);
    let number = batch.number.get().to_be_bytes();
    let code = |position: u32| {
        let message = PrefixedParts::default()
            .with(batch.account.as_str().as_bytes())
            .with(&number)
            .with(&batch.seed.0)
            .with(&position.to_be_bytes());
        let drawn = key.authenticate(message.as_bytes());
        let random = drawn.first_chunk().copied().unwrap_or_default();
        VoucherCode::mint(batch.prefix.as_ref(), random)
    };
    batch.ids().map(|id| code(id.position)).collect()
}

/// The hash that a code of an account is stored as.
pub(super) fn hash(pepper: &Pepper, account: &AccountId, code: &VoucherCode) -> VoucherCodeHash {
    let message = PrefixedParts::default()
        .with(account.as_str().as_bytes())
        .with(code.canonical().as_bytes());
    VoucherCodeHash(pepper.for_purpose(HASH).authenticate(message.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use testkit::builders::{account_id, gift_cards};

    const PEPPER: Pepper = Pepper::new([9; 32]);

    fn texts(pepper: &Pepper, batch: &VoucherBatch) -> Vec<String> {
        let codes = of_batch(pepper, batch);
        codes.iter().map(VoucherCode::reveal).collect()
    }

    #[test]
    fn a_batch_has_the_same_codes_each_time_and_no_other_has_them() {
        let batch = gift_cards("shop", 7, "batch-1");
        let codes = texts(&PEPPER, &batch);
        assert_eq!(codes, texts(&PEPPER, &batch));
        let mut others = vec![texts(&Pepper::new([8; 32]), &batch)];
        let mut changed = gift_cards("shop", 7, "batch-1");
        changed.seed.0[0] = 0;
        others.push(texts(&PEPPER, &changed));
        others.push(texts(&PEPPER, &gift_cards("shop", 8, "batch-1")));
        others.push(texts(&PEPPER, &gift_cards("other", 7, "batch-1")));
        others.push(codes);
        let all: HashSet<_> = others.iter().flatten().collect();
        assert_eq!(all.len(), 10);
    }

    #[test]
    fn a_hash_is_of_one_account_and_however_the_code_is_written() {
        let batch = gift_cards("shop", 7, "batch-1");
        let code = of_batch(&PEPPER, &batch).remove(0);
        let typed = VoucherCode::parse(&code.reveal().to_lowercase()).unwrap();
        let shop = account_id("shop");
        let stored = hash(&PEPPER, &shop, &code);
        assert_eq!(stored, hash(&PEPPER, &shop, &typed));
        assert_ne!(stored, hash(&PEPPER, &account_id("other"), &code));
        assert_ne!(stored, hash(&Pepper::new([8; 32]), &shop, &code));
    }
}
