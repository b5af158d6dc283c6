//! What an operator answers about a wallet. It must not need the journal: a wallet is derived from
//! the seed, its operator and its number, so that every process sees the same.

use crate::draw::Draw;
use crate::people;
use crate::simulator::Simulator;
use async_trait::async_trait;
use domain::mobile_money::{MobileWallet, MobileWalletStatus};
use domain::phone::PhoneNumber;
use domain::sandbox::TestNumber;
use domain::subscription::BillerCode;
use ports::mobile_money::MobileWallets;
use ports::provider::LookupFailure;

#[async_trait]
impl MobileWallets for Simulator {
    async fn wallet(
        &self,
        operator: &BillerCode,
        number: &PhoneNumber,
    ) -> Result<MobileWallet, LookupFailure> {
        self.reach("wallet", number.digits()).await?;
        let mut operators = self.catalogue.mobile_money.iter();
        if !operators.any(|it| it.code == *operator) {
            return Err(LookupFailure::Unknown);
        }
        Ok(wallet(self.settings.seed, operator, number))
    }
}

fn wallet(seed: u64, operator: &BillerCode, number: &PhoneNumber) -> MobileWallet {
    let draw = Draw::new(seed, &["wallet", operator.as_str(), number.digits()]);
    MobileWallet {
        operator: operator.clone(),
        number: number.clone(),
        name: people::surname_first(&draw),
        status: if TestNumber::of(number.digits()) == Some(TestNumber::WalletClosed) {
            MobileWalletStatus::Unavailable
        } else {
            MobileWalletStatus::Available
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wallet_is_always_the_same_and_closed_by_the_end_of_its_number() {
        let operator = BillerCode::parse("901").unwrap();
        let of = |number: &str| wallet(7, &operator, &PhoneNumber::parse(number).unwrap());
        assert_eq!(of("2348031236789"), of("2348031236789"));
        assert_ne!(of("2348031236789").name, of("2348031236790").name);
        let statuses = ["2348031230024", "2348031230023", "2348030024000"].map(|it| of(it).status);
        let (open, closed) = (
            MobileWalletStatus::Available,
            MobileWalletStatus::Unavailable,
        );
        assert_eq!(statuses, [closed, open, open]);
    }
}
