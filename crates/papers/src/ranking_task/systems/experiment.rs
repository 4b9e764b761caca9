//! One system after the other: kernels, choice of settings, ranking of the pool.

use std::rc::Rc;

use faer::Mat;
use rebus_collection::{Matrix, Progress};
use rebus_eval::{GoldMap, GoldRanks, Query, Ties};
use rebus_models::Task;
use rebus_models::kcca::{Pairing, Spectrum};
use rebus_text::kernel::kernel_named;
use rebus_vision::Kernel;

use super::data::Data;
use super::grams::Grams;
use super::pictures::{ImageGrams, Pictures, columns};
use super::selection::{self, Chosen, Pool};
use super::table::{Method, TableSystem};
use super::texts::{TextGrams, Texts};
use crate::{Error, Result};

/// The leading eigenvalues that are kept of a kernel, of up to 6,000: a third of the work of all of
/// them, by subspace iteration.
pub(super) const RANK: usize = 1500;

/// What one system came to.
pub(super) struct Outcome {
    pub(super) system: &'static TableSystem,
    /// Scores, a row an image and a column a caption: for annotation, then for search.
    pub(super) scores: [Matrix; 2],
    /// Where the gold items stand: for annotation, then for search.
    pub(super) ranks: [Vec<Query>; 2],
    /// What was chosen, in words.
    pub(super) settings: String,
    /// Captions of the pool without a word that the kernel knows.
    pub(super) unrankable: usize,
}

/// One side of a KCCA fit: the spectrum, and the pool in its basis.
struct Side {
    spectrum: Rc<Spectrum>,
    pool: Mat<f32>,
}

/// Which fit: the one that settings are chosen with, or the one that is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Stage {
    Choice,
    Report,
}

pub(super) struct Experiment<'a> {
    data: &'a Data,
    pictures: Pictures,
    texts: Texts,
    grams: Grams,
    progress: &'a dyn Progress,
    /// Image sides that several systems share.
    images: Vec<((String, Stage), Side)>,
    /// The text side of the last system, which the next may share.
    text: Option<(&'static str, TextGrams, Option<[Side; 2]>)>,
}

impl<'a> Experiment<'a> {
    pub(super) fn new(
        data: &'a Data,
        pictures: Pictures,
        texts: Texts,
        grams: Grams,
        progress: &'a dyn Progress,
    ) -> Self {
        Self { data, pictures, texts, grams, progress, images: Vec::new(), text: None }
    }

    /// Fits a system and ranks the pool.
    pub(super) fn run(&mut self, system: &'static TableSystem) -> Result<Outcome> {
        if self.text.as_ref().is_none_or(|(name, ..)| *name != system.text) {
            let kernel = kernel_named(system.text)?;
            let grams = self.texts.grams(kernel, &self.grams, self.progress)?;
            self.text = Some((system.text, grams, None));
        }
        let (scores, settings) = match system.method {
            Method::Nearest => self.nearest(system)?,
            Method::Kcca => self.kcca(system)?,
        };
        let unrankable = self.text_grams()?.report_unrankable.len();
        let map = GoldMap::even(scores[0].rows(), scores[0].columns())?;
        let annotation = GoldRanks::new(&scores[0], &map, Ties::Worst)?.annotation;
        let search = GoldRanks::new(&scores[1], &map, Ties::Worst)?.search;
        Ok(Outcome { system, scores, ranks: [annotation, search], settings, unrankable })
    }

    fn nearest(&mut self, system: &TableSystem) -> Result<([Matrix; 2], String)> {
        // The power does not change which is nearest.
        let kernel = self.pictures.candidates(system.image)[0];
        let image = self.pictures.grams(kernel, &self.data.held_out, &self.grams, self.progress)?;
        let texts = &self.text_grams()?.report;
        let by = |task: Task| Ok::<_, Error>(task.by_neighbours(&image.report, texts)?.scores);
        Ok(([by(Task::Annotation)?, by(Task::Search)?], format!("{kernel}")))
    }

    fn kcca(&mut self, system: &TableSystem) -> Result<([Matrix; 2], String)> {
        let candidates = self.pictures.candidates(system.image);
        for &kernel in &candidates {
            self.image_side(kernel, Stage::Choice)?;
        }
        self.text_sides()?;
        let steps = candidates.len() * selection::DIAGONALS.len() + selection::KAPPAS.len();
        self.progress.begin(&format!("{}: choosing settings", system.name), Some(steps as u64));
        let mut best: Option<(Kernel, f64, u32)> = None;
        for &kernel in &candidates {
            let (pairing, pool) = self.pairing(kernel, Stage::Choice)?;
            let (d, hits) = selection::choose_diagonal(&pairing, pool, self.progress)?;
            if best.is_none_or(|(_, _, most)| hits > most) {
                best = Some((kernel, d, hits));
            }
        }
        let (kernel, diagonal, _) = best.unwrap_or((candidates[0], 1.0, 0));
        let chosen: Chosen = {
            let (pairing, pool) = self.pairing(kernel, Stage::Choice)?;
            selection::choose(&pairing, pool, diagonal, self.progress)?
        };
        self.image_side(kernel, Stage::Report)?;
        self.progress.begin(&format!("{}: ranking", system.name), None);
        let (pairing, pool) = self.pairing(kernel, Stage::Report)?;
        let scores = selection::fused(&pairing, pool, &chosen, self.progress)?;
        Ok((scores, format!("{kernel}, d {diagonal}, {}", chosen.in_words())))
    }

    fn text_grams(&self) -> Result<&TextGrams> {
        // Set at the beginning of every run.
        let known = self.text.as_ref().map(|(_, grams, _)| grams);
        known.ok_or_else(|| Error::Ours("no text kernel".into()))
    }

    /// The decomposition of an image kernel and the pool in it, unless it is there.
    fn image_side(&mut self, kernel: Kernel, stage: Stage) -> Result<()> {
        let key = (kernel.to_string(), stage);
        if self.images.iter().any(|(known, _)| *known == key) {
            return Ok(());
        }
        let ImageGrams { train, choice, report } =
            self.pictures.grams(kernel, &self.data.held_out, &self.grams, self.progress)?;
        self.progress.begin(&format!("eigenvalues of {kernel}"), None);
        let known = self.images.iter().find(|((name, _), _)| *name == key.0);
        let known = known.map(|(_, side)| Rc::clone(&side.spectrum));
        let side = self.side(&train, [&choice, &report], [&[], &[]], (stage, known))?;
        self.images.push((key, side));
        Ok(())
    }

    /// The decompositions of the text kernel at hand, unless they are there.
    fn text_sides(&mut self) -> Result<()> {
        let Some((name, grams, sides)) = self.text.take() else { return Ok(()) };
        let sides = match sides {
            Some(sides) => sides,
            None => {
                self.progress.begin(&format!("eigenvalues of {name}"), None);
                let side = |stage| {
                    let unrankable: [&[usize]; 2] =
                        [&grams.choice_unrankable, &grams.report_unrankable];
                    let pools = [&grams.choice, &grams.report];
                    self.side(&grams.train, pools, unrankable, stage)
                };
                let choice = side((Stage::Choice, None))?;
                let known = Rc::clone(&choice.spectrum);
                [choice, side((Stage::Report, Some(known)))?]
            }
        };
        self.text = Some((name, grams, Some(sides)));
        Ok(())
    }

    fn side(
        &self,
        train: &Matrix,
        pools: [&Matrix; 2],
        unrankable: [&[usize]; 2],
        (stage, known): (Stage, Option<Rc<Spectrum>>),
    ) -> Result<Side> {
        if self.progress.interrupted() {
            return Err(rebus_collection::Error::Interrupted.into());
        }
        // Where nothing is held out, both stages have one fit.
        let known = known.filter(|_| self.data.held_out.is_empty());
        let of = |gram: &Matrix| Ok::<_, Error>(Rc::new(Spectrum::of(gram, RANK)?));
        let (spectrum, pool, unrankable) = match (stage, known) {
            (Stage::Choice, _) => {
                let fitted = self.data.fitted_for_choice();
                let gram = columns(&train.only(&fitted), &fitted);
                (of(&gram)?, columns(pools[0], &fitted), unrankable[0])
            }
            (Stage::Report, Some(known)) => (known, pools[1].clone(), unrankable[1]),
            (Stage::Report, None) => (of(train)?, pools[1].clone(), unrankable[1]),
        };
        let mut pool = spectrum.coordinates(&pool)?;
        // A caption that the kernel knows nothing about has no place: it is far from everything.
        for &row in unrankable {
            (0..pool.ncols()).for_each(|column| pool[(row, column)] = 0.0);
        }
        Ok(Side { spectrum, pool })
    }

    fn pairing(&self, kernel: Kernel, stage: Stage) -> Result<(Pairing<'_>, Pool<'_>)> {
        let key = (kernel.to_string(), stage);
        let image = self.images.iter().find(|(known, _)| *known == key).map(|(_, side)| side);
        let text = self.text.as_ref().and_then(|(_, _, sides)| sides.as_ref());
        let (Some(image), Some(text)) = (image, text) else {
            return Err(Error::Ours("both sides are made before they are paired".into()));
        };
        let text = &text[usize::from(stage == Stage::Report)];
        let pairing = Pairing::new(&image.spectrum, &text.spectrum)?;
        Ok((pairing, Pool { image: image.pool.as_ref(), text: text.pool.as_ref() }))
    }
}
