//! Kernel canonical correlation analysis, Hodosh, Young and Hockenmaier (2013), section 3.2.
//!
//! From the Gram matrices of an image kernel and a text kernel over the same training items come
//! directions in which both agree ([`Pairing::directions`], equation 3); the affinity of a picture
//! and a text is the cosine of their projections (equation 4).
//!
//! - [`Spectrum`]: one eigendecomposition a kernel, of the centred Gram matrix.
//! - [`Pairing`]: two of them brought together; [`Directions`] for any kappa.
//! - [`Growing`]: cosines for one number of dimensions after the other.
//! - [`Kcca`]: the dual encoder on top, which owns its kernels.
//! - [`Landmarks`]: a kernel by some of its columns, for more items than a Gram matrix fits for.

mod cholesky;
mod directions;
mod spectrum;
mod system;

pub use cholesky::Landmarks;
pub use directions::{Directions, Growing, Pairing, Ridge};
pub use spectrum::Spectrum;
pub use system::{KIND, Kcca, Params};
