//! The statistics against what scipy, statsmodels, scikit-learn and krippendorff gave for the same
//! numbers (`reference/statistics.json`, made by `reference/statistics.py`).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says when it skips"
)]

use rebus_eval::agreement::{Metric, Overlap, Weights, cohen_kappa_weighted, krippendorff_alpha};
use rebus_eval::correlation::{Correlation, Tau, kendall, pearson, spearman};
use rebus_eval::significance::bootstrap::{bias_corrected, percentile};
use rebus_eval::significance::{
    Bootstrap, Continuity, Correction, McNemarKind, Randomisation, Statistic, WilcoxonMethod,
    WilcoxonParams, ZeroRule, mcnemar_counts, paired_t, randomisation, wilcoxon,
};
use rebus_eval::{Undefined, special};
use serde_json::Value;

fn reference() -> Value {
    serde_json::from_str(include_str!("reference/statistics.json")).unwrap()
}

fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap_or(f64::NAN)).collect()
}

fn cases(name: &str) -> Vec<Value> {
    reference()[name].as_array().unwrap().clone()
}

/// Equal up to rounding: 1e-9 of the size, or 1e-12 near 0.
#[track_caller]
fn near(ours: f64, theirs: f64, what: &str) {
    let close = (ours - theirs).abs() <= 1e-9 * theirs.abs() + 1e-12;
    assert!(close, "{what}: ours {ours:e}, theirs {theirs:e}");
}

#[test]
fn special_functions() {
    let reference = &reference()["special"];
    let each = |name: &str, check: &dyn Fn(&[f64]) -> f64| {
        for row in reference[name].as_array().unwrap() {
            let row = list(row);
            let (arguments, theirs) = row.split_at(row.len() - 1);
            let ours = check(arguments);
            let close = (ours - theirs[0]).abs() <= 1e-8 * theirs[0].abs() + 1e-300;
            assert!(close, "{name}{arguments:?}: ours {ours:e}, theirs {:e}", theirs[0]);
        }
    };
    each("normal_cdf", &|x| special::normal_cdf(x[0]));
    each("normal_quantile", &|x| {
        let ours = special::normal_quantile(x[0]);
        if ours.abs() < 1e-15 { 0.0 } else { ours }
    });
    each("normal_two_sided", &|x| special::normal_two_sided(x[0]));
    each("chi_square_1_upper", &|x| special::chi_square_1_upper(x[0]));
    each("regularised_beta", &|x| special::regularised_beta(x[0], x[1], x[2]));
    each("student_two_sided", &|x| special::student_two_sided(x[0], x[1]));
    each("fair_binomial_cdf", &|x| special::fair_binomial_cdf(x[0] as u64, x[1] as u64));
}

#[test]
fn student_t() {
    for case in cases("pairs") {
        let theirs = list(&case["t"]);
        let found = paired_t(&list(&case["a"]), &list(&case["b"])).unwrap();
        near(found.t, theirs[0], "t");
        near(found.p, theirs[1], "p of t");
        let (low, high) = found.interval(0.9);
        near(low, theirs[2], "low end");
        near(high, theirs[3], "high end");
    }
}

#[test]
fn wilcoxon_signed_ranks() {
    let mut seen = 0;
    for case in cases("pairs") {
        for theirs in case["wilcoxon"].as_array().unwrap() {
            let params = WilcoxonParams {
                zeros: match theirs["zeros"].as_str().unwrap() {
                    "wilcox" => ZeroRule::Wilcox,
                    "pratt" => ZeroRule::Pratt,
                    _ => ZeroRule::Split,
                },
                method: match theirs["method"].as_str().unwrap() {
                    "auto" => WilcoxonMethod::Auto,
                    _ => WilcoxonMethod::Normal,
                },
                continuity: match theirs["correction"].as_bool().unwrap() {
                    true => Continuity::Corrected,
                    false => Continuity::Uncorrected,
                },
            };
            let found = wilcoxon(&list(&case["a"]), &list(&case["b"]), &params).unwrap();
            let what = format!("{} x {} {params:?}", case["kind"], list(&case["a"]).len());
            near(found.statistic(), theirs["statistic"].as_f64().unwrap(), &what);
            near(found.p, theirs["p"].as_f64().unwrap(), &what);
            seen += 1;
        }
    }
    assert!(seen > 300);
}

#[test]
fn correlations() {
    for case in cases("pairs") {
        let (a, b) = (list(&case["a"]), list(&case["b"]));
        let check = |name: &str, found: Result<Correlation, Undefined>| {
            let (found, theirs) = (found.unwrap(), list(&case[name]));
            let what = format!("{name} of {} x {}", case["kind"], a.len());
            near(found.coefficient, theirs[0], &what);
            // The last digits of 1 - r^2 are noise where r is 1.
            if theirs[0].abs() < 1.0 - 1e-12 || name.starts_with("tau") {
                near(found.p.unwrap(), theirs[1], &what);
            }
        };
        check("pearson", pearson(&a, &b));
        check("spearman", spearman(&a, &b));
        check("tau_b", kendall(&a, &b, Tau::B));
        check("tau_c", kendall(&a, &b, Tau::C));
    }
}

#[test]
fn mcnemar() {
    for case in cases("mcnemar") {
        let (b, c) = (case["b"].as_u64().unwrap(), case["c"].as_u64().unwrap());
        let exact = mcnemar_counts(b, c, McNemarKind::Exact).unwrap();
        near(exact.p, case["exact"].as_f64().unwrap(), "exact");
        let plain = mcnemar_counts(b, c, McNemarKind::ChiSquare).unwrap();
        let theirs = list(&case["chi_square"]);
        near(plain.statistic, theirs[0], "chi-square");
        near(plain.p, theirs[1], "chi-square");
        // statsmodels overshoots where b = c: |0| - 1 is squared to 1.
        if b != c {
            let corrected = mcnemar_counts(b, c, McNemarKind::ChiSquareCorrected).unwrap();
            let theirs = list(&case["corrected"]);
            near(corrected.statistic, theirs[0], "corrected");
            near(corrected.p, theirs[1], "corrected");
        }
    }
}

fn statistic(case: &Value) -> Statistic {
    match case["statistic"].as_str().unwrap() {
        "mean" => Statistic::Mean,
        _ => Statistic::Median,
    }
}

#[test]
fn randomisation_over_all_ways() {
    for case in cases("randomisation") {
        let (a, b) = (list(&case["a"]), list(&case["b"]));
        let found = randomisation(&a, &b, statistic(&case), &Randomisation::default()).unwrap();
        assert!(found.exact);
        near(found.p, case["p"].as_f64().unwrap(), "all ways");
    }
}

#[test]
fn randomisation_by_samples() {
    for case in cases("sampled") {
        let (a, b) = (list(&case["a"]), list(&case["b"]));
        let theirs = case["p"].as_f64().unwrap();
        let found = randomisation(&a, &b, Statistic::Mean, &Randomisation::default()).unwrap();
        // Five deviations of the difference of two sampled shares.
        let error = (theirs * (1.0 - theirs) * (1.0 / 1e5 + 1.0 / 2e5)).sqrt();
        assert!((found.p - theirs).abs() < 5.0 * error, "{} {theirs}", found.p);
    }
}

#[test]
fn bootstrap_intervals() {
    for case in cases("bootstrap") {
        let values = list(&case["values"]);
        let mut drawn = list(&case["drawn"]);
        drawn.sort_by(f64::total_cmp);
        let theirs = list(&case["percentile"]);
        let (low, high) = percentile(&drawn, 0.9);
        near(low, theirs[0], "percentile");
        near(high, theirs[1], "percentile");
        if statistic(&case) == Statistic::Mean {
            let sum: f64 = values.iter().sum();
            let count = values.len() as f64;
            let left_out: Vec<f64> = values.iter().map(|v| (sum - v) / (count - 1.0)).collect();
            let (low, high) = bias_corrected(&drawn, sum / count, &left_out, 0.9).unwrap();
            let theirs = list(&case["BCa"]);
            near(low, theirs[0], "BCa");
            near(high, theirs[1], "BCa");
        }
        // Our own draws end up in the same place.
        let params = Bootstrap { draws: 50_000, ..Bootstrap::default() };
        let found = params.interval(&values, statistic(&case)).unwrap();
        let theirs = list(&case["many"]);
        let slack = 0.05 * (theirs[1] - theirs[0]);
        assert!((found.low - theirs[0]).abs() < slack, "{found:?} {theirs:?}");
        assert!((found.high - theirs[1]).abs() < slack, "{found:?} {theirs:?}");
    }
}

#[test]
fn corrections() {
    for case in cases("correction") {
        let p: Vec<Option<f64>> = list(&case["p"]).into_iter().map(Some).collect();
        for correction in [Correction::Holm, Correction::Bonferroni, Correction::BenjaminiHochberg]
        {
            let theirs = list(&case[correction.name()]);
            for (ours, theirs) in correction.adjust(&p).into_iter().zip(theirs) {
                near(ours.unwrap(), theirs, correction.name());
            }
        }
    }
}

#[test]
fn kappa_and_overlap() {
    for case in cases("kappa") {
        let classes = |name: &str| -> Vec<i64> {
            case[name].as_array().unwrap().iter().map(|x| x.as_i64().unwrap()).collect()
        };
        let (a, b) = (classes("a"), classes("b"));
        for (name, weights) in [
            ("nominal", Weights::Nominal),
            ("linear", Weights::Linear),
            ("quadratic", Weights::Quadratic),
        ] {
            let found = cohen_kappa_weighted(&a, &b, weights).unwrap();
            near(found.kappa, case[name].as_f64().unwrap(), name);
        }
        if let Some(theirs) = case.get("prf").map(list) {
            let yes = |classes: &[i64]| -> Vec<bool> { classes.iter().map(|&c| c == 1).collect() };
            let overlap = Overlap::of(&yes(&a), &yes(&b)).unwrap();
            near(overlap.precision().unwrap(), theirs[0], "precision");
            near(overlap.recall().unwrap(), theirs[1], "recall");
            near(overlap.f1().unwrap(), theirs[2], "F");
        }
    }
}

#[test]
fn alpha() {
    for case in cases("alpha") {
        let judges: Vec<Vec<f64>> = case["ratings"].as_array().unwrap().iter().map(list).collect();
        let units: Vec<Vec<f64>> = (0..judges[0].len())
            .map(|unit| judges.iter().map(|judge| judge[unit]).filter(|v| !v.is_nan()).collect())
            .collect();
        for metric in Metric::ALL {
            let found = krippendorff_alpha(&units, metric).unwrap();
            near(found.alpha, case[metric.name()].as_f64().unwrap(), metric.name());
        }
    }
}
