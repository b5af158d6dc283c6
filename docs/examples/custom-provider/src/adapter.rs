//! The skeleton of an adapter, for a provider that is called `shop` here. Its connection is left
//! out: it never opens, so this adapter sends nothing. It must answer unknown to all that it does
//! not know for certain.

use std::sync::Arc;

use async_trait::async_trait;
use manilla::domain::order::Service;
use manilla::domain::provider::{
    AbsencePolicy, ProviderId, QueryOutcome, Receipt, Refusal, RefusalKind, Submission,
    SubmitOutcome, UnknownCause,
};
use manilla::domain::reference::ProviderReference;
use manilla::domain::transaction::PreparedAttempt;
use manilla::ports::adapter::{
    AccountOpening, AccountSecret, Adapter, AdapterDeclaration, DeclaredSetting, OpenAccountError,
    ProviderAccount,
};
use manilla::ports::permit::SendPermit;
use manilla::ports::provider::{AttemptQuery, Naming, Provider, ProviderAnswer};

/// What the registry knows of the provider.
#[derive(Debug)]
pub struct ShopAdapter;

const SETTINGS: &[DeclaredSetting] = &[
    DeclaredSetting {
        check: |text| {
            let is_url = text.starts_with("https://");
            let wrong = || "must be an address such as https://api.shop.example".to_owned();
            is_url.then_some(()).ok_or_else(wrong)
        },
        ..DeclaredSetting::required("url", "Address of the interface.")
    },
    DeclaredSetting::secret("token", "Token that the provider gave the account."),
];

impl Adapter for ShopAdapter {
    fn declaration(&self) -> AdapterDeclaration {
        AdapterDeclaration {
            name: "shop",
            about: "The interface of Shop, version 1.",
            settings: SETTINGS,
        }
    }

    fn open(&self, opening: AccountOpening<'_>) -> Result<ProviderAccount, OpenAccountError> {
        let provider = ShopProvider {
            connection: Connection {
                url: opening.settings.need("url")?.to_owned(),
                token: opening.settings.need_secret("token")?.clone(),
            },
            id: opening.id,
        };
        Ok(ProviderAccount::new(Arc::new(provider)))
    }
}

/// One account. It keeps nothing of any attempt.
#[derive(Debug)]
struct ShopProvider {
    id: ProviderId,
    connection: Connection,
}

#[async_trait]
impl Provider for ShopProvider {
    fn id(&self) -> &ProviderId {
        &self.id
    }

    fn absence_policy(&self, _: Service) -> AbsencePolicy {
        AbsencePolicy::CAUTIOUS
    }

    fn prepare(&self, naming: Naming<'_>) -> PreparedAttempt {
        // The day is what this provider wants to know again with each query. It is stored with the
        // attempt: the adapter itself keeps nothing. A provider with a form of references of its
        // own has one made of `derived`, which is unique for ever.
        let day = naming.started_at.as_millis().div_euclid(86_400_000);
        PreparedAttempt {
            provider: self.id.clone(),
            reference: naming.derived,
            adapter_state: Some(day.to_string()),
        }
    }

    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        self.dispatch(submission, permit).await.into()
    }

    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        // Where the provider says what it calls the attempt, or what it cost, the details beside
        // the outcome carry that.
        self.find(attempt).await.into()
    }
}

impl ShopProvider {
    async fn dispatch(&self, submission: &Submission, permit: &dyn SendPermit) -> SubmitOutcome {
        // First the connection: as long as it is not open, nothing can have been delivered.
        let Ok(open) = self.connection.open().await else {
            return SubmitOutcome::NotSent;
        };
        // Then the permit, immediately before the first byte. Refused means that nothing is sent.
        let granted = permit.ask().await;
        if granted.and_then(|granted| granted.begin_writing()).is_err() {
            return SubmitOutcome::NotSent;
        }
        // From here on, everything but a listed answer is unknown. It is sent once.
        match open.order(submission).await {
            Ok(answer) => submitted(&answer, submission),
            Err(Broken::Late) => SubmitOutcome::Unknown(UnknownCause::Timeout),
            Err(Broken::Lost) => SubmitOutcome::Unknown(UnknownCause::ConnectionLost),
        }
    }

    async fn find(&self, attempt: &AttemptQuery<'_>) -> QueryOutcome {
        let Ok(open) = self.connection.open().await else {
            return QueryOutcome::Unknown;
        };
        let Ok(answer) = open.status(attempt.reference).await else {
            return QueryOutcome::Unknown;
        };
        // Without the order an answer cannot be checked against it.
        let receipt = attempt.order.and_then(|order| answer.receipt(order));
        match (answer.code.as_str(), receipt) {
            ("delivered", Some(receipt)) => QueryOutcome::Delivered(receipt),
            ("pending", _) => QueryOutcome::Pending,
            ("no such reference", _) => QueryOutcome::NotFound,
            _ => QueryOutcome::Unknown,
        }
    }
}

/// What the answer to an order means.
fn submitted(answer: &Answer, submission: &Submission) -> SubmitOutcome {
    if let Some(refusal) = refusal(&answer.code) {
        return SubmitOutcome::Declined(refusal);
    }
    match (answer.code.as_str(), answer.receipt(&submission.order)) {
        ("delivered", Some(receipt)) => SubmitOutcome::Delivered(receipt),
        ("pending", _) => SubmitOutcome::Pending,
        ("duplicate", _) => SubmitOutcome::Unknown(UnknownCause::DuplicateReference),
        _ => SubmitOutcome::Unknown(UnknownCause::Unlisted),
    }
}

/// The refusals that the contract of the provider lists, each with whose fault it is. A code that
/// is not listed is an unknown outcome, never a refusal.
fn refusal(code: &str) -> Option<Refusal> {
    let (kind, reason) = match code {
        "invalid number" => (RefusalKind::Order, "the number is invalid"),
        "no balance" => (RefusalKind::Account, "the account has no balance left"),
        "busy" => (
            RefusalKind::Moment { retry_after: None },
            "the provider is busy",
        ),
        "same order" => (RefusalKind::Lookalike, "the same order came a moment ago"),
        _ => return None,
    };
    Some(Refusal {
        kind,
        code: code.to_owned(),
        reason: reason.to_owned(),
    })
}

/// What the provider answered, as far as its contract says what it means.
#[derive(Debug)]
struct Answer {
    code: String,
    reference: ProviderReference,
    amount: manilla::domain::money::Money,
}

impl Answer {
    /// The receipt, with what the provider echoed and never with what was sent: the gateway
    /// compares them. `None` for a family that this adapter does not deliver.
    fn receipt(&self, order: &manilla::domain::order::Order) -> Option<Receipt> {
        Some(Receipt {
            reference: self.reference.clone(),
            amount: self.amount,
            fulfilment: order.fulfilment_without_details()?,
        })
    }
}

/// Where the provider is. This one never opens.
#[derive(Debug)]
struct Connection {
    url: String,
    token: AccountSecret,
}

/// Why there is no whole answer.
#[derive(Debug)]
enum Broken {
    Late,
    Lost,
}

impl Connection {
    async fn open(&self) -> Result<OpenConnection<'_>, Broken> {
        if self.url.is_empty() || self.token.reveal().is_empty() {
            return Err(Broken::Late);
        }
        Err(Broken::Lost)
    }
}

/// A connection on which the next byte reaches the provider.
#[derive(Debug)]
struct OpenConnection<'a> {
    connection: &'a Connection,
}

impl OpenConnection<'_> {
    async fn order(self, submission: &Submission) -> Result<Answer, Broken> {
        self.exchange(&submission.reference).await
    }

    async fn status(self, reference: &ProviderReference) -> Result<Answer, Broken> {
        self.exchange(reference).await
    }

    async fn exchange(self, _reference: &ProviderReference) -> Result<Answer, Broken> {
        let _ = self.connection;
        Err(Broken::Lost)
    }
}
