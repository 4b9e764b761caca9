//! TRI: the trigram kernel of section 3.4.3 of the ranking-task paper, with or without lexical
//! similarities (section 3.5.1).
//!
//! A sentence s *contains* a sequence w of k words if they appear in it in this order, with or
//! without others between them. The matches of w in s are the substrings (i, j) that begin with its
//! first word, end with its last and contain it (equation 12); there are m_{s,w} of them. So of a
//! word that stands twice between i and j, one counts. Over the sequences of up to three words
//!
//! ```text
//! K(s, s') = sum over w, w' of length l:  m_{s,w} m_{s',w'} lambda_m^2l  prod_k kappa(w_k, w'_k)
//! ```
//!
//! with kappa the word kernel of equation 18, or the identity (equations 15 and 20); gaps cost
//! nothing (lambda_g = 1), lambda_m = 0.5. Weighted by idf, each word brings its weight (equations
//! 16 and 21). Two items have the sum over the cross product of their captions, divided by the
//! geometric mean of what each gives with itself. Undefined is nothing: an item without words has 0
//! with every item.
//!
//! With c(i, i') = lambda_m^2 g(s_i) g(s'_i') kappa(s_i, s'_i'), g a word's weight, this is a sum
//! over places instead of sequences:
//!
//! ```text
//! K = sum c(i,i') + sum over i<j, i'<j' of c(i,i') c(j,j')
//!   + sum over i<m<j, i'<m'<j' of c(i,i') c(m,m') c(j,j')
//! ```
//!
//! where m is only taken if it is the first place after i of its word, so that every match counts
//! once: prev(m) <= i, prev(m) being the place before m that has the same word. Sums over i<j,
//! i'<j' are prefix sums, so a pair of sentences costs as many steps as it has pairs of places.
//! [`pair`] does this for one pair, [`super::lanes`] for many at once.

use rebus_collection::Matrix;

use super::gram::{self, Block, Pairs};
use super::lanes::Bank;
use super::lexicon::{Encoded, Lexicon};
use super::wide::LANES;

/// lambda_m, what a matching word counts on each side.
pub(super) const LAMBDA_M: f64 = 0.5;

/// A row caption of more words than this is done by itself, pair by pair: a table of it would be
/// too large.
const LONG: usize = 48;

/// For each place of a sentence the place before it, counted from 1, that has the same word; 0 if
/// there is none.
pub(super) fn previous(words: &[u32]) -> Vec<u32> {
    let before = |(at, word): (usize, &u32)| {
        words[..at].iter().rposition(|other| other == word).map_or(0, |at| at as u32 + 1)
    };
    words.iter().enumerate().map(before).collect()
}

/// The kernel of two sentences, before normalisation.
pub(super) fn pair(one: &[u32], other: &[u32], match_of: impl Fn(u32, u32) -> f64) -> f64 {
    let (before_one, before_other) = (previous(one), previous(other));
    let width = other.len() + 1;
    // prefix[i][j]: the sum of c over the first i and j places.
    let mut prefix = vec![0f64; (one.len() + 1) * width];
    // The same of c(m, m') times what may stand before m and m'.
    let mut pairs = vec![0f64; width];
    let (mut seconds, mut thirds) = (0.0, 0.0);
    for (i, &word) in one.iter().enumerate() {
        let (above, low) = (i * width, (before_one[i].max(1) as usize - 1) * width);
        let (mut row, mut row_pairs, mut diagonal) = (0.0, 0.0, 0.0);
        for (j, &word_other) in other.iter().enumerate() {
            let c = match_of(word, word_other);
            let left = before_other[j].max(1) as usize - 1;
            let first_after =
                prefix[above + j] - prefix[low + j] - prefix[above + left] + prefix[low + left];
            seconds += c * prefix[above + j];
            thirds += c * diagonal;
            row += c;
            row_pairs += c * first_after;
            diagonal = pairs[j + 1];
            prefix[above + width + j + 1] = prefix[above + j + 1] + row;
            pairs[j + 1] += row_pairs;
        }
    }
    prefix[prefix.len() - 1] + seconds + thirds
}

/// The kernel between all rows and columns, normalised.
pub(super) fn matrix(lexicon: &Lexicon, [rows, columns]: [&Encoded; 2], pairs: Pairs) -> Matrix {
    let weights: Vec<f64> =
        (0..rows.lexicon()).map(|word| LAMBDA_M * lexicon.weight(word as u32)).collect();
    let match_of = |one: u32, other: u32| {
        let kappa = lexicon.kappa(one, other);
        if kappa == 0.0 {
            return 0.0;
        }
        f64::from(kappa) * weights[one as usize] * weights[other as usize]
    };
    let own = |items: &Encoded| own(items, match_of);
    let (own_rows, own_columns) = match pairs {
        Pairs::Symmetric => (own(rows), None),
        Pairs::All => (own(rows), Some(own(columns))),
    };
    let own_columns = own_columns.as_ref().unwrap_or(&own_rows);
    let repeats: Vec<Option<Vec<u32>>> =
        (0..columns.captions()).map(|caption| repeats(columns.caption(caption))).collect();

    let work = |bank: &mut Bank, mut block: Block<'_>| {
        let captions = block
            .rows
            .clone()
            .flat_map(|row| rows.captions_of(row).map(move |caption| (row, rows.caption(caption))));
        let (short, long): (Vec<_>, Vec<_>) =
            captions.filter(|(_, words)| !words.is_empty()).partition(|(_, w)| w.len() <= LONG);
        for group in Bank::groups(short) {
            bank.load(&group, lexicon, &weights);
            for column in block.columns.clone() {
                let sums = bank.sums(columns, column, &repeats);
                for (&(row, _), sum) in group.iter().zip(sums) {
                    block.row_mut(row)[column] += sum;
                }
            }
            bank.unload();
        }
        for (row, words) in long {
            for column in block.columns.clone() {
                let others = columns.captions_of(column).map(|caption| columns.caption(caption));
                let sum: f64 = others.map(|other| pair(words, other, match_of)).sum();
                block.row_mut(row)[column] += sum as f32;
            }
        }
        gram::normalise(&mut block, &own_rows, own_columns);
    };
    let bank = || Bank::new(rows.lexicon());
    gram::matrix((rows.len(), columns.len()), pairs, LANES, bank, work)
}

/// What each item gives with itself.
fn own(items: &Encoded, match_of: impl Fn(u32, u32) -> f64 + Sync) -> Vec<f64> {
    use rayon::prelude::*;
    let of_item = |item: usize| {
        let captions = items.captions_of(item);
        let mut sum = 0.0;
        for one in captions.clone() {
            sum += pair(items.caption(one), items.caption(one), &match_of);
            for other in one + 1..captions.end {
                sum += 2.0 * pair(items.caption(one), items.caption(other), &match_of);
            }
        }
        sum
    };
    (0..items.len()).into_par_iter().map(of_item).collect()
}

/// [`previous`], where any word stands twice.
pub(super) fn repeats(words: &[u32]) -> Option<Vec<u32>> {
    let before = previous(words);
    before.iter().any(|&place| place > 0).then_some(before)
}
