//! Reports of agreement: among the judges of one set, and of one set against another.

use rebus_collection::counted;

use super::{
    Judgements, Judges, Metric, Threshold, ThresholdGrid, Weights, cohen_kappa_weighted,
    krippendorff_alpha,
};
use crate::Undefined;
use crate::correlation::{Tau, kendall, pearson, spearman};
use crate::report::{Evidence, Plot, Protocol, Report, System};
use crate::significance::Stars;

/// With more judges than this, pairs of them are not listed one by one.
const LISTED_JUDGES: usize = 12;

/// That this many units are sorted by chance is not to be believed.
const MANY_UNITS: usize = 20;

/// How far the judges of one set agree: alpha on every scale, then every pair of judges.
pub fn agreement_among(judgements: &Judgements) -> Report {
    let ratings = &judgements.ratings;
    let units = ratings.by_unit();
    let protocol = Protocol::new()
        .with("units", units.len())
        .with("judges", ratings.judges().len())
        .with("judgements", ratings.len())
        .with("values", values_told(judgements))
        .with("stars", Stars::LEGEND);
    let protocol = match looks_sorted(judgements) {
        true => protocol.with("pairs of judges", SORTED),
        false => protocol,
    };
    let mut report = Report::new(protocol);
    let mut gaps = Gaps::default();
    let mut all = System::new("all judges");
    let mut plot = Plot::bars("Agreement of all judges", "measure", "agreement");
    for metric in Metric::ALL {
        if !judgements.classes.is_empty() && metric != Metric::Nominal {
            continue;
        }
        let alpha = krippendorff_alpha(&units, metric);
        let what = format!("alpha ({})", metric.name());
        // Values below zero mean that the scale has no true zero, so there are no ratios.
        if alpha != Err(Undefined::Negative) {
            if let Ok(alpha) = &alpha {
                plot = plot.bar(&what, alpha.alpha);
            }
            all = all.figure("agreement", &what, gaps.tell(alpha.map(|a| a.alpha), &what));
        }
    }
    let single = units.iter().filter(|unit| unit.len() < 2).count();
    if single > 0 {
        let what = "units with a single judgement, which are left out of alpha";
        report.notes.push(format!("{what}: {single}"));
    }
    let pairs = pairs(judgements, &mut report);
    let kappas: Vec<f64> = pairs.iter().filter_map(|pair| pair.kappa.ok()).collect();
    if !kappas.is_empty() {
        let mean = kappas.iter().sum::<f64>() / kappas.len() as f64;
        all = all.figure("agreement", "mean kappa of pairs", mean);
        plot = plot.bar("mean kappa of pairs", mean);
    }
    report.plots.push(plot);
    report.systems.push(all);
    if ratings.judges().len() <= LISTED_JUDGES {
        let numeric = judgements.classes.is_empty();
        let listed = pairs.into_iter().map(|pair| pair.system(numeric, &mut gaps));
        let listed: Vec<System> = listed.collect();
        report.systems.extend(listed);
    } else if !pairs.is_empty() {
        report.notes.push(format!("pairs of judges are listed for up to {LISTED_JUDGES} judges"));
    }
    report.notes.extend(gaps.notes());
    report
}

/// Why figures of pairs mean nothing where values are sorted.
const SORTED: &str = "no pairs of persons: the values of every unit ascend from judge to judge, so they \
                      look sorted, and kappa and correlations of pairs mean nothing (alpha does not mind)";

/// Whether the first judge always gave the lowest value, the last the highest, on many units.
fn looks_sorted(judgements: &Judgements) -> bool {
    let units = judgements.ratings.by_unit();
    let several = units.iter().filter(|unit| unit.len() > 1).count();
    judgements.judges == Judges::Named
        && several >= MANY_UNITS
        && units.iter().all(|unit| unit.is_sorted())
}

fn values_told(judgements: &Judgements) -> String {
    if judgements.classes.is_empty() {
        return "numbers".to_owned();
    }
    let names: Vec<&str> = judgements.classes.iter().take(8).map(String::as_str).collect();
    let more = if judgements.classes.len() > 8 { ", ..." } else { "" };
    let classes = counted(judgements.classes.len() as u64, "class");
    format!("{classes}: {}{more}", names.join(", "))
}

/// Figures that have no value, by the reason.
#[derive(Default)]
struct Gaps(Vec<(Undefined, Vec<String>)>);

impl Gaps {
    /// The value; where there is none, the reason is kept.
    fn tell<T>(&mut self, value: Result<T, Undefined>, what: &str) -> Option<T> {
        let keep = |why| match self.0.iter_mut().find(|(known, _)| *known == why) {
            Some((_, figures)) => figures.push(what.to_owned()),
            None => self.0.push((why, vec![what.to_owned()])),
        };
        value.map_err(keep).ok()
    }

    fn notes(self) -> impl Iterator<Item = String> {
        let note = |(why, figures): (Undefined, Vec<String>)| {
            format!("undefined: {} ({why})", figures.join(", "))
        };
        self.0.into_iter().map(note)
    }
}

/// Two judges and the units both judged.
struct Pair {
    name: String,
    first: Vec<f64>,
    second: Vec<f64>,
    kappa: Result<f64, Undefined>,
}

fn pairs(judgements: &Judgements, report: &mut Report) -> Vec<Pair> {
    let ratings = &judgements.ratings;
    if judgements.judges == Judges::Anonymous {
        report.notes.push("judges have no names, so pairs of judges are not compared".to_owned());
        return Vec::new();
    }
    let judges = ratings.judges();
    let mut pairs = Vec::new();
    let mut strangers = 0;
    for second in 0..judges.len() {
        for first in 0..second {
            let Ok((a, b)) = ratings.shared(first, second) else {
                strangers += 1;
                continue;
            };
            let kappa = kappa(&a, &b, Weights::Nominal);
            let name = format!("{} ~ {}", judges[first], judges[second]);
            pairs.push(Pair { name, first: a, second: b, kappa });
        }
    }
    if strangers > 0 {
        report.notes.push(format!("pairs of judges without a unit in common: {strangers}"));
    }
    pairs
}

fn kappa(first: &[f64], second: &[f64], weights: Weights) -> Result<f64, Undefined> {
    let ordered = |values: &[f64]| values.iter().map(|&value| Ordered(value)).collect::<Vec<_>>();
    Ok(cohen_kappa_weighted(&ordered(first), &ordered(second), weights)?.kappa)
}

/// A finite number that can be a class.
#[derive(PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // Adding 0 makes -0 the same class as 0.
        (self.0 + 0.0).total_cmp(&(other.0 + 0.0))
    }
}

impl Pair {
    fn system(self, numeric: bool, gaps: &mut Gaps) -> System {
        const TASK: &str = "pairs of judges";
        let mut told = |value, what: &str| gaps.tell(value, &format!("{what} of {}", self.name));
        let mut system = System::new(&self.name);
        system = system.figure(TASK, "units", self.first.len() as f64);
        system = system.figure(TASK, "kappa", told(self.kappa, "kappa"));
        if numeric {
            let weighted = kappa(&self.first, &self.second, Weights::Quadratic);
            system = system.figure(TASK, "weighted kappa", told(weighted, "weighted kappa"));
            system = correlations(system, TASK, &self.first, &self.second, gaps);
        }
        system
    }
}

fn correlations(
    mut system: System,
    task: &str,
    first: &[f64],
    second: &[f64],
    gaps: &mut Gaps,
) -> System {
    for (name, found) in [
        ("Pearson", pearson(first, second)),
        ("Spearman", spearman(first, second)),
        ("tau-b", kendall(first, second, Tau::B)),
        ("tau-c", kendall(first, second, Tau::C)),
    ] {
        let found = gaps.tell(found, &format!("{name} of {}", system.name));
        let p = found.and_then(|found| found.p);
        let mark = p.map(|p| Stars::of(p).to_string()).unwrap_or_default();
        let evidence = Evidence { mark, p, ..Evidence::default() };
        let value = found.map(|found| found.coefficient);
        system = system.figure_with(task, name, value, evidence);
    }
    system
}

/// One set of judgements and the thresholds that make it binary.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// What the set is called.
    pub name: &'a str,
    /// The judgements.
    pub judgements: &'a Judgements,
    /// The thresholds on the mean of a unit's judgements; none for every step there is.
    pub thresholds: &'a [Threshold],
}

/// How one set of judgements agrees with another on the units both judged: correlation of the means,
/// then kappa, precision, recall and F at every pair of thresholds (ranking-task paper, Tables 8 to
/// 10).
///
/// # Errors
/// If the sets have no unit in common.
pub fn agreement_against(tested: Side<'_>, reference: Side<'_>) -> Result<Report, Undefined> {
    let (left, right) = (tested.judgements.means(), reference.judgements.means());
    let (a, b): (Vec<f64>, Vec<f64>) =
        left.iter().filter_map(|(unit, &a)| Some((a, *right.get(unit)?))).unzip();
    if a.is_empty() {
        return Err(Undefined::NothingPairable);
    }
    let steps = |side: &Side<'_>, values: &[f64]| match side.thresholds {
        [] => Threshold::steps(values),
        given => given.to_vec(),
    };
    let grid = ThresholdGrid::new((&a, &steps(&tested, &a)), (&b, &steps(&reference, &b)))?;
    let protocol = Protocol::new()
        .with("tested", tested.name)
        .with("reference", reference.name)
        .with("units", a.len())
        .with("units of the tested set only", left.len() - a.len())
        .with("units of the reference only", right.len() - a.len())
        .with("score of a unit", "mean of its judgements")
        .with("stars", Stars::LEGEND);
    let mut report = Report::new(protocol);
    let means = System::new(format!("{} ~ {}", tested.name, reference.name));
    let mut gaps = Gaps::default();
    report.systems.push(correlations(means, "means", &a, &b, &mut gaps));
    report.notes.extend(gaps.notes());
    let mut undefined = 0;
    let mut plot =
        Plot::lines("Kappa over thresholds", &format!("threshold of {}", tested.name), "kappa");
    for (row, threshold) in grid.reference.iter().enumerate() {
        let name = format!("{} >= {}", reference.name, short(threshold.0));
        let kappas = grid.tested.iter().enumerate().filter_map(|(column, threshold)| {
            Some((threshold.0, grid.at(row, column).kappa().ok()?.kappa))
        });
        let mut kappas: Vec<(f64, f64)> = kappas.collect();
        kappas.sort_by(|a, b| a.0.total_cmp(&b.0));
        plot = plot.series(&name, kappas);
        let mut system = System::new(name);
        for task in ["kappa", "precision", "recall", "F1"] {
            for (column, threshold) in grid.tested.iter().enumerate() {
                let overlap = grid.at(row, column);
                let value = match task {
                    "kappa" => overlap.kappa().map(|kappa| kappa.kappa),
                    "precision" => overlap.precision(),
                    "recall" => overlap.recall(),
                    _ => overlap.f1(),
                };
                undefined += usize::from(value.is_err());
                let column = format!("{} >= {}", tested.name, short(threshold.0));
                system = system.figure(task, &column, value.ok());
            }
        }
        report.systems.push(system);
    }
    report.plots.push(plot);
    if undefined > 0 {
        let what =
            "undefined figures, where at the thresholds a set has no yes, or nothing but yes";
        report.notes.push(format!("{what}: {undefined}"));
    }
    if let Some((row, column, kappa)) = grid.best() {
        report.notes.push(format!(
            "best kappa {:.4}: {} >= {} against {} >= {}",
            kappa.kappa,
            tested.name,
            short(grid.tested[column].0),
            reference.name,
            short(grid.reference[row].0),
        ));
    }
    Ok(report)
}

/// A threshold with at most three decimals.
fn short(threshold: f64) -> String {
    let text = format!("{threshold:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judgements(values: &[(&str, &[f64])]) -> Judgements {
        let mut judgements = Judgements::default();
        for (unit, values) in values {
            for (judge, value) in values.iter().enumerate() {
                judgements.ratings.add(unit, &judge.to_string(), *value).unwrap();
            }
        }
        judgements
    }

    #[test]
    fn a_set_alone() {
        let set = judgements(&[("a", &[1.0, 1.0]), ("b", &[2.0, 2.0]), ("c", &[4.0, 3.0])]);
        let json = agreement_among(&set).to_json();
        let agreement = &json["systems"][0]["agreement"];
        assert!(agreement["alpha (interval)"].as_f64().unwrap() > 0.8);
        assert!(agreement["alpha (ratio)"].is_number());
        assert_eq!(json["systems"][1]["name"], "0 ~ 1");
        assert_eq!(json["systems"][1]["pairs of judges"]["units"], 3.0);
    }

    #[test]
    fn full_agreement_on_one_value_is_told_as_undefined() {
        let set = judgements(&[("a", &[1.0, 1.0]), ("b", &[1.0, 1.0])]);
        let report = agreement_among(&set);
        let json = report.to_json();
        assert!(json["systems"][0]["agreement"]["alpha (nominal)"].is_null());
        assert!(report.notes[0].starts_with("undefined: alpha (nominal), alpha (ordinal)"));
        assert!(!report.to_text().contains("NaN"));
    }

    #[test]
    fn one_set_against_another() {
        let crowd = judgements(&[("a", &[0.0, 0.0]), ("b", &[1.0, 0.0]), ("c", &[1.0, 1.0])]);
        let experts = judgements(&[("a", &[1.0]), ("b", &[4.0]), ("c", &[4.0]), ("d", &[1.0])]);
        let half = [Threshold(0.5)];
        let tested = Side { name: "crowd", judgements: &crowd, thresholds: &half };
        let reference = Side { name: "experts", judgements: &experts, thresholds: &[] };
        let report = agreement_against(tested, reference).unwrap();
        let json = report.to_json();
        assert_eq!(json["protocol"]["units"], 3);
        assert_eq!(json["protocol"]["units of the reference only"], 1);
        assert_eq!(json["systems"][1]["name"], "experts >= 4");
        assert_eq!(json["systems"][1]["kappa"]["crowd >= 0.5"], 1.0);
        assert_eq!(json["systems"][1]["F1"]["crowd >= 0.5"], 1.0);
        let nobody = Judgements::default();
        let stranger = Side { name: "x", judgements: &nobody, thresholds: &[] };
        assert_eq!(agreement_against(tested, stranger), Err(Undefined::NothingPairable));
    }
}
