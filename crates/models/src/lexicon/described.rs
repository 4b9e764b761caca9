//! Words from captions of pictures that are not at hand.
//!
//! A word that no picture at hand shows is known by the company it keeps. The captions of a
//! picture, without the word, lie somewhere in the space; a ridge regression from there to whether
//! they hold the word gives it a direction, as `widen.rs` does from pictures.
//!
//! Whether that is to be trusted is tried: with a direction from half of the pictures that have the
//! word, how often do the captions of one of the other half stand above captions without it? A word
//! for which that is seldom, such as *possibly*, has no place and stays unknown.

use faer::Accum;
use faer::linalg::matmul::matmul;
use faer::linalg::solvers::Solve;
use faer::{Mat, Par, Side};
use rebus_collection::Matrix;
use rebus_text::vocabulary::Entry;
use rustc_hash::FxHashMap;

use super::Params;
use super::keywords::telling;
use super::widen::{ordinary_length, unit};
use crate::word_space::WordSpace;
use crate::{Error, Result, dot_products};

/// A word must be in the captions of so many pictures.
const LEAST: usize = 8;
/// How many captions without a word it is tried against.
const AGAINST: usize = 500;

/// The space with the words of these captions, all those of one picture together, that it did not
/// know and that can be trusted.
pub(super) fn describe(
    space: &WordSpace,
    captions: &[Vec<&str>],
    params: &Params,
) -> Result<WordSpace> {
    let company = Company::new(space, captions);
    if company.rows.is_empty() {
        return Ok(space.clone());
    }
    let plane = Plane::new(&company.vectors, params.ridge)?;
    let length = ordinary_length(space);
    let share = space.bag.documents() as f64 / company.rows.len() as f64;
    let (mut entries, mut places) = (Vec::new(), FxHashMap::default());
    for (stem, rows) in company.with {
        if rows.len() < LEAST || plane.trust(&rows)? < params.telling {
            continue;
        }
        let Some(direction) = unit(plane.direction(&rows)) else { continue };
        let texts = ((rows.len() as f64 * share).round() as u64).max(1);
        entries.push(Entry { word: stem.clone(), count: texts, texts });
        let place: Vec<f32> = direction.iter().map(|value| (length * value) as f32).collect();
        places.insert(stem, place);
    }
    let bag = space.bag.with(entries);
    let mut words = Matrix::zeros(bag.len(), space.dimensions());
    for (row, stem) in bag.words().enumerate() {
        let from = match space.bag.position(stem) {
            Some(old) => space.words.row(old),
            None => places.get(stem).map_or(&[][..], Vec::as_slice),
        };
        for (to, from) in words.row_mut(row).iter_mut().zip(from) {
            *to = *from;
        }
    }
    Ok(WordSpace { bag, words, ..space.clone() })
}

/// Captions in the space, and the unknown words they hold.
struct Company {
    /// The pictures of whose captions some word is known.
    rows: Vec<usize>,
    /// Where those captions lie, a row each.
    vectors: Matrix,
    /// The unknown words in the order of the alphabet, and which rows hold each.
    with: Vec<(String, Vec<usize>)>,
}

impl Company {
    fn new(space: &WordSpace, captions: &[Vec<&str>]) -> Self {
        let (mut rows, mut values) = (Vec::new(), Vec::new());
        let mut with: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (picture, texts) in captions.iter().enumerate() {
            let mut stems: Vec<String> =
                texts.iter().flat_map(|text| space.bag.tokens(text)).collect();
            stems.sort_unstable();
            stems.dedup();
            let known: Vec<usize> =
                stems.iter().filter_map(|stem| space.bag.position(stem)).collect();
            let Some(vector) = space.of_words(&known) else { continue };
            for stem in stems {
                let word = stem.chars().all(char::is_alphabetic);
                if word && space.bag.position(&stem).is_none() {
                    with.entry(stem).or_default().push(rows.len());
                }
            }
            rows.push(picture);
            values.extend_from_slice(vector.row(0));
        }
        let mut vectors = Matrix::zeros(rows.len(), space.dimensions());
        vectors.values_mut().copy_from_slice(&values);
        let mut with: Vec<_> = with.into_iter().collect();
        with.sort_unstable();
        Self { rows, vectors, with }
    }
}

/// How captions lie: their mean and the factor of their covariance.
struct Plane<'a> {
    vectors: &'a Matrix,
    mean: Vec<f64>,
    factor: faer::linalg::solvers::Llt<f64>,
}

impl<'a> Plane<'a> {
    fn new(vectors: &'a Matrix, ridge: f64) -> Result<Self> {
        let (rows, side) = (vectors.rows(), vectors.columns());
        let mean: Vec<f64> = (0..side)
            .map(|k| (0..rows).map(|row| f64::from(vectors.row(row)[k])).sum::<f64>() / rows as f64)
            .collect();
        let x = Mat::from_fn(rows, side, |row, k| f64::from(vectors.row(row)[k]) - mean[k]);
        let mut covariance = Mat::zeros(side, side);
        let share = 1.0 / rows as f64;
        matmul(covariance.as_mut(), Accum::Replace, x.transpose(), &x, share, Par::rayon(0));
        let variance = (0..side).map(|k| covariance[(k, k)]).sum::<f64>() / side as f64;
        (0..side).for_each(|k| covariance[(k, k)] += ridge * variance.max(1e-12));
        let factor = covariance
            .llt(Side::Lower)
            .map_err(|_| Error::Data { what: "the captions have no variance".into() })?;
        Ok(Self { vectors, mean, factor })
    }

    /// Where what these rows have in common lies.
    fn direction(&self, rows: &[usize]) -> Vec<f64> {
        let side = self.mean.len();
        let mut sum = Mat::from_fn(side, 1, |k, _| -self.mean[k]);
        for &row in rows {
            for (k, &value) in self.vectors.row(row).iter().enumerate() {
                sum[(k, 0)] += f64::from(value) / rows.len() as f64;
            }
        }
        self.factor.solve_in_place(sum.as_mut());
        (0..side).map(|k| sum[(k, 0)]).collect()
    }

    /// How often a row of one half stands above others, by the direction of the other half.
    fn trust(&self, rows: &[usize]) -> Result<f64> {
        let half = |from: usize| rows.iter().copied().skip(from).step_by(2).collect::<Vec<_>>();
        let halves = [half(0), half(1)];
        let count = self.vectors.rows();
        let others: Vec<usize> = (0..AGAINST.min(count))
            .map(|k| k * count / AGAINST.min(count))
            .filter(|row| rows.binary_search(row).is_err())
            .collect();
        let mut sum = 0.0;
        for (by, tried) in [(0, 1), (1, 0)] {
            let mut direction = Matrix::zeros(1, self.mean.len());
            let found = self.direction(&halves[by]);
            for (to, value) in direction.values_mut().iter_mut().zip(found) {
                *to = value as f32;
            }
            let all: Vec<usize> = halves[tried].iter().chain(&others).copied().collect();
            let mut vectors = Matrix::zeros(all.len(), self.mean.len());
            for (to, &from) in all.iter().enumerate() {
                vectors.row_mut(to).copy_from_slice(self.vectors.row(from));
            }
            let shown: Vec<bool> = (0..all.len()).map(|k| k < halves[tried].len()).collect();
            sum += telling(dot_products(&direction, &vectors)?.row(0), &shown);
        }
        Ok(sum / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BagOfWords;
    use crate::bag_of_words::{AtLeast, Form};

    /// A space of two dimensions: what is on land along the first, what is at sea along the second.
    fn space() -> WordSpace {
        let texts = [
            vec!["a dog on grass"],
            vec!["grass and a tree"],
            vec!["a boat at sea"],
            vec!["the sea, a wave"],
            vec!["a dog, a boat"],
            vec!["tree", "wave"],
        ];
        let bag = BagOfWords::learn(&texts, Form::default(), AtLeast::Times(1)).unwrap();
        let mut words = Matrix::zeros(bag.len(), 2);
        for (row, word) in bag.words().enumerate() {
            let at_sea = ["boat", "sea", "wave"].contains(&word);
            words.row_mut(row)[usize::from(at_sea)] = 1.0;
        }
        let image = Matrix::new(2, 2, vec![1.0, 0.0, 0.0, 1.0]).unwrap();
        let (mean, origin) = (Matrix::zeros(1, 2), Matrix::zeros(1, 2));
        WordSpace { bag, mean, image, origin, words }
    }

    #[test]
    fn a_word_lies_where_its_company_does_and_one_without_company_stays_unknown() {
        let captions: Vec<Vec<&str>> = (0..48)
            .map(|k| match k % 4 {
                0 => vec!["a puppy and a dog on grass", "perhaps a tree"],
                1 => vec!["a yacht at sea", "a boat on a wave"],
                2 => vec!["a dog on grass", "a puppy"],
                _ => vec!["perhaps a yacht, a wave, the sea"],
            })
            .collect();
        let told = describe(&space(), &captions, &Params::default()).unwrap();
        let direction = |word: &str| {
            let at = told.bag.position(&told.bag.tokens(word)[0])?;
            Some((told.words.row(at)[0], told.words.row(at)[1]))
        };
        let (land, sea) = direction("puppy").unwrap();
        assert!(land > 0.5 && sea < 0.0, "{land} {sea}");
        let (land, sea) = direction("yachts").unwrap();
        assert!(sea > 0.5 && land < 0.0, "{land} {sea}");
        assert_eq!(direction("perhaps"), None);
        assert_eq!(direction("dog"), Some((1.0, 0.0)));
    }

    #[test]
    fn no_captions_change_nothing() {
        let space = space();
        assert_eq!(describe(&space, &[], &Params::default()).unwrap(), space);
        let unknown = [vec!["qwrtz"], vec![]];
        assert_eq!(describe(&space, &unknown, &Params::default()).unwrap(), space);
    }
}
