//! The form of references that a provider process asks for. It must be what the capabilities say
//! whenever they are known: a reference of another form is not recognised.

use crate::provider::HttpProvider;
use domain::reference::{ProviderReference, UndatedReference};
use ports::provider::OwnReferences;
use provider_protocol::ReferenceForm;

impl HttpProvider {
    /// The form of its references; until the provider was reached once, that of most.
    pub(crate) fn form(&self) -> ReferenceForm {
        let agreed = self.agreed.capabilities();
        agreed.map_or_else(ReferenceForm::default, |agreed| agreed.reference.clone())
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
