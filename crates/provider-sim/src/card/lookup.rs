//! Which card a token stands for in the sandbox. It must not need the journal: a card is derived
//! from the seed and its token, so that every process sees the same.

use super::last_digits;
use crate::draw::Draw;
use crate::simulator::Simulator;
use async_trait::async_trait;
use domain::card::{CardToken, PaymentCard};
use ports::cards::PaymentCards;
use ports::provider::LookupFailure;

const BRANDS: [&str; 3] = ["Mastercard", "Verve", "Visa"];

#[async_trait]
impl PaymentCards for Simulator {
    async fn card(&self, token: &CardToken) -> Result<PaymentCard, LookupFailure> {
        let last = last_digits(token).ok_or(LookupFailure::Unknown)?;
        self.reach("card", last.as_str()).await?;
        let draw = Draw::new(self.settings.seed, &["payment-card", token.as_str()]);
        let mut brands = BRANDS.into_iter();
        let brand = brands.find(|brand| draw.one_in(brand, 2));
        Ok(PaymentCard {
            token: token.clone(),
            brand: brand.unwrap_or("Visa").to_owned(),
            last,
        })
    }
}
