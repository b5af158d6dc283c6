//! What a register of ported numbers answers. It must not need the journal, nor know any numbering
//! plan: a number that forces nothing is not in the register.

use crate::script::{NumberScript, SLOW_LOOKUP};
use crate::simulator::Simulator;
use async_trait::async_trait;
use domain::country::CountryCode;
use domain::phone::{PhoneNumber, ServedNumber, ServingOperator};
use ports::number_operators::NumberOperators;
use ports::provider::LookupFailure;

/// The network that a number which is forced to be ported was ported to.
const PORTED_TO: &str = "airtel";

#[async_trait]
impl NumberOperators for Simulator {
    async fn served_number(
        &self,
        number: &PhoneNumber,
        _country: CountryCode,
    ) -> Result<ServedNumber, LookupFailure> {
        self.reach("operator", number.digits()).await?;
        let operator = match NumberScript::forced(number.digits()) {
            Some(NumberScript::Ported) => ServingOperator::Named(PORTED_TO.to_owned()),
            Some(NumberScript::PortedElsewhere) => ServingOperator::PortedElsewhere,
            Some(NumberScript::Slow) => {
                self.clock.sleep(SLOW_LOOKUP).await;
                ServingOperator::Named(PORTED_TO.to_owned())
            }
            None => return Err(LookupFailure::Unknown),
        };
        Ok(ServedNumber {
            number: number.clone(),
            operator,
        })
    }
}
