//! The standard normal distribution and its inverse.

use std::f64::consts::{PI, SQRT_2};

/// Probability that a standard normal variable is at most `z`.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// The value below which a standard normal variable lies with probability `p`.
///
/// A rational start (Abramowitz & Stegun 26.2.23, error below 4.5e-4), then Halley's steps
/// against the distribution function, which reach the last digits. 0 and 1 give the infinities,
/// anything outside [0, 1] NaN.
pub fn normal_quantile(p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    // The lower half only, where the distribution function keeps its relative accuracy.
    if p > 0.5 {
        return -normal_quantile(1.0 - p);
    }
    if p == 0.0 {
        return f64::NEG_INFINITY;
    }
    let mut z = start(p);
    for _ in 0..4 {
        let density = (-0.5 * z * z).exp() / (2.0 * PI).sqrt();
        let step = (normal_cdf(z) - p) / density;
        z -= step / (1.0 + 0.5 * z * step);
    }
    z
}

fn start(p: f64) -> f64 {
    let t = (-2.0 * p.ln()).sqrt();
    let over = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let under = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    over / under - t
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textbook_values() {
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-13);
        assert!((normal_quantile(0.05) + 1.644_853_626_951_472_7).abs() < 1e-13);
        assert!(normal_quantile(0.5).abs() < 1e-16);
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
        assert!(normal_quantile(-0.1).is_nan());
        assert!((normal_cdf(1.0) - 0.841_344_746_068_542_9).abs() < 1e-15);
    }

    #[test]
    fn quantile_undoes_probability() {
        for exponent in 1..300 {
            let p = 10f64.powi(-exponent);
            assert!((normal_cdf(normal_quantile(p)) / p - 1.0).abs() < 1e-10, "1e-{exponent}");
        }
    }
}
