//! Invented customers with names and streets as they are found in Nigeria. It must not name a
//! person who exists: first and last names meet by chance.

use crate::draw::Draw;

const FIRST_NAMES: [&str; 32] = [
    "Adaeze",
    "Aisha",
    "Amina",
    "Babatunde",
    "Bukola",
    "Chidi",
    "Chinwe",
    "Danjuma",
    "Ebele",
    "Efosa",
    "Emeka",
    "Fatima",
    "Folake",
    "Funmilayo",
    "Habiba",
    "Ibrahim",
    "Ifeoma",
    "Ikenna",
    "Kehinde",
    "Maryam",
    "Musa",
    "Ngozi",
    "Nkechi",
    "Obinna",
    "Oluwaseun",
    "Osaze",
    "Sadiq",
    "Taiwo",
    "Tamuno",
    "Uche",
    "Yusuf",
    "Zainab",
];

const LAST_NAMES: [&str; 32] = [
    "Abubakar",
    "Adebayo",
    "Adeyemi",
    "Aliyu",
    "Amadi",
    "Balogun",
    "Bassey",
    "Bello",
    "Briggs",
    "Chukwu",
    "Danladi",
    "Eze",
    "Garba",
    "Ibe",
    "Igbinedion",
    "Lawal",
    "Madueke",
    "Mohammed",
    "Nnamdi",
    "Nwosu",
    "Obi",
    "Ogunleye",
    "Okafor",
    "Okonkwo",
    "Olatunji",
    "Omotoso",
    "Onyeka",
    "Osagie",
    "Sanusi",
    "Suleiman",
    "Umar",
    "Yakubu",
];

const STREETS: [&str; 16] = [
    "Adeola Street",
    "Ahmadu Bello Way",
    "Awolowo Road",
    "Azikiwe Street",
    "Balewa Crescent",
    "Church Street",
    "Hospital Road",
    "Independence Avenue",
    "Macaulay Street",
    "Market Road",
    "Mission Road",
    "Murtala Mohammed Way",
    "Okpara Avenue",
    "Palm Avenue",
    "School Lane",
    "Station Road",
];

const TRADES: [&str; 8] = [
    "And Sons Limited",
    "Brothers Nigeria Limited",
    "Farms Limited",
    "Global Ventures",
    "Logistics Limited",
    "Pharmacy Limited",
    "Schools",
    "Trading Enterprises",
];

/// The highest house number of a street.
const HOUSE_MAX: u64 = 140;

/// The name of a customer, as companies print it.
pub(crate) fn name(draw: &Draw) -> String {
    let first = draw.pick("first name", &FIRST_NAMES);
    let last = draw.pick("last name", &LAST_NAMES);
    format!("{first} {last}").to_uppercase()
}

/// The name of a customer as banks print it: surname first, then the others.
pub(crate) fn surname_first(draw: &Draw) -> String {
    let first = draw.pick("first name", &FIRST_NAMES);
    let middle = draw.pick("middle name", &FIRST_NAMES);
    let last = draw.pick("last name", &LAST_NAMES);
    let names = if middle == first {
        format!("{last} {first}")
    } else {
        format!("{last} {first} {middle}")
    };
    names.to_uppercase()
}

/// The name of a company, as banks print it.
pub(crate) fn company(draw: &Draw) -> String {
    let last = draw.pick("last name", &LAST_NAMES);
    let trade = draw.pick("trade", &TRADES);
    format!("{last} {trade}").to_uppercase()
}

/// An address in one of the areas a company serves.
pub(crate) fn address(draw: &Draw, areas: &[String]) -> String {
    let house = draw.between("house", (1, HOUSE_MAX));
    let street = draw.pick("street", &STREETS);
    let area = draw.pick("area", areas);
    format!("{house} {street}, {area}")
}
