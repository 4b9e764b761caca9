//! A small collection in every format.

use std::path::{Path, PathBuf};

/// What a reader is expected to find in its sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Pictures.
    pub items: usize,
    /// Sentences.
    pub captions: usize,
    /// Items with a split.
    pub splits: usize,
    /// Topics.
    pub topics: usize,
    /// Judgements.
    pub judgements: usize,
}

/// One format's sample.
pub struct Sample {
    /// The format's name, as in `FORMATS`.
    pub format: &'static str,
    /// Writes it into an empty folder; gives the path that a user would name.
    pub write: fn(&Path) -> PathBuf,
    /// What is in it.
    pub counts: Counts,
    /// How many findings there may be.
    pub findings: usize,
}

/// At least one sample a format.
pub const SAMPLES: &[Sample] = &[
    Sample {
        format: "corel5k",
        write: corel5k,
        counts: Counts { items: 2, captions: 0, splits: 2, topics: 0, judgements: 0 },
        findings: 1,
    },
    Sample {
        format: "corel5k",
        write: corel5k_eccv,
        counts: Counts { items: 3, captions: 0, splits: 3, topics: 0, judgements: 0 },
        findings: 0,
    },
    Sample {
        format: "corel5k",
        write: corel5k_arff,
        counts: Counts { items: 2, captions: 0, splits: 2, topics: 0, judgements: 0 },
        findings: 0,
    },
    Sample {
        format: "div400",
        write: div400,
        counts: Counts { items: 2, captions: 0, splits: 2, topics: 1, judgements: 3 },
        findings: 1,
    },
    Sample {
        format: "flickr",
        write: flickr,
        counts: Counts { items: 2, captions: 3, splits: 2, topics: 0, judgements: 4 },
        findings: 1,
    },
    Sample {
        format: "karpathy",
        write: karpathy,
        counts: Counts { items: 2, captions: 3, splits: 2, topics: 0, judgements: 0 },
        findings: 1,
    },
    Sample {
        format: "coco",
        write: coco,
        counts: Counts { items: 2, captions: 2, splits: 2, topics: 0, judgements: 0 },
        findings: 1,
    },
    Sample {
        format: "coco",
        write: coco_annotations_first,
        counts: Counts { items: 1, captions: 1, splits: 0, topics: 0, judgements: 0 },
        findings: 1,
    },
    Sample {
        format: "csv",
        write: csv,
        counts: Counts { items: 2, captions: 3, splits: 2, topics: 0, judgements: 0 },
        findings: 0,
    },
    Sample {
        format: "tsv",
        write: tsv,
        counts: Counts { items: 2, captions: 3, splits: 2, topics: 0, judgements: 0 },
        findings: 0,
    },
    Sample {
        format: "jsonl",
        write: jsonl,
        counts: Counts { items: 2, captions: 3, splits: 2, topics: 0, judgements: 0 },
        findings: 0,
    },
    #[cfg(feature = "parquet")]
    Sample {
        format: "parquet",
        write: parquet,
        counts: Counts { items: 2, captions: 3, splits: 0, topics: 0, judgements: 0 },
        findings: 0,
    },
    Sample {
        format: "webdataset",
        write: webdataset,
        counts: Counts { items: 2, captions: 3, splits: 1, topics: 0, judgements: 0 },
        findings: 0,
    },
    Sample {
        format: "folder",
        write: folder,
        counts: Counts { items: 3, captions: 3, splits: 1, topics: 0, judgements: 0 },
        findings: 0,
    },
];

fn put(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content).unwrap();
    path
}

/// A small JPEG of one colour.
fn jpeg(shade: u8) -> Vec<u8> {
    let picture = image::RgbImage::from_pixel(8, 6, image::Rgb([shade, 90, 200]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Jpeg).unwrap();
    bytes.into_inner()
}

fn flickr(folder: &Path) -> PathBuf {
    put(folder, "Flickr8k.token.txt", "a.jpg#0\tA dog .\na.jpg#1\tDogs .\nb.jpg#0\tA boat .\n");
    put(folder, "Flickr_8k.trainImages.txt", "a.jpg\n");
    put(folder, "Flickr_8k.testImages.txt", "b.jpg\n");
    put(folder, "ExpertAnnotations.txt", "b.jpg\ta.jpg#1\t1\t1\t2\n");
    put(folder, "CrowdFlowerAnnotations.txt", "b.jpg\ta.jpg#0\t0.3333333333333333\t1\t2\n");
    put(folder, "Images/a.jpg", jpeg(10));
    folder.to_path_buf()
}

fn karpathy(folder: &Path) -> PathBuf {
    let text = r#"{"images": [{"sentids": [0, 1], "imgid": 0, "sentences": [
        {"tokens": ["a", "dog"], "raw": "A dog.", "imgid": 0, "sentid": 0},
        {"tokens": ["dogs"], "raw": "Dogs é.", "imgid": 0, "sentid": 1}],
        "split": "train", "filename": "a.jpg"},
        {"filepath": "val2014", "cocoid": 5, "sentids": [9], "filename": "b.jpg", "split": "val",
        "sentences": [{"tokens": ["a", "boat"], "raw": "A boat.", "sentid": 9}]}],
        "dataset": "x"}"#;
    put(folder, "dataset_x.json", text)
}

fn coco(folder: &Path) -> PathBuf {
    let text = r#"{"info": {"year": 2014}, "images": [
        {"license": 5, "file_name": "a.jpg", "height": 6, "width": 8, "id": 1},
        {"license": 5, "file_name": "b.jpg", "height": 6, "width": 8, "id": 2}],
        "licenses": [], "annotations": [
        {"image_id": 1, "id": 48, "caption": "A dog."},
        {"image_id": 2, "id": 67, "caption": "A boat."}]}"#;
    put(folder, "val2014/a.jpg", jpeg(10));
    put(folder, "annotations/captions_val2014.json", text);
    folder.to_path_buf()
}

fn coco_annotations_first(folder: &Path) -> PathBuf {
    let text = r#"{"annotations": [{"image_id": 1, "id": 48, "caption": "A dog."}],
        "images": [{"file_name": "a.jpg", "id": 1}]}"#;
    put(folder, "mine.json", text)
}

fn div400(folder: &Path) -> PathBuf {
    let topics = "<?xml version=\"1.0\"?>\n<topics><topic><number>7</number><title>Old Gate</title>\
        <latitude>47.4</latitude><longitude>9.3</longitude></topic></topics>\n";
    let photos = "<photos monument=\"Old Gate\"><photo id=\"2\" date_taken=\"2008-05-06 12:32:00\" \
        description=\"The &amp;amp; gäte\" tags=\"old gate\" title=\"Gate\" license=\"4\" \
        latitude=\"47.4\" longitude=\"9.3\" username=\"Ann\"/><photo id=\"1\"></photo></photos>";
    put(folder, "devset_topics.xml", topics);
    put(folder, "xml/Old Gate.xml", photos);
    put(folder, "gt/rGT/Old Gate rGT.txt", "1,0\n2,1\n");
    put(folder, "gt/dGT/Old Gate dGT.txt", "2,1\n");
    put(folder, "img/Old Gate/2.jpg", jpeg(40));
    folder.to_path_buf()
}

const ROWS: [(&str, &str, &str); 3] = [
    ("a.jpg", "A dog.", "train"),
    ("a.jpg", "Dogs, \u{e9}.", "train"),
    ("b.jpg", "A boat.", "test"),
];

fn csv(folder: &Path) -> PathBuf {
    let rows = ROWS.map(|(image, caption, split)| format!("{image},\"{caption}\",{split}\n"));
    put(folder, "table.csv", format!("image,caption,split\n{}", rows.concat()))
}

fn tsv(folder: &Path) -> PathBuf {
    let rows = ROWS.map(|(image, caption, split)| format!("{image}\t{caption}\t{split}\n"));
    put(folder, "table.tsv", format!("image\tcaption\tsplit\n{}", rows.concat()))
}

fn jsonl(folder: &Path) -> PathBuf {
    let rows = ROWS.map(|(image, caption, split)| {
        format!("{{\"image\": \"{image}\", \"caption\": \"{caption}\", \"split\": \"{split}\"}}\n")
    });
    put(folder, "table.jsonl", rows.concat())
}

#[cfg(feature = "parquet")]
fn parquet(folder: &Path) -> PathBuf {
    use parquet::data_type::{ByteArray, ByteArrayType};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    let schema = "message rows { REQUIRED BYTE_ARRAY image (UTF8); \
        REQUIRED BYTE_ARRAY caption (UTF8); }";
    let schema = std::sync::Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for column in [ROWS.map(|row| row.0), ROWS.map(|row| row.1)] {
        let mut pages = group.next_column().unwrap().unwrap();
        let values = column.map(ByteArray::from);
        pages.typed::<ByteArrayType>().write_batch(&values, None, None).unwrap();
        pages.close().unwrap();
    }
    group.close().unwrap();
    put(folder, "table.parquet", writer.into_inner().unwrap())
}

fn webdataset(folder: &Path) -> PathBuf {
    let mut archive = tar::Builder::new(Vec::new());
    let mut add = |name: &str, content: &[u8]| {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, content).unwrap();
    };
    add("a.jpg", &jpeg(1));
    add("a.txt", b"A dog.\nDogs.\n");
    add("b.jpg", &jpeg(2));
    add("b.json", b"{\"caption\": \"A boat.\", \"split\": \"test\"}");
    put(folder, "shard-000.tar", archive.into_inner().unwrap())
}

/// Packs a text as gzip does.
fn pack(text: &str) -> Vec<u8> {
    use std::io::Write;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(text.as_bytes()).unwrap();
    packer.finish().unwrap()
}

fn corel5k(folder: &Path) -> PathBuf {
    put(folder, "keywords.tsv", "1000\tcity,sun\n1001\tsea\n");
    put(folder, "words.txt", "city\nsun\nsea\n");
    put(folder, "blobs.tsv", "id\tn_blobs\texact\ttokens\n1000\t2\t1\t7,9\n1001\t9\t0\t3,4\n");
    put(folder, "photos.tsv", "id\twidth\theight\n1000\t8\t6\n");
    put(folder, "train.txt", "1000\n");
    put(folder, "test.txt", "1001\n");
    put(folder, "photos/1000.jpeg", jpeg(70));
    folder.to_path_buf()
}

fn corel5k_eccv(folder: &Path) -> PathBuf {
    put(folder, "words.gz", pack("city\nsea\n"));
    put(folder, "document_words.gz", pack("1 2 -99\n2 -99 -99\n"));
    put(folder, "blob_counts", "9\n10\n");
    put(folder, "test_1_document_words", "2 0 0\n");
    folder.to_path_buf()
}

fn corel5k_arff(folder: &Path) -> PathBuf {
    let text = "@relation Corel5k-train\n@attribute Cluster1 {0,1}\n@attribute 'sea' {0,1}\n\
        @data\n{0 1,1 1}\n0,1\n";
    put(folder, "Corel5k-train-sparse.arff.gz", pack(text))
}

/// A folder with a photo of each metadata, and something beside each.
fn folder(folder: &Path) -> PathBuf {
    let xmp = "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \
        xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
        xmlns:dc='http://purl.org/dc/elements/1.1/'><rdf:Description dc:title='Dog'><dc:subject>\
        <rdf:Bag><rdf:li>dog</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>";
    let exif = b"MM\0*\0\0\0\x08\0\x02\x01\x0e\0\x02\0\0\0\x06\0\0\0\x26\x01\x12\0\x03\0\0\0\x01\
        \0\x06\0\0\0\0\0\0Boats\0";
    let iptc = b"8BIM\x04\x04\0\0\0\0\0\x08\x1c\x02\x19\0\x03sea";
    let mut photo = jpeg(5);
    let mut segments = Vec::new();
    for (marker, label, content) in [
        (0xe1, &b"Exif\0\0"[..], &exif[..]),
        (0xe1, b"http://ns.adobe.com/xap/1.0/\0", xmp.as_bytes()),
        (0xed, b"Photoshop 3.0\0", iptc),
    ] {
        segments.extend([0xff, marker]);
        segments.extend(((label.len() + content.len() + 2) as u16).to_be_bytes());
        segments.extend(label);
        segments.extend(content);
    }
    photo.splice(2..2, segments);
    put(folder, "a.jpg", photo);
    put(folder, "a.txt", "A dog.\nDogs.\n");
    put(folder, "a.jpg.xmp", xmp);
    put(folder, "sub/b.jpg", jpeg(6));
    put(folder, "sub/b.json", r#"{"caption": "A boat.", "keywords": ["boat"], "split": "test"}"#);
    let mut png = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(4, 3, image::Rgb([1, 2, 3]));
    picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
    put(folder, "sub/c.png", png.into_inner());
    folder.to_path_buf()
}
