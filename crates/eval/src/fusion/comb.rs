//! CombSUM and CombMNZ (Fox & Shaw 1994): sums of normalised scores, the second times the number of
//! systems that list the document.

use super::{Normalisation, Pool};

pub(super) fn sum<D>(pool: &Pool<'_, D>, normalisation: Normalisation) -> Vec<f64> {
    let mut scores = vec![0.0; pool.documents.len()];
    for list in &pool.lists {
        let (values, floor) = normalisation.apply(list);
        let mut given = vec![floor; scores.len()];
        list.iter().zip(values).for_each(|(listed, value)| given[listed.document] = value);
        scores.iter_mut().zip(given).for_each(|(score, value)| *score += value);
    }
    scores
}

pub(super) fn mnz<D>(pool: &Pool<'_, D>, normalisation: Normalisation) -> Vec<f64> {
    let mut systems = vec![0u32; pool.documents.len()];
    for listed in pool.lists.iter().flatten() {
        systems[listed.document] += 1;
    }
    let sums = sum(pool, normalisation);
    sums.into_iter().zip(systems).map(|(sum, count)| sum * f64::from(count)).collect()
}

#[cfg(test)]
mod tests {
    use crate::fusion::{Fusion, Normalisation, fuse};

    #[test]
    fn worked_by_hand() {
        // Min-max: a 1, b 0.5, c 0; then b 1, d 0.
        let one = [("a", 10.0), ("b", 6.0), ("c", 2.0)];
        let other = [("b", 0.2), ("d", 0.1)];
        let fuse = |method| fuse(&[&one[..], &other[..]], method).unwrap();
        let sum = fuse(Fusion::CombSum(Normalisation::MinMax));
        assert_eq!(sum, [("b", 1.5), ("a", 1.0), ("c", 0.0), ("d", 0.0)]);
        let mnz = fuse(Fusion::CombMnz(Normalisation::MinMax));
        assert_eq!(mnz[0], ("b", 3.0));
        // Z-scores of (10, 6, 2): deviation sqrt(32 / 3); what is not listed gets the lowest.
        let z = fuse(Fusion::CombSum(Normalisation::ZScore));
        let step = 4.0 / (32.0f64 / 3.0).sqrt();
        assert_eq!(z[0].0, "b");
        assert!((z[0].1 - 1.0).abs() < 1e-12);
        let a = z.iter().find(|(document, _)| *document == "a").unwrap().1;
        assert!((a - (step - 1.0)).abs() < 1e-12);
    }
}
