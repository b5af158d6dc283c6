//! Addresses of the gateway's own in answers. An answer must be walked once for all of them.

use crate::logo;
use crate::payroll::slip;
use crate::tree::Object;

/// The fields that show one.
const FIELDS: [&str; 3] = ["logo", "bankLogo", "paySlipUrl"];

/// What the addresses begin with.
const PATHS: [&str; 2] = [logo::FOLDER, slip::PATH];

/// Writes the addresses of the gateway's pictures and pay slips in full, for requests to `host`.
pub fn in_full(fields: &mut Object, host: &str) {
    fields.replace(&FIELDS, &|text| {
        let is_own = PATHS.iter().any(|path| text.starts_with(path));
        is_own.then(|| format!("https://{host}{text}"))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Node;
    use testkit::builders::reference;

    #[test]
    fn a_picture_of_the_gateway_is_addressed_where_it_was_asked_for() {
        let banks = [Object::new().with("bankLogo", logo::shown("First Bank"))];
        let mut list = Object::new()
            .with("narration", "/logos/no")
            .with("banks", Node::objects("bank", banks));
        in_full(&mut list, "pay.test:8443");
        let text = String::from_utf8(crate::render::json(&list.into())).unwrap();
        assert_eq!(
            text,
            concat!(
                r#"{"narration":"/logos/no","banks":["#,
                r#"{"bankLogo":"https://pay.test:8443/logos/first-bank"}]}"#
            )
        );
    }

    #[test]
    fn the_address_of_a_slip_is_shown_in_full() {
        let address = slip::path(&reference("run:1"));
        let path = "/transfer/payroll/payslip?mrcReference=run:1&format=pdf";
        assert_eq!(address, path);
        let mut fields = Object::new().with("paySlipUrl", address.as_str());
        in_full(&mut fields, "pay.example");
        let expected = Object::new().with("paySlipUrl", format!("https://pay.example{address}"));
        assert_eq!(fields, expected);
    }
}
