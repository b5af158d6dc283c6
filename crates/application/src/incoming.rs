//! Messages that people send to senders of accounts: whose one is, and whether a conversation is
//! open. A message must never be recorded for an account that is only likely to be meant.

use crate::gateway::{Gateway, Merchant};
use crate::request_error::RequestError;
use crate::routes::{RouteDraw, RouteQuery};
use domain::account::AccountId;
use domain::country::CountryCode;
use domain::environment::Environment;
use domain::messaging::{
    Conversation, IncomingMessage, IncomingMessageId, IncomingMessagesQuery, MessageChannel,
    ReceivedMessage,
};
use domain::order::Order;
use domain::phone::PhoneNumber;
use domain::provider::ProviderId;
use domain::reference::MerchantReference;
use domain::sandbox::TestNumber;
use domain::sms::{SenderName, SenderSerial};
use ports::callbacks::MessageReport;
pub use ports::incoming_messages::IncomingMessagesPage;
use ports::incoming_messages::IncomingRecording;
use ports::{PortError, PortErrorKind};
use std::time::Duration;

/// For how long incoming messages are kept: long enough for a merchant that was away to read them,
/// and no longer, since they are what people wrote.
pub const KEPT_FOR: Duration = Duration::from_hours(90 * 24);

/// How many are kept of an account at most, the newest: a thousand a day for as long as they are
/// kept, and few enough that one account cannot fill the store.
pub const KEPT_MAX: u32 = 100_000;

/// How many numbers are drawn for a message: that even two are in use does not happen.
const DRAWS_MAX: usize = 8;

/// Most messages that one callback may bring.
pub(crate) const MESSAGES_MAX: usize = 100;

/// Whose a message is.
struct MessageOwner {
    account: AccountId,
    /// As it was registered.
    sender: SenderName,
    reply_to: Option<MerchantReference>,
}

impl Gateway {
    /// A part of the messages to the senders of a merchant.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn incoming_messages(
        &self,
        merchant: &Merchant,
        query: &IncomingMessagesQuery,
    ) -> Result<IncomingMessagesPage, PortError> {
        let account = &merchant.account.id;
        self.parts()
            .incoming
            .incoming_messages(account, query)
            .await
    }

    /// Records a message that a provider reports, and its event. One that was recorded before
    /// changes nothing; one of no account, or of which it is not certain whose it is, is logged and
    /// forgotten.
    ///
    /// # Errors
    /// When the store failed, and where no route leads to the provider, so that whose accounts it
    /// serves is not known: the provider has to report it again.
    pub(crate) async fn take_message(
        &self,
        provider: &ProviderId,
        report: MessageReport,
    ) -> Result<(), PortError> {
        let channel = report.message.channel.code();
        let Some(received) = report.message.clone().by(self.now()) else {
            tracing::warn!(%provider, channel, "an incoming message of the future was not taken");
            return Ok(());
        };
        if received.received_at < self.now().minus(KEPT_FOR) {
            // It may have been recorded and forgotten: it must make no second event.
            tracing::warn!(%provider, channel, "an incoming message was too old to be taken");
            return Ok(());
        }
        let Some(owner) = self.owner_of(provider, &report).await? else {
            tracing::warn!(%provider, channel, "an incoming message is of no one account");
            return Ok(());
        };
        for _ in 0..DRAWS_MAX {
            let message = IncomingMessage {
                id: IncomingMessageId::new(self.parts().ids.transaction_number()),
                account: owner.account.clone(),
                provider: provider.clone(),
                received: ReceivedMessage {
                    sender: owner.sender.clone(),
                    ..received.clone()
                },
                recorded_at: self.now(),
                reply_to: owner.reply_to.clone(),
            };
            match self.parts().incoming.record_incoming(&message).await? {
                IncomingRecording::Recorded => {
                    let account = &message.account;
                    tracing::debug!(%account, id = %message.id, channel, "a message was recorded");
                    return Ok(());
                }
                IncomingRecording::Repeated => return Ok(()),
                IncomingRecording::NumberTaken => {}
            }
        }
        let what = "no free number was drawn for an incoming message";
        Err(PortError::new("incoming", what))
    }

    /// Whose a message is: of the account whose order it replies to, or else of the one account of
    /// the provider's environment with an approved sender of the name. `None` where that is none or
    /// several, and where the order was sent under another sender: which of both is right would be
    /// a guess.
    async fn owner_of(
        &self,
        provider: &ProviderId,
        report: &MessageReport,
    ) -> Result<Option<MessageOwner>, PortError> {
        let message = &report.message;
        if let Some(reference) = &report.reference
            && let Some((transaction, _)) = self.attempt_of(provider, reference).await?
        {
            let sender = replied_sender(&transaction.order, message.channel);
            let sender = sender.filter(|it| is_same_name(it, &message.sender));
            // A platform may write a number in another form than it is dialled in.
            let is_asked = message.channel == MessageChannel::Whatsapp
                || transaction.order.digits() == message.number.digits();
            let sender = sender.filter(|_| is_asked);
            return Ok(sender.map(|sender| MessageOwner {
                account: transaction.account.clone(),
                sender: sender.clone(),
                reply_to: Some(transaction.reference.clone()),
            }));
        }
        let environment = self.providers_in_force().environment(provider);
        let environment = environment.ok_or_else(without_route)?;
        let senders = &self.parts().senders;
        let found = senders.approved_under(&message.sender, environment).await?;
        let [sender] = found.as_slice() else {
            return Ok(None);
        };
        Ok(Some(MessageOwner {
            account: sender.account.clone(),
            sender: sender.name.clone(),
            reply_to: None,
        }))
    }

    /// Whether a text or a file would be refused because the person has not written to the sender
    /// lately, by the serial number of a sender of the merchant. It is never so where any provider
    /// that may deliver does not report what people write: then the gateway cannot know.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn is_conversation_closed(
        &self,
        merchant: &Merchant,
        (number, country): (&PhoneNumber, CountryCode),
        sender: &SenderSerial,
    ) -> Result<bool, RequestError> {
        let senders = &self.parts().senders;
        let Some(sender) = senders.sender(&merchant.account.id, sender).await? else {
            return Ok(false);
        };
        let closed = self.is_closed(merchant, (number, country), &sender.name);
        Ok(closed.await?)
    }

    /// The same by the name of the sender.
    pub(crate) async fn is_closed(
        &self,
        merchant: &Merchant,
        (number, country): (&PhoneNumber, CountryCode),
        sender: &SenderName,
    ) -> Result<bool, PortError> {
        let channel = MessageChannel::Whatsapp;
        let service = channel.service();
        let asked = RouteQuery {
            country: Some(country),
            ..RouteQuery::of(service, merchant.account.environment)
        };
        let candidates = self.providers().candidates(&asked, RouteDraw::FIRST);
        let reports = |it: &crate::providers::RouteCandidate| {
            it.provider.reports_messages_of(service, number)
        };
        if candidates.is_empty() || !candidates.iter().all(reports) {
            return Ok(false);
        }
        let conversation = Conversation {
            channel,
            number,
            sender,
        };
        let account = &merchant.account.id;
        let last = self.parts().incoming.last_incoming(account, conversation);
        if Conversation::is_open(last.await?, self.now()) {
            return Ok(false);
        }
        let is_forced = merchant.account.environment == Environment::Test
            && TestNumber::of(number.digits()) == Some(TestNumber::ConversationClosed);
        Ok(is_forced || self.is_known_for_long(merchant, sender).await?)
    }

    /// Whether each message to a sender of a merchant was recorded for as long as a conversation
    /// is open. Those of a name that two accounts have, and those from before its approval, were
    /// not.
    async fn is_known_for_long(
        &self,
        merchant: &Merchant,
        sender: &SenderName,
    ) -> Result<bool, PortError> {
        let environment = merchant.account.environment;
        let senders = &self.parts().senders;
        let approved = senders.approved_under(sender, environment).await?;
        let [only] = approved.as_slice() else {
            return Ok(false);
        };
        let decided_at = only.decided_at.unwrap_or(only.requested_at);
        Ok(!Conversation::is_open(Some(decided_at), self.now()))
    }
}

/// Under which sender an order was sent that a message of a channel may reply to.
const fn replied_sender(order: &Order, channel: MessageChannel) -> Option<&SenderName> {
    match (channel, order) {
        (MessageChannel::Sms, Order::Sms(order)) => Some(&order.sender_name),
        // What is not delivered by RCS goes out as a text message.
        (MessageChannel::Sms, Order::Rcs(order)) => Some(&order.parties.sender_name),
        (MessageChannel::Whatsapp, Order::Whatsapp(order)) => Some(&order.parties.sender_name),
        (MessageChannel::Sms | MessageChannel::Whatsapp, _) => None,
    }
}

/// Only routes say which environment a provider belongs to. A reader of a feed goes on after it:
/// the changes behind a message must not wait for a route.
fn without_route() -> PortError {
    let what = "no route leads to the provider: of which environment a message is, is not known";
    PortError::new("routes", what).with_trouble(PortErrorKind::Record)
}

/// Whether two names are one: no account registers a name a second time in another case.
fn is_same_name(one: &SenderName, other: &SenderName) -> bool {
    one.as_str().eq_ignore_ascii_case(other.as_str())
}
