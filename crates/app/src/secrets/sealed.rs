//! Secrets of accounts at providers, sealed by the key ring so that they may stand in a
//! configuration that others read. One must open as the setting that it was sealed for and as no
//! other.

use anyhow::{Context as _, bail, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use key_ring::{KeyRing, Purpose};

/// What a sealed secret begins with; what follows is the generation and the sealed text.
const PREFIX: &str = "sealed.v1.";

/// Random bytes that make the key of each sealed text its own.
const CONTEXT_BYTES: usize = 16;

/// Each key seals once.
const COUNTER: u64 = 0;

/// Whether a text is a sealed secret.
pub(crate) fn is_sealed(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// Seals a secret for a setting, named as in `provider.my-shop.token`.
pub(crate) fn seal(
    ring: &KeyRing,
    setting: &str,
    (secret, context): (&str, [u8; CONTEXT_BYTES]),
) -> anyhow::Result<String> {
    let key = ring.key(Purpose::ProviderSecrets).sealing_key(&context)?;
    let mut text = secret.as_bytes().to_vec();
    key.seal(COUNTER, setting.as_bytes(), &mut text)?;
    let sealed = BASE64.encode([&context[..], &text].concat());
    Ok(format!("{PREFIX}{}.{sealed}", key.generation()))
}

/// Opens a secret that was sealed for a setting.
pub(crate) fn open(ring: &KeyRing, setting: &str, text: &str) -> anyhow::Result<String> {
    let rest = text.strip_prefix(PREFIX).context(WHOLE)?;
    let (generation, sealed) = rest.split_once('.').context(WHOLE)?;
    let generation = generation.parse().ok().context(WHOLE)?;
    let sealed = BASE64.decode(sealed).ok().context(WHOLE)?;
    let (context, sealed) = sealed.split_at_checked(CONTEXT_BYTES).context(WHOLE)?;
    let keys = ring.key(Purpose::ProviderSecrets);
    let Ok(key) = keys.opening_key(generation, context) else {
        bail!(
            "it was sealed by generation {generation}, which is not in the key ring here: copy the \
             ring of the gateway that sealed it, or seal it again with `manilla provider seal`"
        );
    };
    let opened = key.open(COUNTER, setting.as_bytes(), sealed);
    let opened = opened.ok().with_context(|| {
        format!(
            "it was sealed for another setting than `{setting}`, by another key ring, or changed"
        )
    })?;
    let secret = String::from_utf8(opened).ok().context(WHOLE)?;
    ensure!(!secret.is_empty(), "{WHOLE}");
    Ok(secret)
}

/// What is wrong with a text that was cut off or typed.
const WHOLE: &str =
    "it is not a whole sealed secret: copy all of what `manilla provider seal` wrote";

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TOKEN: &str = "provider.my-shop.token";

    fn ring() -> KeyRing {
        KeyRing::generate([7; 32], "2026-11-30T00:00:00Z")
    }

    #[test]
    fn a_secret_opens_as_the_setting_it_was_sealed_for_and_as_no_other() {
        let sealed = seal(&ring(), TOKEN, ("s3cret", [1; 16])).unwrap();
        assert!(is_sealed(&sealed) && !sealed.contains("s3cret"));
        assert_eq!(open(&ring(), TOKEN, &sealed).unwrap(), "s3cret");
        let other = open(&ring(), "provider.other.token", &sealed).unwrap_err();
        assert!(other.to_string().contains("another setting"), "{other}");
        let strange = KeyRing::generate([8; 32], "2026-11-30T00:00:00Z");
        assert!(open(&strange, TOKEN, &sealed).is_err());
    }

    #[test]
    fn a_rotated_ring_opens_what_was_sealed_before_and_seals_by_the_newest() {
        let sealed = seal(&ring(), TOKEN, ("s3cret", [1; 16])).unwrap();
        let rotated = ring().rotated([9; 32], "2026-12-01T00:00:00Z").unwrap();
        assert_eq!(open(&rotated, TOKEN, &sealed).unwrap(), "s3cret");
        let newer = seal(&rotated, TOKEN, ("s3cret", [2; 16])).unwrap();
        assert!(newer.starts_with("sealed.v1.2."), "{newer}");
        let lacking = open(&ring(), TOKEN, &newer).unwrap_err();
        assert!(lacking.to_string().contains("generation 2"), "{lacking}");
    }

    proptest! {
        #[test]
        fn what_was_changed_or_cut_off_does_not_open(at in 0_usize..80, with in "[A-Za-z0-9_.-]") {
            let sealed = seal(&ring(), TOKEN, ("s3cret", [1; 16])).unwrap();
            let cut: String = sealed.chars().take(at).collect();
            if cut != sealed {
                prop_assert!(open(&ring(), TOKEN, &cut).is_err());
            }
            let changed: String = cut.clone() + &with + sealed.get(at + 1..).unwrap_or_default();
            if changed != sealed {
                prop_assert!(open(&ring(), TOKEN, &changed).is_err());
            }
        }
    }
}
