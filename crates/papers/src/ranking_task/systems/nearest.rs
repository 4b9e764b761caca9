//! Nearest neighbours, equation 2: the training pair whose picture (or text) is nearest to the query
//! speaks for it, and its text (or picture) is compared with the pool.

use rebus_collection::Matrix;

/// Scores from the kernels of a pool with the training items, a row an item of the pool: a row an
/// image, a column a caption; for annotation, then for search.
///
/// Of several training items that are equally near, the first speaks.
pub(super) fn scores(image: &Matrix, text: &Matrix) -> [Matrix; 2] {
    let mut annotation = Matrix::zeros(image.rows(), text.rows());
    for row in 0..image.rows() {
        let nearest = nearest(image.row(row));
        for (caption, score) in annotation.row_mut(row).iter_mut().enumerate() {
            *score = text.row(caption)[nearest];
        }
    }
    let mut search = Matrix::zeros(image.rows(), text.rows());
    for caption in 0..text.rows() {
        let nearest = nearest(text.row(caption));
        for row in 0..image.rows() {
            search.row_mut(row)[caption] = image.row(row)[nearest];
        }
    }
    [annotation, search]
}

fn nearest(likeness: &[f32]) -> usize {
    let best = |best: (usize, f32), (at, &value): (usize, &f32)| {
        if value > best.1 { (at, value) } else { best }
    };
    likeness.iter().enumerate().fold((0, f32::NEG_INFINITY), best).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_by_hand() {
        // Two training pairs. Image 0 is nearest to the second; caption 1 to the first.
        let image = Matrix::new(2, 2, vec![0.1, 0.9, 0.8, 0.3]).unwrap();
        let text = Matrix::new(2, 2, vec![0.2, 0.7, 0.6, 0.5]).unwrap();
        let [annotation, search] = scores(&image, &text);
        assert_eq!(annotation.values(), [0.7, 0.5, 0.2, 0.6]);
        assert_eq!(search.values(), [0.9, 0.1, 0.3, 0.8]);
    }
}
