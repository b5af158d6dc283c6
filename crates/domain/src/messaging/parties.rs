//! Who sends a message to whom. What was looked up must stay as it was when the message was paid.

use crate::country::CountryCode;
use crate::phone::PhoneNumber;
use crate::sms::{Sender, SenderName, SenderSerial};

/// The parties as asked for, every value read and none looked up yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedParties {
    /// The country whose plan the number must be in.
    pub country: CountryCode,
    /// The number of the person.
    pub number: PhoneNumber,
    /// The brand that holds the number's block, as the plan says, where that is recorded.
    pub network: Option<String>,
    /// The sender to show, by its serial number.
    pub sender: SenderSerial,
}

impl AskedParties {
    /// The values that make one request another one: the country, the number and the sender.
    pub fn values(&self) -> [String; 3] {
        [
            self.country.to_string(),
            self.number.to_string(),
            self.sender.to_string(),
        ]
    }

    /// The same with the sender that was found.
    pub fn from_sender(&self, sender: &Sender) -> MessageParties {
        MessageParties {
            number: self.number.clone(),
            country: self.country,
            network: self.network.clone().unwrap_or_default(),
            sender: sender.serial.clone(),
            sender_name: sender.name.clone(),
        }
    }
}

/// The parties with everything looked up before the price was quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageParties {
    /// The number of the person.
    pub number: PhoneNumber,
    /// The country whose plan the number was checked against.
    pub country: CountryCode,
    /// Brand name of the network that holds the number's block, frozen for the report.
    pub network: String,
    /// Serial number of the sender.
    pub sender: SenderSerial,
    /// Name of the sender, frozen as approved.
    pub sender_name: SenderName,
}

impl MessageParties {
    /// One line for statements, after the name of the platform.
    pub fn narration(&self, platform: &str) -> String {
        format!(
            "{platform} {} to {}",
            self.sender_name.as_str(),
            self.number
        )
    }
}
