//! A call with a flow as asked for, and with everything looked up.

use super::{FilledFlow, FlowRun};
use crate::country::CountryCode;
use crate::family::FamilyOrder;
use crate::messaging::{AskedParties, MessageParties};
use crate::messaging_library::LibraryItemId;
use crate::money::Money;
use crate::order::Service;
use crate::pricing::Use;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;
use crate::sms::PersonalFields;
use crate::time::Timestamp;
use crate::voice::{CallMinutes, CallWindow};

/// A call with a flow as a merchant asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IvrCall {
    /// The merchant's own reference.
    pub reference: MerchantReference,
    /// Who calls whom.
    pub parties: AskedParties,
    /// The flow that is run.
    pub flow: LibraryItemId,
    /// What stands in its places.
    pub values: PersonalFields,
    /// How long the call may take.
    pub minutes: CallMinutes,
    /// For how long the person may be called.
    pub window: CallWindow,
}

/// A call with everything looked up. It holds the flow as it was when it was ordered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IvrOrder {
    /// Who calls whom.
    pub parties: MessageParties,
    /// The flow that it was made of.
    pub flow_id: LibraryItemId,
    /// What is said, and which key leads where.
    pub flow: FilledFlow,
    /// How long the call may take.
    pub minutes: CallMinutes,
    /// From when on the person is not called any more.
    pub call_before: Timestamp,
    /// The price of the longest call.
    pub amount: Money,
}

impl FamilyOrder for IvrOrder {
    const PRODUCTS: &'static [&'static str] = &["<country>"];

    const IS_CONFIDENTIAL: bool = true;

    fn service(&self) -> Service {
        Service::Ivr
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        self.parties.narration("Call")
    }

    fn digits(&self) -> &str {
        self.parties.number.digits()
    }

    fn country(&self) -> Option<CountryCode> {
        Some(self.parties.country)
    }

    fn send_before(&self) -> Option<Timestamp> {
        Some(self.call_before)
    }

    fn units(&self) -> u8 {
        self.minutes.get()
    }

    fn used(&self, fulfilment: &Fulfilment) -> Option<Use> {
        fulfilment.flow_run()?.call.used(self.minutes)
    }

    /// A way that the flow does not have belongs to another flow than the one that was ordered.
    fn agrees_with(&self, fulfilment: &Fulfilment) -> bool {
        fulfilment
            .flow_run()
            .is_none_or(|run| self.flow.is_way(&run.path))
    }

    fn is_completed_by(&self, fulfilment: &Fulfilment) -> bool {
        let run = fulfilment.flow_run();
        run.is_some_and(|run| run.call.seconds.is_some())
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        None
    }
}

impl Fulfilment {
    /// The run of a flow; `None` of anything else.
    pub const fn flow_run(&self) -> Option<&FlowRun> {
        if let Self::Ivr(run) = self {
            Some(run)
        } else {
            None
        }
    }
}
