//! The line through samples by least squares. It must not say what a slope is allowed to be.

#![expect(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "a slope is no amount of money, and what is sampled is far below 2^52"
)]

/// A line through samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SampleTrend {
    /// The mean of what was sampled.
    pub(super) mean: f64,
    /// How much it grows in each unit of the first coordinate.
    pub(super) slope: f64,
    /// The standard error of the slope.
    pub(super) error: f64,
}

impl SampleTrend {
    /// Nothing where there are fewer than three samples, or all at one place.
    pub(super) fn fit(samples: &[(f64, f64)]) -> Option<Self> {
        let count = samples.len() as f64;
        let sum = |part: &dyn Fn(&(f64, f64)) -> f64| samples.iter().map(part).sum::<f64>();
        let (mean_x, mean) = (sum(&|it| it.0) / count, sum(&|it| it.1) / count);
        let spread = sum(&|it| (it.0 - mean_x) * (it.0 - mean_x));
        if samples.len() < 3 || spread <= 0.0 {
            return None;
        }
        let slope = sum(&|it| (it.0 - mean_x) * (it.1 - mean)) / spread;
        let residue = |it: &(f64, f64)| it.1 - mean - slope * (it.0 - mean_x);
        let residues = sum(&|it| residue(it) * residue(it));
        let error = (residues / (count - 2.0) / spread).sqrt();
        Some(Self { mean, slope, error })
    }
}

#[cfg(test)]
mod tests {
    use super::SampleTrend;

    #[test]
    fn a_line_is_found_with_its_error() {
        let exact = SampleTrend::fit(&[(0.0, 5.0), (1.0, 7.0), (2.0, 9.0)]).unwrap();
        assert_eq!((exact.mean, exact.slope, exact.error), (7.0, 2.0, 0.0));
        let flat = SampleTrend::fit(&[(0.0, 1.0), (1.0, 3.0), (2.0, 3.0), (3.0, 1.0)]).unwrap();
        assert_eq!((flat.mean, flat.slope), (2.0, 0.0));
        assert!(flat.error > 0.6 && flat.error < 0.7, "{flat:?}");
    }

    #[test]
    fn too_few_samples_make_no_line() {
        assert_eq!(SampleTrend::fit(&[(0.0, 1.0), (1.0, 2.0)]), None);
        assert_eq!(SampleTrend::fit(&[(1.0, 1.0); 5]), None);
    }
}
