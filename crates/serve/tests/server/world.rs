//! A server on a small drawn world, with a model that was fitted on it in a moment.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;

use rebus_collection::synth::{self, Settings as World};
use rebus_collection::{Collection, ContentHash, Item, Progress, Silent};
use rebus_index::{Eye, Index, Options, Origin, update};
use rebus_models::{Lexicon, Model, Training, lexicon};
use rebus_serve::{Library, Server, Settings, Sight};
use rebus_vision::{Extractor, GridColourEdge, features};

use crate::http::{Answer, Client};

/// Pictures in the world.
pub const PICTURES: u64 = 120;
/// What the index calls the model.
const MODEL: &str = "drawn";
/// The photo of which somebody wrote down where it was taken.
const PLACED: &str = "000007";

/// The world, its model and its index; made once for all tests.
pub struct Made {
    pub folder: tempfile::TempDir,
    collection: Collection,
}

impl Made {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let world = folder.path().canonicalize().unwrap().join("world");
        let written = synth::write(&world, World { images: PICTURES, seed: 5 }, &Silent).unwrap();
        let collection = Collection::read(&written.collection).unwrap();
        let photos = world.join("photos");
        let place = r#"{ "latitude": 48.2, "longitude": 16.37, "date": "2019-07-05" }"#;
        std::fs::write(photos.join(format!("{PLACED}.json")), place).unwrap();

        let items: Vec<&Item> = collection.items().iter().collect();
        let features = features(&items, &GridColourEdge, None, &Silent).unwrap();
        let texts: Vec<Vec<&str>> = items
            .iter()
            .map(|item| collection.captions_of(&item.id).map(|it| it.text.as_str()).collect())
            .collect();
        let data = Training {
            extractor: GridColourEdge.name(),
            features: &features.matrix,
            texts: &texts,
        };
        let mut params = lexicon::Params::default();
        params.space.epochs = 10;
        let model = Lexicon::fit_captions(&data, &params, &Silent).unwrap();
        let home = folder.path().join("model");
        model.save(&home).unwrap();
        let eye = Eye {
            name: MODEL,
            origin: &Origin::Folder(home),
            version: ContentHash::of(b"drawn"),
            model: &model,
            extractor: &GridColourEdge,
        };
        let index = folder.path().join("index");
        update(&index, &[photos], &[eye], &Options::default(), &Silent).unwrap();
        Self { folder, collection }
    }

    /// What a picture shows, by its name.
    pub fn keywords(&self, name: &str) -> &[String] {
        let item = self.collection.items().iter().find(|item| item.id.as_str() == name);
        &item.unwrap().keywords
    }

    /// The number of the photo of which somebody wrote down where it was taken.
    pub fn placed(&self) -> u32 {
        let index = Index::open(&self.index()).unwrap();
        let mut photos = index.photos().map(Result::unwrap);
        photos.find(|photo| photo.path.file_stem().unwrap() == PLACED).unwrap().id.0
    }

    fn index(&self) -> PathBuf {
        self.folder.path().join("index")
    }
}

/// The world that all tests share.
pub fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(Made::new)
}

/// Says when to end.
struct Bell(Arc<AtomicBool>);

impl Progress for Bell {
    fn begin(&self, _: &str, _: Option<u64>) {}

    fn advance(&self, _: u64) {}

    fn interrupted(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// A server that runs until the test is over.
pub struct Running {
    pub address: SocketAddr,
    pub link: String,
    bell: Arc<AtomicBool>,
    thread: Option<JoinHandle<rebus_serve::Result<rebus_serve::Served>>>,
}

impl Running {
    /// Starts one on any free port.
    pub fn start(settings: Settings) -> Self {
        let index = Index::open(&made().index()).unwrap();
        let sight = Sight {
            name: MODEL.into(),
            model: Box::new(Lexicon::load(&made().folder.path().join("model")).unwrap()),
            extractor: Box::new(GridColourEdge),
        };
        let settings = Settings {
            address: SocketAddr::new(settings.address.ip(), 0),
            report: |what| panic!("inside: {what}"),
            ..settings
        };
        let server = Server::bind(settings, Library::new(index, sight)).unwrap();
        let (address, link) = (server.address(), server.link().to_owned());
        let bell = Arc::new(AtomicBool::new(false));
        let progress = Bell(Arc::clone(&bell));
        let thread = std::thread::spawn(move || server.run(&progress));
        Self { address, link, bell, thread: Some(thread) }
    }

    /// Asks on a connection of its own.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        Client::connect(self.address).unwrap().ask(method, path, headers, body).unwrap()
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], b"")
    }

    /// Ends it, and sees that it ends well.
    pub fn stop(mut self) {
        self.bell.store(true, Ordering::SeqCst);
        self.thread.take().unwrap().join().unwrap().unwrap();
        assert!(Client::connect(self.address).is_err(), "nobody listens any more");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.bell.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
