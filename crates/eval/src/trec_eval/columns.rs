//! The lines that trec_eval prints, in its order, and what stands on them.

use crate::Measure;

use super::topic::{Place, Topic};
use super::{LOWEST, Request, Selection, Version, gains, inferred};

/// How values become a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The name of the run; not a topic's.
    RunId,
    /// The number of topics; not a topic's.
    TopicCount,
    /// A whole number, added up.
    Sum,
    /// A figure, averaged.
    Mean,
    /// The logarithm of a figure, whose mean is taken back; not a topic's.
    GeometricMean,
    /// The grades of the first results; only a topic's.
    Relstring,
}

/// One line.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) value: Box<dyn Fn(&Topic) -> f64 + Sync>,
}

const CUTOFFS: [usize; 9] = [5, 10, 15, 20, 30, 100, 200, 500, 1000];

/// The lines that are asked for.
pub(super) fn columns(request: &Request) -> Vec<Column> {
    let mut lines = Lines { all: Vec::new(), version: request.version };
    lines.official_counts();
    lines.official_figures();
    if request.selection == Selection::All {
        lines.more_figures(request.relstring);
        lines.gains();
        lines.sets();
        if request.version == Version::V10 {
            lines.new_in_10();
        }
    }
    lines.all
}

struct Lines {
    all: Vec<Column>,
    version: Version,
}

impl Lines {
    fn add(
        &mut self,
        name: impl Into<String>,
        kind: Kind,
        value: impl Fn(&Topic) -> f64 + Sync + 'static,
    ) {
        self.all.push(Column { name: name.into(), kind, value: Box::new(value) });
    }

    fn mean(&mut self, name: impl Into<String>, value: impl Fn(&Topic) -> f64 + Sync + 'static) {
        self.add(name, Kind::Mean, value);
    }

    /// One of our measures under trec_eval's name.
    fn ours(&mut self, name: impl Into<String>, measure: &str) {
        // The names are our own; a wrong one would leave its line out, which the tests see.
        if let Ok(measure) = measure.parse::<Measure>() {
            self.mean(name, move |topic| topic.ours(&measure));
        }
    }

    fn cut_off(&mut self, name: &str, measure: &str) {
        for cutoff in CUTOFFS {
            self.ours(format!("{name}_{cutoff}"), &format!("{measure}@{cutoff}"));
        }
    }

    fn official_counts(&mut self) {
        self.add("runid", Kind::RunId, |_| 0.0);
        self.add("num_q", Kind::TopicCount, |_| 0.0);
        self.add("num_ret", Kind::Sum, |topic| topic.retrieved() as f64);
        self.add("num_rel", Kind::Sum, |topic| topic.relevant as f64);
        self.add("num_rel_ret", Kind::Sum, |topic| topic.relevant_retrieved as f64);
    }

    fn official_figures(&mut self) {
        self.ours("map", "MAP");
        self.geometric("gm_map", "MAP");
        self.ours("Rprec", "R-precision");
        self.ours("bpref", "bpref");
        self.ours("recip_rank", "MRR");
        for level in levels() {
            let wanted = wanted(self.version, level);
            self.mean(format!("iprec_at_recall_{level:.2}"), move |topic| {
                topic.precision_from(wanted(topic.relevant))
            });
        }
        self.cut_off("P", "P");
    }

    fn geometric(&mut self, name: &str, measure: &str) {
        if let Ok(measure) = measure.parse::<Measure>() {
            self.add(name, Kind::GeometricMean, move |topic| topic.ours(&measure).max(LOWEST).ln());
        }
    }

    fn more_figures(&mut self, relstring: Option<usize>) {
        let name = relstring.map_or("relstring".into(), |length| format!("relstring_{length}"));
        self.add(name, Kind::Relstring, |_| 0.0);
        self.cut_off("recall", "R");
        self.mean("infAP", inferred::average_precision);
        self.geometric("gm_bpref", "bpref");
        for tenths in (2..=20).step_by(2) {
            let multiple = f64::from(tenths) / 10.0;
            self.mean(format!("Rprec_mult_{multiple:.2}"), move |topic| {
                let cutoff = (multiple * topic.relevant as f64 + 0.9) as usize;
                share(topic.found(cutoff), cutoff)
            });
        }
        self.mean("utility", |topic| {
            2.0 * topic.relevant_retrieved as f64 - topic.retrieved() as f64
        });
        let version = self.version;
        self.mean("11pt_avg", move |topic| {
            let at = |level| topic.precision_from(wanted(version, level)(topic.relevant));
            // trec_eval adds them up from the last level to the first.
            levels().into_iter().rev().map(at).sum::<f64>() / 11.0
        });
    }

    fn gains(&mut self) {
        self.mean("binG", gains::binary_g);
        self.mean("G", gains::g);
        self.ours("ndcg", "nDCG");
        self.mean("ndcg_rel", gains::ndcg_at_relevant);
        self.mean("Rndcg", gains::ndcg_at_levels);
        self.cut_off("ndcg_cut", "nDCG");
        self.cut_off("map_cut", "MAP");
        for cutoff in CUTOFFS {
            self.mean(format!("relative_P_{cutoff}"), move |topic| {
                share(topic.found(cutoff), cutoff.min(topic.relevant))
            });
        }
        for cutoff in [1, 5, 10] {
            self.ours(format!("success_{cutoff}"), &format!("S@{cutoff}"));
        }
    }

    fn sets(&mut self) {
        self.mean("set_P", |topic| share(topic.relevant_retrieved, topic.retrieved()));
        self.mean("set_relative_P", |topic| {
            share(topic.relevant_retrieved, topic.retrieved().min(topic.relevant))
        });
        self.mean("set_recall", |topic| share(topic.relevant_retrieved, topic.relevant));
        self.mean("set_map", |topic| {
            let found = topic.relevant_retrieved;
            share(found * found, topic.retrieved() * topic.relevant)
        });
        self.mean("set_F", |topic| {
            share(2 * topic.relevant_retrieved, topic.retrieved() + topic.relevant)
        });
        self.add("num_nonrel_judged_ret", Kind::Sum, |topic| {
            let judged = topic.ranked.iter().filter(|place| place.is_judged()).count();
            (judged - topic.relevant_retrieved) as f64
        });
    }

    fn new_in_10(&mut self) {
        const PATIENCE: f64 = 0.9;
        self.ours("rbp", "RBP@0.9");
        self.mean("rbp_resid", |topic| {
            let (mut sum, mut weight, mut any) = (0.0, 1.0, false);
            for place in &topic.ranked {
                if !place.is_judged() {
                    sum += weight;
                    any = true;
                }
                weight *= PATIENCE;
            }
            if any { weight + (1.0 - PATIENCE) * sum } else { 0.0 }
        });
        for cutoff in [5, 10, 20] {
            self.mean(format!("unj_{cutoff}"), move |topic| {
                let not_judged = |place: &&Place| !place.is_judged();
                share(topic.ranked.iter().take(cutoff).filter(not_judged).count(), cutoff)
            });
        }
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn levels() -> [f64; 11] {
    std::array::from_fn(|at| at as f64 / 10.0)
}

/// How many of the relevant documents a level of recall asks for.
fn wanted(version: Version, level: f64) -> impl Fn(usize) -> u32 {
    move |relevant| match version {
        Version::V9 => (level * relevant as f64 + 0.9) as u32,
        Version::V10 => (level * relevant as f64).round() as u32,
    }
}
