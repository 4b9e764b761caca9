//! Which caption belongs to which image.

use std::path::Path;

use rebus_collection::lines::Lines;
use rebus_collection::npy::Npy;
use rebus_collection::{Error as ReadError, Place};

use crate::{Error, Result};

/// The image of each caption: the gold items of a score matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldMap {
    /// The image of each caption.
    image_of: Vec<u32>,
    /// The captions of each image, one image after the other.
    captions: Vec<u32>,
    /// Where each image's captions begin in `captions`, and where the last one's end.
    begins: Vec<u32>,
}

impl GoldMap {
    /// The image of each caption, counted from 0, of `images` images.
    ///
    /// # Errors
    /// If a caption belongs to an image that is not there.
    pub fn new(image_of: &[usize], images: usize) -> Result<Self> {
        let mut begins = vec![0u32; images + 1];
        let mut owners = Vec::with_capacity(image_of.len());
        for (caption, &image) in image_of.iter().enumerate() {
            if image >= images {
                let what = format!(
                    "caption {caption} belongs to image {image}, but the pool has only {images} \
                     images (both from 0)"
                );
                return Err(Error::Shape { what });
            }
            begins[image + 1] += 1;
            owners.push(u32::try_from(image).map_err(|_| too_many())?);
        }
        u32::try_from(image_of.len()).map_err(|_| too_many())?;
        for image in 0..images {
            begins[image + 1] += begins[image];
        }
        let mut next = begins.clone();
        let mut captions = vec![0; owners.len()];
        for (caption, &image) in owners.iter().enumerate() {
            let place = &mut next[image as usize];
            captions[*place as usize] = caption as u32;
            *place += 1;
        }
        Ok(Self { image_of: owners, captions, begins })
    }

    /// The same number of captions for each image, in order: five captions of the first image,
    /// then five of the second.
    ///
    /// # Errors
    /// If the captions do not divide evenly among the images.
    pub fn even(images: usize, captions: usize) -> Result<Self> {
        if images == 0 || captions == 0 || !captions.is_multiple_of(images) {
            let count = |count: usize, thing| rebus_collection::counted(count as u64, thing);
            let (captions, images) = (count(captions, "caption"), count(images, "image"));
            let what = format!("{captions} cannot be divided evenly among {images}");
            return Err(Error::Shape { what });
        }
        let each = captions / images;
        let image_of: Vec<usize> = (0..captions).map(|caption| caption / each).collect();
        Self::new(&image_of, images)
    }

    /// Reads the image of each caption from a file: a list in an `.npy` file, or a text file with
    /// the number of an image, from 0, on each line.
    ///
    /// # Errors
    /// If the file cannot be read, holds anything else, or names an image that is not there.
    pub fn read(path: impl AsRef<Path>, images: usize) -> rebus_collection::Result<Self> {
        let path = path.as_ref();
        let is_npy = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("npy"));
        let mut image_of = Vec::new();
        if is_npy {
            image_of = Npy::open(path)?.into_positions()?;
        } else {
            let mut lines = Lines::open(path)?;
            while let Some(line) = lines.next_line()? {
                let text = line.text.trim();
                if text.is_empty() {
                    continue;
                }
                let place = || Place::file(path).line(line.number);
                let image = text.parse().map_err(|_| {
                    ReadError::malformed(place(), format!("`{text}` is not the number of an image"))
                        .with_hint("write the number of each caption's image, from 0, on its line")
                })?;
                if image >= images {
                    let what = format!("image {image} of {images}; they are counted from 0");
                    return Err(ReadError::malformed(place(), what));
                }
                image_of.push(image);
            }
        }
        Self::new(&image_of, images)
            .map_err(|error| ReadError::malformed(Place::file(path), error.to_string()))
    }

    /// Number of images.
    pub fn images(&self) -> usize {
        self.begins.len() - 1
    }

    /// Number of captions.
    pub fn captions(&self) -> usize {
        self.image_of.len()
    }

    /// The captions of an image, in order.
    pub fn captions_of(&self, image: usize) -> &[u32] {
        &self.captions[self.begins[image] as usize..self.begins[image + 1] as usize]
    }

    /// The image of each caption.
    pub fn image_of(&self) -> &[u32] {
        &self.image_of
    }
}

fn too_many() -> Error {
    Error::Shape { what: "more than four milliards of captions or images".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_and_ragged() {
        let map = GoldMap::even(2, 6).unwrap();
        assert_eq!(map.captions_of(1), [3, 4, 5]);
        assert!(GoldMap::even(2, 5).is_err());
        assert!(GoldMap::even(0, 0).is_err());
        let map = GoldMap::new(&[1, 0, 1], 3).unwrap();
        assert_eq!(map.captions_of(0), [1]);
        assert_eq!(map.captions_of(1), [0, 2]);
        assert!(map.captions_of(2).is_empty());
        assert!(GoldMap::new(&[3], 3).is_err());
    }

    #[test]
    fn files_name_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.txt");
        std::fs::write(&path, "0\r\n1\n\n1\n").unwrap();
        assert_eq!(GoldMap::read(&path, 2).unwrap().image_of(), [0, 1, 1]);
        std::fs::write(&path, "0\n2\n").unwrap();
        assert!(GoldMap::read(&path, 2).unwrap_err().to_string().contains("map.txt:2"));
        std::fs::write(&path, "x\n").unwrap();
        assert!(GoldMap::read(&path, 2).unwrap_err().to_string().contains("map.txt:1"));
    }
}
