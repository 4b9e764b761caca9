//! The distributions behind the tests: normal, Student's t, chi-square with one degree of
//! freedom, and the binomial with even odds.
//!
//! The error function and log-gamma come from `libm`; the rest is here, checked against scipy in
//! `tests/reference/special.json`.

mod beta;
mod normal;

pub use beta::regularised_beta;
pub use normal::{normal_cdf, normal_quantile};

/// Probability that a standard normal variable is farther from 0 than `z`, on either side.
pub fn normal_two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// Probability that a chi-square variable with one degree of freedom exceeds `x`.
pub fn chi_square_1_upper(x: f64) -> f64 {
    libm::erfc((x.max(0.0) / 2.0).sqrt())
}

/// Probability that a Student's t variable is farther from 0 than `t`, on either side.
pub fn student_two_sided(t: f64, degrees: f64) -> f64 {
    regularised_beta(degrees / 2.0, 0.5, degrees / (degrees + t * t))
}

/// The value that a Student's t variable exceeds, on either side, with probability `p`.
///
/// Found by halving an interval: it is asked for once an interval, never in a loop.
pub fn student_two_sided_quantile(p: f64, degrees: f64) -> f64 {
    let mut high = 1.0;
    while student_two_sided(high, degrees) > p && high < f64::MAX / 4.0 {
        high *= 2.0;
    }
    let mut low = 0.0;
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if student_two_sided(middle, degrees) > p {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Probability of at most `k` heads in `n` throws of a fair coin.
pub fn fair_binomial_cdf(k: u64, n: u64) -> f64 {
    if k >= n {
        return 1.0;
    }
    if n < 60 {
        // The counts themselves fit, so small cases come out to the last digit.
        let mut ways = 1u64;
        let mut sum = 1u64;
        for heads in 1..=k {
            ways = (u128::from(ways) * u128::from(n - heads + 1) / u128::from(heads)) as u64;
            sum += ways;
        }
        return sum as f64 / (1u64 << n) as f64;
    }
    regularised_beta((n - k) as f64, k as f64 + 1.0, 0.5)
}

/// Probability of exactly `k` heads in `n` throws of a fair coin.
pub fn fair_binomial_mass(k: u64, n: u64) -> f64 {
    if k > n {
        return 0.0;
    }
    let (k, n) = (k as f64, n as f64);
    let choose = libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0);
    (choose - n * std::f64::consts::LN_2).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coins() {
        // 3 heads or fewer in 10 throws: (1 + 10 + 45 + 120) / 1024.
        assert!((fair_binomial_cdf(3, 10) - 176.0 / 1024.0).abs() < 1e-14);
        assert!((fair_binomial_mass(3, 10) - 120.0 / 1024.0).abs() < 1e-14);
        assert_eq!(fair_binomial_cdf(10, 10), 1.0);
    }

    #[test]
    fn quantile_undoes_probability() {
        for degrees in [1.0, 2.0, 9.0, 999.0] {
            for p in [1e-6, 0.01, 0.05, 0.5, 0.99] {
                let t = student_two_sided_quantile(p, degrees);
                let back = student_two_sided(t, degrees);
                assert!((back / p - 1.0).abs() < 1e-9, "{degrees} {p} {back}");
            }
        }
        // The textbook value for 9 degrees of freedom.
        assert!((student_two_sided_quantile(0.05, 9.0) - 2.262_157).abs() < 1e-6);
    }
}
