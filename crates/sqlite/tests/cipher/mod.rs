//! What stores of tests seal with. It must not be drawn at random: one store reads what another
//! wrote.

use key_ring::KeyRing;
use storage_sql::field_cipher::FieldCipher;

/// A cipher of the one key ring of all tests.
pub(crate) fn cipher() -> FieldCipher {
    FieldCipher::new(&KeyRing::generate([7; 32], ""), [1; 16])
}
