//! How well the model ranks the test pictures and captions, beside what chance would give.
//!
//! The protocol is that of the ranking-task paper: a pool of all test pictures and one caption of
//! each (its third), so that every query has one gold item in both directions.

use rebus_collection::synth::Settings;
use rebus_collection::{Caption, Collection, Item, Matrix, counted};
use rebus_eval::report::{Protocol, Report, System};
use rebus_eval::{Evaluation, GoldMap, GoldRanks, Measure, Ties};
use rebus_models::{Affinity, Cca, DualEncoder};

const MEASURES: &str = "R@1,R@5,R@10,median";

/// The caption of an item that is in the pool, as in Flickr8k: `#2`, or the last there is.
const POOLED: usize = 2;

/// Ranks one caption a picture in both directions.
pub(super) fn measure(
    collection: &Collection,
    items: &[&Item],
    features: &Matrix,
    settings: Settings,
    model: &Cca,
) -> anyhow::Result<Report> {
    let pooled = |item: &&Item| -> Option<&Caption> {
        let captions = collection.captions_of(&item.id);
        captions.take(POOLED + 1).last()
    };
    let pool: Vec<&str> = items.iter().filter_map(pooled).map(|it| it.text.as_str()).collect();
    let scores = Affinity::Dual(model).matrix(features, &pool)?;
    let map = GoldMap::even(items.len(), pool.len())?;
    let ties = Ties::Worst;
    let ranks = GoldRanks::new(&scores, &map, ties)?;
    let measures = Measure::parse_list(MEASURES)?;

    let world = format!("synthetic, seed {}, {} pictures", settings.seed, settings.images);
    let protocol = Protocol::new()
        .with("collection", world)
        .with("split", "test")
        .with("pool", format!("{}, a caption each", counted(items.len() as u64, "picture")))
        .with("queries", items.len())
        .with("ties", ties.name())
        .with("extractor", model.extractor());
    let mut report = Report::new(protocol);
    let mut system = System::new("cca");
    let mut luck = System::new("chance");
    for (task, queries) in ranks.tasks() {
        let evaluation = Evaluation::of_queries(queries, &measures);
        for (measure, value) in measures.iter().zip(evaluation.figures()) {
            system = system.figure(task, &measure.to_string(), value);
            luck = luck.figure(task, &measure.to_string(), chance(measure, items.len()));
        }
        for (measure, tied) in measures.iter().zip(&evaluation.ties).filter(|(_, tied)| **tied > 0)
        {
            let queries = counted(*tied as u64, "query");
            report.notes.push(format!("{task}, {measure}: ties touch {queries}"));
        }
    }
    report.systems = vec![system, luck];
    Ok(report)
}

/// What a shuffled ranking of `pool` items with one gold item gives on average.
fn chance(measure: &Measure, pool: usize) -> f64 {
    match measure.parameter().cutoff() {
        Some(cutoff) => (cutoff as f64 / pool as f64).min(1.0),
        None => (pool as f64 + 1.0) / 2.0,
    }
}
