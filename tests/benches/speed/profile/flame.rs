//! A flame graph: one box per function and caller, as wide as its share of the samples. It must
//! show every sample that was taken.

use super::Stacks;
use std::collections::BTreeMap;
use std::fmt::Write;

const WIDTH: f64 = 1600.0;
const ROW: f64 = 17.0;

/// Narrower boxes are left out, with what stands on them; their width stays in the box below.
const NARROWEST: f64 = 0.3;

/// About as wide as a letter.
const LETTER: f64 = 6.7;

/// A function as called by what is below it.
#[derive(Debug, Default)]
struct Frame {
    samples: u64,
    called: BTreeMap<String, Frame>,
}

impl Frame {
    fn add(&mut self, stack: &str, samples: u64) {
        self.samples += samples;
        let mut frame = self;
        for name in stack.split(';') {
            frame = frame.called.entry(name.to_owned()).or_default();
            frame.samples += samples;
        }
    }

    fn depth(&self) -> usize {
        1 + self.called.values().map(Self::depth).max().unwrap_or(0)
    }
}

/// The graph as SVG. The title of a box has the whole name and the share.
pub(super) fn draw(stacks: &Stacks) -> String {
    let mut root = Frame::default();
    for (stack, samples) in stacks {
        root.add(stack, *samples);
    }
    let height = ROW * root.depth() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"monospace\" font-size=\"11\">\n"
    );
    let mut canvas = Canvas {
        svg: &mut svg,
        height,
        per_sample: WIDTH / root.samples.max(1) as f64,
        all: root.samples,
    };
    canvas.frame("all", &root, (0.0, 0));
    svg.push_str("</svg>\n");
    svg
}

struct Canvas<'a> {
    svg: &'a mut String,
    height: f64,
    per_sample: f64,
    all: u64,
}

impl Canvas<'_> {
    /// A box at a distance from the left and a level from the bottom, and all that stands on it.
    fn frame(&mut self, name: &str, frame: &Frame, (left, level): (f64, u32)) {
        let width = frame.samples as f64 * self.per_sample;
        if width < NARROWEST {
            return;
        }
        let top = self.height - ROW * f64::from(level + 1);
        let percent = 100.0 * frame.samples as f64 / self.all.max(1) as f64;
        let fits = |(_, letters): &(char, u32)| f64::from(*letters) * LETTER <= width;
        let shown = name.chars().zip(1..).take_while(fits);
        let shown: String = shown.map(|(letter, _)| letter).collect();
        // Neighbours differ in shade, and a function has the same one everywhere.
        let sum = name
            .bytes()
            .map(u32::from)
            .fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte));
        let shade = 90 + sum % 110;
        // A text cannot be written wrongly.
        let _ = writeln!(
            self.svg,
            "<g><title>{} ({percent:.2} %)</title><rect x=\"{left:.1}\" y=\"{top:.1}\" \
             width=\"{width:.1}\" height=\"{:.1}\" fill=\"rgb(235,{shade},60)\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
            escaped(name),
            ROW - 1.0,
            left + 2.0,
            top + 12.0,
            escaped(&shown),
        );
        let mut left = left;
        for (name, called) in &frame.called {
            self.frame(name, called, (left, level + 1));
            left += called.samples as f64 * self.per_sample;
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
