//! The text side: captions as the kernels see them, and the word similarities.

use std::collections::HashMap;

use rebus_collection::{Matrix, Progress};
use rebus_text::Toolbox;
use rebus_text::kernel::{Described, Kernel, Lexical, TextKernel};
use rebus_text::similarity::WordSimilarity;

use super::data::Data;
use super::grams::{Grams, Key};
use crate::{Error, Result};

/// The captions of all parts, analysed as in section 4.1.1.
pub(super) struct Texts {
    train: Vec<Described>,
    choice: Vec<Described>,
    report: Vec<Described>,
    similarities: HashMap<Lexical, WordSimilarity>,
}

/// The Gram matrices of one text kernel, and which captions of the pools it can say nothing about.
pub(super) struct TextGrams {
    pub(super) train: Matrix,
    /// A row a caption that settings are chosen on, a column a training item.
    pub(super) choice: Matrix,
    /// A row a caption that is reported, a column a training item.
    pub(super) report: Matrix,
    pub(super) choice_unrankable: Vec<usize>,
    pub(super) report_unrankable: Vec<usize>,
}

impl Texts {
    pub(super) fn new(
        data: &Data,
        toolbox: &Toolbox,
        similarities: HashMap<Lexical, WordSimilarity>,
    ) -> Self {
        let analysis = toolbox.ranking_task_captions();
        let all = |captions: &[Vec<String>]| -> Vec<Described> {
            captions.iter().map(|captions| Described::analysed(&analysis, captions)).collect()
        };
        Self {
            train: all(&data.train.captions),
            choice: all(&data.choice.pool()),
            report: all(&data.report.pool()),
            similarities,
        }
    }

    /// The Gram matrices of a kernel, computed or from disk.
    pub(super) fn grams(
        &self,
        kernel: &Kernel,
        grams: &Grams,
        progress: &dyn Progress,
    ) -> Result<TextGrams> {
        progress.begin(&format!("text kernel {}", kernel.name), Some(3));
        let similarity = kernel.spec.lexical.map(|which| self.similarity(which)).transpose()?;
        let fitted = TextKernel::fit(&kernel.spec, &self.train, similarity)?;
        let key = |rows: &[Described]| {
            let similar = similarity.map(WordSimilarity::to_text).unwrap_or_default();
            Key::of("text 1")
                .and(format!("{:?}", kernel.spec).as_bytes())
                .and(similar.as_bytes())
                .and(&bytes(&self.train))
                .and(&bytes(rows))
        };
        let n = self.train.len();
        let train = grams.get(&key(&self.train), (n, n), || Ok(fitted.of(&self.train)))?;
        stop(progress)?;
        let pool = |rows: &[Described]| {
            let made =
                grams.get(&key(rows), (rows.len(), n), || Ok(fitted.between(rows, &self.train)))?;
            stop(progress)?;
            Ok::<Matrix, Error>(made)
        };
        Ok(TextGrams {
            train,
            choice: pool(&self.choice)?,
            report: pool(&self.report)?,
            choice_unrankable: fitted.unrankable(&self.choice),
            report_unrankable: fitted.unrankable(&self.report),
        })
    }

    /// The similarity that a kernel asks for.
    fn similarity(&self, which: Lexical) -> Result<&WordSimilarity> {
        let missing = || Error::Ours(format!("the word similarity {which:?} is not at hand"));
        self.similarities.get(&which).ok_or_else(missing)
    }
}

/// Captions as bytes, for the key of what is computed from them.
fn bytes(items: &[Described]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for item in items {
        for caption in item.captions() {
            bytes.extend(caption.join(" ").into_bytes());
            bytes.push(b'\n');
        }
        bytes.push(0);
    }
    bytes
}

fn stop(progress: &dyn Progress) -> Result<()> {
    progress.advance(1);
    if progress.interrupted() {
        return Err(rebus_collection::Error::Interrupted.into());
    }
    Ok(())
}
