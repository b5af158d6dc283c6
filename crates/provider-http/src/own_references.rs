//! The form of references that a provider process asks for. It must be what the capabilities say
//! whenever they are known: a reference of another form is not recognised.

use crate::provider::HttpProvider;
use domain::reference::{ProviderReference, UndatedReference};
use ports::provider::OwnReferences;
use provider_protocol::ReferenceForm;
use std::borrow::Cow;

impl HttpProvider {
    /// The form of its references; until the provider was reached once, that of most.
    pub(crate) fn form(&self) -> Cow<'_, ReferenceForm> {
        match self.agreed.capabilities() {
            Some(agreed) => Cow::Borrowed(&agreed.reference),
            None => Cow::Owned(ReferenceForm::default()),
        }
    }
}

impl OwnReferences for HttpProvider {
    fn undated(&self, derived: &ProviderReference) -> UndatedReference {
        self.form().undated(derived)
    }

    fn read(&self, reference: &ProviderReference) -> Option<UndatedReference> {
        self.form().read(reference)
    }
}
