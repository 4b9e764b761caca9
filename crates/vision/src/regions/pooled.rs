//! A region by what a network sees in it: the mean of its patches' vectors.

use super::segmentation::Segmentation;
use crate::encoder::{Encoder, Look, Patches};
use crate::{Picture, Result};

/// Places a side at which a patch is asked which region it shows.
const PLACES: usize = 6;

/// How many numbers describe a region.
///
/// # Errors
/// If the network gives no vectors of patches.
pub(super) fn width(encoder: &Encoder) -> Result<usize> {
    Ok(patches(encoder, encoder.specimen())?.vectors.columns())
}

/// The vectors of all regions: every patch counts by the share of the region that it shows. A region
/// that the network does not see, because its recipe cuts it away, has the mean of all patches.
pub(super) fn describe(
    picture: &Picture,
    segmentation: &Segmentation,
    encoder: &Encoder,
) -> Result<Vec<Vec<f32>>> {
    let look = encoder.look(picture)?;
    let patches = patches(encoder, &look)?;
    let width = patches.vectors.columns();
    let mut sums = vec![vec![0.0f64; width]; segmentation.areas().len()];
    let mut counts = vec![0.0f64; sums.len()];
    let mut whole = vec![0.0f64; width];
    for patch in 0..patches.vectors.rows() {
        let vector = patches.vectors.row(patch);
        whole.iter_mut().zip(vector).for_each(|(sum, &v)| *sum += f64::from(v));
        for (region, places) in shown(encoder, picture, segmentation, patches, patch) {
            counts[region] += places;
            let sums = sums[region].iter_mut();
            sums.zip(vector).for_each(|(sum, &value)| *sum += places * f64::from(value));
        }
    }
    let all = patches.vectors.rows().max(1) as f64;
    let mean = |sums: &[f64], count: f64| sums.iter().map(|sum| (sum / count) as f32).collect();
    let regions = sums.iter().zip(counts);
    Ok(regions
        .map(|(sums, count)| if count > 0.0 { mean(sums, count) } else { mean(&whole, all) })
        .collect())
}

/// The regions that a patch shows, and at how many of its places.
fn shown(
    encoder: &Encoder,
    picture: &Picture,
    segmentation: &Segmentation,
    patches: &Patches,
    patch: usize,
) -> Vec<(usize, f64)> {
    let mut shown = vec![0.0; segmentation.areas().len()];
    let preprocessing = &encoder.recipe().preprocessing;
    let share = |cell: usize, place: usize, cells: usize| {
        (cell as f32 + (place as f32 + 0.5) / PLACES as f32) / cells as f32
    };
    for place in 0..PLACES * PLACES {
        let x = share(patch % patches.across, place % PLACES, patches.across);
        let y = share(patch / patches.across, place / PLACES, patches.down);
        if let Some([x, y]) = preprocessing.origin([x, y], picture.dimensions()) {
            shown[segmentation.at(x, y)] += 1.0;
        }
    }
    shown.into_iter().enumerate().filter(|&(_, places)| places > 0.0).collect()
}

fn patches<'a>(encoder: &Encoder, look: &'a Look) -> Result<&'a Patches> {
    look.patches.as_ref().ok_or_else(|| {
        let name = &encoder.recipe().name;
        super::wrong(&format!("the network {name} gives no vectors of patches"))
    })
}
