//! Images at random places of one record, each asked what an operator and a merchant would ask. It
//! must count what it did: images that never lacked anything prove nothing.

use crate::disk::Flushes;
use crate::images::WrittenImage;
use crate::recording::Recording;
use tests::rng::SeededRng;
use tests::size;

/// How many images unless `MANILLA_POWER_CUTS` says otherwise.
const IMAGES: u32 = 100;

/// How many images of the control.
const CONTROL: u32 = 20;

/// One in so many images is also started.
const STARTED_ONE_IN: usize = 20;

/// One in so many cuts is before the account was made, within the first commands on an empty
/// folder.
const EARLY_ONE_IN: u64 = 12;

/// Places to cut, in order.
fn cuts(recording: &Recording, count: u32, chance: &mut SeededRng) -> Vec<usize> {
    let (all, made) = (
        recording.records.len() as u64,
        recording.account_made as u64,
    );
    let mut cut = || {
        if chance.below(EARLY_ONE_IN) == 0 {
            return usize::try_from(chance.below(made + 1)).unwrap();
        }
        // Half of them at the very moment something had been acknowledged.
        if chance.below(2) == 0 {
            return chance.pick(&recording.acknowledged).records;
        }
        usize::try_from(made + chance.below(all + 1 - made)).unwrap()
    };
    let mut cuts: Vec<_> = (0..count).map(|_| cut()).collect();
    cuts.sort_unstable();
    cuts
}

#[derive(Debug, Default)]
struct Figures {
    incomplete: usize,
    audited: usize,
    asked: usize,
    started: usize,
    lost: usize,
    control_lost: usize,
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_survives_a_power_cut_at_any_moment() {
    let images = size::of_run("MANILLA_POWER_CUTS", IMAGES);
    let mut chance = SeededRng::from_environment("MANILLA_POWER_CUTS_SEED", 20_261_122);
    let recording = Recording::make(&mut chance).await;
    let mut figures = Figures::default();
    let mut disk = recording.disk(Flushes::All);
    let mut applied = 0;
    for (number, cut) in cuts(&recording, images, &mut chance)
        .into_iter()
        .enumerate()
    {
        for record in &recording.records[applied..cut] {
            disk.apply(record);
        }
        applied = cut;
        let image = disk.image(&mut chance);
        figures.incomplete += usize::from(image != disk.whole());
        let written = WrittenImage::new(&image);
        let has_account = cut >= recording.account_made;
        if has_account {
            written.is_audited();
            figures.audited += 1;
        }
        let before = recording
            .acknowledged
            .partition_point(|one| one.records <= cut);
        let lost = written.lost(&recording.acknowledged[..before]);
        assert_eq!(lost, [""; 0], "image {number}, cut after {cut} records");
        figures.asked += before;
        if number % STARTED_ONE_IN == 0 || !has_account {
            written.starts(&recording, has_account).await;
            figures.started += 1;
        }
    }
    figures.control_lost = control(&recording, &mut chance);
    report(images, &recording, &figures);
}

/// How much is lost where the database's log is flushed as with `synchronous = NORMAL`.
fn control(recording: &Recording, chance: &mut SeededRng) -> usize {
    let mut disk = recording.disk(Flushes::AsNormal);
    let (mut applied, mut lost) = (0, 0);
    for cut in cuts(recording, CONTROL, chance) {
        for record in &recording.records[applied..cut] {
            disk.apply(record);
        }
        applied = cut;
        let before = recording
            .acknowledged
            .partition_point(|one| one.records <= cut);
        let written = WrittenImage::new(&disk.image(chance));
        lost += written.lost(&recording.acknowledged[..before]).len();
    }
    lost
}

fn report(images: u32, recording: &Recording, figures: &Figures) {
    let Figures {
        incomplete,
        audited,
        asked,
        started,
        lost,
        control_lost,
    } = figures;
    println!(
        "images: {images}, records: {}, payments acknowledged: {}, images that lack something: \
         {incomplete}, audited: {audited}, payments looked for: {asked}, started: {started}, lost: \
         {lost}, control images: {CONTROL}, lost with synchronous=NORMAL: {control_lost}",
        recording.records.len(),
        recording.acknowledged.len(),
    );
    let images = usize::try_from(images).unwrap();
    assert!(*incomplete * 2 > images, "most images lacked nothing");
    assert!(*asked > images && *started > 0, "little was looked for");
    assert!(
        *control_lost > 0,
        "the control lost nothing: the method finds no loss"
    );
}
