//! Photos of the synthetic world, an index beside them, and a model that looks fast.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rebus_collection::{ContentHash, Matrix, Silent, synth};
use rebus_index::{Eye, Index, Options, Origin, Result, Update, update};
use rebus_models::{Cca, Training, cca};
use rebus_vision::{Extractor, GridColourEdge};

/// A small model, fitted once.
pub static MODEL: LazyLock<Cca> = LazyLock::new(|| fit(4));
/// Another one.
pub static OTHER: LazyLock<Cca> = LazyLock::new(|| fit(3));

fn fit(dimensions: usize) -> Cca {
    let specimens: Vec<_> = (0..40).map(|k| synth::specimen(5, k)).collect();
    let mut features = Matrix::zeros(specimens.len(), GridColourEdge.dimensions());
    for (row, specimen) in specimens.iter().enumerate() {
        GridColourEdge.extract(&specimen.picture, features.row_mut(row)).unwrap();
    }
    let texts: Vec<Vec<&str>> =
        specimens.iter().map(|s| s.captions.iter().map(String::as_str).collect()).collect();
    let data = Training { extractor: GridColourEdge.name(), features: &features, texts: &texts };
    let params = cca::Params { dimensions, ..cca::Params::default() };
    Cca::fit(&data, &params, &Silent).unwrap()
}

/// The model as an eye.
pub fn eye() -> Eye<'static> {
    named("cca", &MODEL)
}

/// The other model as an eye.
pub fn other() -> Eye<'static> {
    named("other", &OTHER)
}

fn named(name: &'static str, model: &'static Cca) -> Eye<'static> {
    Eye {
        name,
        origin: &Origin::BuiltIn,
        version: ContentHash::of(name.as_bytes()),
        model,
        extractor: &GridColourEdge,
    }
}

/// A folder with photos and one for their index.
pub struct World {
    home: tempfile::TempDir,
}

impl World {
    /// Draws so many photos.
    pub fn with(photos: u64) -> Self {
        let world = Self { home: tempfile::tempdir().unwrap() };
        std::fs::create_dir(world.photos()).unwrap();
        for k in 0..photos {
            world.draw(&format!("{k:03}.jpg"), k);
        }
        world
    }

    pub fn photos(&self) -> PathBuf {
        // Temporary folders may lie behind a link.
        self.home.path().canonicalize().unwrap().join("photos")
    }

    pub fn folder(&self) -> PathBuf {
        self.home.path().join("index")
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.photos().join(name)
    }

    /// Puts a file among the photos.
    pub fn put(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// Draws a picture of the synthetic world.
    pub fn draw(&self, name: &str, number: u64) -> PathBuf {
        let mut jpeg = std::io::Cursor::new(Vec::new());
        synth::specimen(9, number).picture.write_to(&mut jpeg, image::ImageFormat::Jpeg).unwrap();
        self.put(name, jpeg.into_inner())
    }

    pub fn update_with(&self, eyes: &[Eye<'_>], options: &Options) -> Result<Update> {
        update(&self.folder(), &[self.photos()], eyes, options, &Silent)
    }

    pub fn update(&self) -> Update {
        self.update_with(&[eye()], &Options::default()).unwrap()
    }

    pub fn index(&self) -> Index {
        Index::open(&self.folder()).unwrap()
    }

    /// Every photo's vector is that of its picture, by the models that the index has.
    pub fn check_vectors(&self) {
        let index = self.index();
        for record in index.models() {
            let eye = [eye(), other()].into_iter().find(|eye| eye.name == record.name).unwrap();
            let (vectors, seen) =
                (index.vectors(&record.name).unwrap(), index.seen_by(&record.name).unwrap());
            for photo in index.photos() {
                let photo = photo.unwrap();
                if !seen.contains(photo.id) {
                    continue;
                }
                let want = vector(&eye, &photo.path);
                let found = vectors.row(photo.id).unwrap().unwrap();
                let near =
                    want.iter().zip(&found).all(|(a, b)| (a - b).abs() <= 2e-3 * a.abs().max(1.0));
                assert!(near, "{}: {want:?} {found:?}", photo.path.display());
            }
        }
    }
}

fn vector(eye: &Eye<'_>, path: &Path) -> Vec<f32> {
    let mut features = Matrix::zeros(1, eye.extractor.dimensions());
    let picture = rebus_vision::open(path).unwrap();
    eye.extractor.extract(&picture, features.row_mut(0)).unwrap();
    eye.model.encode_images(&features).unwrap().row(0).to_vec()
}
