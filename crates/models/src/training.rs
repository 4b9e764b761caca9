//! What every system is fitted on.

use rebus_collection::{ContentHash, Matrix};

use crate::{Error, Result};

/// Pictures, as features, and the texts that belong to each.
#[derive(Debug, Clone, Copy)]
pub struct Training<'a> {
    /// The name of the extractor that made the features.
    pub extractor: &'a str,
    /// One row a picture.
    pub features: &'a Matrix,
    /// The texts of each picture, in the order of the rows.
    pub texts: &'a [Vec<&'a str>],
}

impl Training<'_> {
    /// Some of the pictures, in this order: their features and texts.
    pub(crate) fn rows(&self, rows: &[usize]) -> (Matrix, Vec<Vec<&str>>) {
        (self.features.only(rows), rows.iter().map(|&row| self.texts[row].clone()).collect())
    }

    /// The pictures in an order that depends on what they are and not on where they stand.
    pub(crate) fn by_content(&self) -> Vec<usize> {
        let content = |at: usize| {
            let mut bytes: Vec<u8> =
                self.features.row(at).iter().flat_map(|value| value.to_le_bytes()).collect();
            for text in &self.texts[at] {
                bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
                bytes.extend_from_slice(text.as_bytes());
            }
            ContentHash::of(&bytes).0
        };
        let mut order: Vec<(_, usize)> =
            (0..self.texts.len()).map(|at| (content(at), at)).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, at)| at).collect()
    }

    /// Checks that both sides are there, of one length, and finite.
    ///
    /// # Errors
    /// If not, saying what is wrong with which row.
    pub fn check(&self) -> Result<()> {
        let bad = |what: String| Err(Error::Data { what });
        let (rows, texts) = (self.features.rows(), self.texts.len());
        if rows != texts {
            return bad(format!("{rows} rows of features, but texts for {texts} pictures"));
        }
        if rows < 2 {
            return bad(format!("{rows} pictures; at least two are needed"));
        }
        if self.features.columns() == 0 {
            return bad("the features have no columns".into());
        }
        match self.features.values().iter().position(|value| !value.is_finite()) {
            Some(at) => {
                let (row, column) = (at / self.features.columns(), at % self.features.columns());
                bad(format!("feature {column} of picture {row} is not finite"))
            }
            None => Ok(()),
        }
    }
}
