//! The regularised incomplete beta function I_x(a, b): the distribution function of the beta
//! distribution, and through it of Student's t and of the binomial.
//!
//! Evaluated by its continued fraction (Abramowitz & Stegun 26.5.8) with Lentz's method, on the
//! side where it converges fast.

/// More steps than any finite argument needs: the fraction takes about sqrt(max(a, b)) of them.
const STEPS: usize = 100_000;
/// Stands in for a zero denominator.
const TINY: f64 = 1e-300;

/// I_x(a, b) for a, b > 0 and x in [0, 1]; arguments outside give NaN.
pub fn regularised_beta(a: f64, b: f64, x: f64) -> f64 {
    if !(a > 0.0 && b > 0.0 && (0.0..=1.0).contains(&x)) {
        return f64::NAN;
    }
    if x == 0.0 || x == 1.0 {
        return x;
    }
    let front = (libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b)
        + a * x.ln()
        + b * libm::log1p(-x))
    .exp();
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(a, b, x) / a
    } else {
        1.0 - front * fraction(b, a, 1.0 - x) / b
    }
}

fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for step in 1..STEPS {
        let m = step as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away(1.0 + even * d);
        c = away(1.0 + even / c);
        value *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away(1.0 + odd * d);
        c = away(1.0 + odd / c);
        let change = d * c;
        value *= change;
        if (change - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::regularised_beta;

    #[test]
    fn closed_forms() {
        // I_x(1, 1) = x, I_x(2, 1) = x^2, I_x(1, 3) = 1 - (1 - x)^3.
        for x in [0.0, 0.1, 0.5, 0.9, 1.0] {
            assert!((regularised_beta(1.0, 1.0, x) - x).abs() < 1e-14);
            assert!((regularised_beta(2.0, 1.0, x) - x * x).abs() < 1e-14);
            assert!((regularised_beta(1.0, 3.0, x) - (1.0 - (1.0 - x).powi(3))).abs() < 1e-14);
        }
        assert!(regularised_beta(0.0, 1.0, 0.5).is_nan());
        assert!(regularised_beta(1.0, 1.0, 1.5).is_nan());
    }

    #[test]
    fn the_two_sides_meet() {
        for (a, b, x) in [(0.5, 0.5, 0.3), (12.0, 3.5, 0.7), (1000.0, 900.0, 0.52)] {
            let both = regularised_beta(a, b, x) + regularised_beta(b, a, 1.0 - x);
            assert!((both - 1.0).abs() < 1e-12);
        }
    }
}
