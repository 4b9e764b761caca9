//! Canonical correlations and directions against scipy's (`reference/cca.py`).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says when it skips"
)]

use faer::Mat;
use rebus_models::Canonical;
use serde_json::Value;

fn matrix(rows: &Value) -> Mat<f64> {
    let rows = rows.as_array().unwrap();
    let columns = rows[0].as_array().unwrap().len();
    Mat::from_fn(rows.len(), columns, |row, column| rows[row][column].as_f64().unwrap())
}

#[test]
fn correlations_and_directions_are_scipys() {
    let reference: Value = serde_json::from_str(include_str!("reference/cca.json")).unwrap();
    for case in reference["cases"].as_array().unwrap() {
        let kappa = [0, 1].map(|side| case["kappa"][side].as_f64().unwrap());
        let ours = Canonical::new(matrix(&case["x"]), matrix(&case["y"]), 100, kappa).unwrap();
        let theirs = case["correlations"].as_array().unwrap();
        assert_eq!(ours.correlations.len(), theirs.len());
        for (ours, theirs) in ours.correlations.iter().zip(theirs) {
            assert!((ours - theirs.as_f64().unwrap()).abs() < 1e-9, "{ours} {theirs}");
        }
        for (weights, name) in [(&ours.x_weights, "x_weights"), (&ours.y_weights, "y_weights")] {
            let theirs = matrix(&case[name]);
            for k in 0..theirs.nrows() {
                for feature in 0..theirs.ncols() {
                    let (a, b) = (weights[(feature, k)], theirs[(k, feature)]);
                    assert!((a - b).abs() < 1e-7, "{name} {k} {feature}: {a} {b}");
                }
            }
        }
    }
}
