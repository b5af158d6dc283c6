//! Codes that many redeem at once. It must not judge: it answers who was let.

use crate::merchant::{TestMerchant, fresh};
use serde_json::json;
use tokio::task::JoinSet;

/// A redemption that was made.
#[derive(Debug)]
pub struct MadeRedemption {
    /// Under which reference.
    pub reference: String,
    /// The answer.
    pub body: String,
}

/// Makes a voucher of 500.00, and a promo code that is used ten times.
pub async fn make(merchant: &TestMerchant) -> [String; 2] {
    let batch = json!({
        "mrcReference": fresh("voucher-"), "vchType": "voucher", "vchAmount": "500.00",
        "vchExpiry": "2029-12-31T00:00:00Z",
    });
    let promo = json!({
        "mrcReference": fresh("promo-"), "vchType": "promo", "vchPercent": "10", "vchUses": "10",
        "vchExpiry": "2029-12-31T00:00:00Z",
    });
    let mut codes = Vec::new();
    for body in [batch, promo] {
        let made = merchant.post("/voucher/create", &body).await;
        let made = made.with_status(200).json();
        let code = made["vouchers"][0]["vchCode"].as_str();
        codes.push(code.expect("a code").to_owned());
    }
    codes.try_into().expect("two codes")
}

/// Redeems a code so many times at once, each under a reference of its own, by turns as each of the
/// merchants; the redemptions that were made. One that is refused for the load is asked again.
pub async fn redeem(
    merchants: &[TestMerchant],
    times: usize,
    (code, amount): (&str, &str),
) -> Vec<MadeRedemption> {
    let mut at_once = JoinSet::new();
    for merchant in merchants.iter().cycle().take(times) {
        let (merchant, reference) = (merchant.clone(), fresh("use-"));
        let body = json!({"mrcReference": reference, "vchCode": code, "amount": amount});
        at_once.spawn(async move {
            loop {
                let answer = merchant.post("/voucher/redeem", &body).await;
                match answer.status {
                    200 => {
                        let body = answer.body;
                        break Some(MadeRedemption { reference, body });
                    }
                    409 => break None,
                    503 => tokio::task::yield_now().await,
                    _ => panic!("{answer:?}"),
                }
            }
        });
    }
    at_once.join_all().await.into_iter().flatten().collect()
}
