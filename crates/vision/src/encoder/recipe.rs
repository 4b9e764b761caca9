//! How a network wants to be used: what it is shown, and which of its outputs mean what.
//!
//! Networks come with such a recipe in the file of whoever exported them: `network.json` is ours,
//! `preprocessor_config.json` that of Hugging Face, `preprocess_cfg.json` that of immich and
//! open_clip.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Filter, Fit, Preprocessing};

/// Which tensor of a network means what. What is not named is found by its shape.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outputs {
    /// The picture's vector: \[1, width\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vector: Option<String>,
    /// Patches: a grid, or tokens with the class token first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patches: Option<String>,
    /// What a classifier says: \[1, classes\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes: Option<String>,
}

/// How a network wants to be used.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// What the network is called, and part of its extractor's name.
    #[serde(default)]
    pub name: String,
    /// Where it came from.
    #[serde(default)]
    pub source: String,
    /// Under which licence.
    #[serde(default)]
    pub licence: String,
    /// What is done to a picture first.
    #[serde(default)]
    pub preprocessing: Preprocessing,
    /// Which tensor means what.
    #[serde(default)]
    pub outputs: Outputs,
}

/// Reads a recipe from the text of a file.
type Reader = fn(&str) -> Result<Recipe, String>;

/// The files that hold a recipe, and how each is read.
pub(super) const FILES: [(&str, Reader); 3] = [
    ("network.json", ours),
    ("preprocessor_config.json", hugging_face),
    ("preprocess_cfg.json", immich),
];

fn ours(text: &str) -> Result<Recipe, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn hugging_face(text: &str) -> Result<Recipe, String> {
    let config: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut shape = Preprocessing::default();
    let on = |key: &str| config.get(key).and_then(Value::as_bool).unwrap_or(true);
    if let Some(size) = config.get("size") {
        let shortest = size.as_u64().or_else(|| size.get("shortest_edge")?.as_u64());
        match (shortest, both(size)) {
            (_, Some((height, width))) => (shape.height, shape.width) = (height, width),
            (Some(shortest), None) => {
                let side = side("size", shortest)?;
                (shape.width, shape.height, shape.fit) = (side, side, Fit::Crop(side));
            }
            (None, None) => return Err("size: neither a number nor height and width".into()),
        }
    }
    let crops = config.get("do_center_crop").and_then(Value::as_bool).unwrap_or(false);
    if let (true, Some(crop)) = (crops, config.get("crop_size")) {
        let square = crop.as_u64().map(|length| side("crop_size", length)).transpose()?;
        let (height, width) = square
            .map(|side| (side, side))
            .or_else(|| both(crop))
            .ok_or("crop_size: neither a number nor height and width")?;
        let shorter = match shape.fit {
            Fit::Crop(shorter) => shorter,
            Fit::Squash | Fit::Pad => shape.width.min(shape.height),
        };
        (shape.height, shape.width) = (height, width);
        shape.fit = Fit::Crop(shorter.max(height).max(width));
    }
    if let Some(resample) = config.get("resample").and_then(Value::as_u64) {
        shape.filter = match resample {
            1 => Filter::Lanczos,
            2 => Filter::Bilinear,
            3 => Filter::Bicubic,
            other => return Err(format!("resample: {other} is not known here")),
        };
    }
    let factor = if on("do_rescale") {
        config.get("rescale_factor").and_then(Value::as_f64).unwrap_or(1.0 / 255.0)
    } else {
        1.0
    };
    if on("do_normalize") {
        shape.mean = three(&config, "image_mean")?.unwrap_or(shape.mean);
        shape.deviation = three(&config, "image_std")?.unwrap_or(shape.deviation);
    } else {
        (shape.mean, shape.deviation) = ([0.0; 3], [1.0; 3]);
    }
    // Ours start from shares of 255.
    let scale = (factor * 255.0) as f32;
    shape.mean = shape.mean.map(|mean| mean / scale);
    shape.deviation = shape.deviation.map(|deviation| deviation / scale);
    Ok(Recipe { preprocessing: shape, ..Recipe::default() })
}

fn immich(text: &str) -> Result<Recipe, String> {
    let config: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut shape = Preprocessing::default();
    if let Some(size) = config.get("size") {
        let one = size.as_u64();
        let at = |k: usize| one.or_else(|| size.get(k)?.as_u64());
        match (at(0), at(1)) {
            (Some(height), Some(width)) => {
                (shape.height, shape.width) = (side("size", height)?, side("size", width)?);
            }
            _ => return Err("size: neither a number nor two".into()),
        }
    }
    let text = |key: &str| config.get(key).and_then(Value::as_str);
    shape.filter = match text("interpolation").unwrap_or("bicubic") {
        "bicubic" => Filter::Bicubic,
        "bilinear" => Filter::Bilinear,
        "lanczos" => Filter::Lanczos,
        other => return Err(format!("interpolation: {other} is not known here")),
    };
    shape.fit = match text("resize_mode").unwrap_or("shortest") {
        "shortest" => Fit::Crop(shape.width.max(shape.height)),
        "longest" => Fit::Pad,
        "squash" => Fit::Squash,
        other => return Err(format!("resize_mode: {other} is not known here")),
    };
    shape.mean = three(&config, "mean")?.unwrap_or(shape.mean);
    shape.deviation = three(&config, "std")?.unwrap_or(shape.deviation);
    Ok(Recipe { preprocessing: shape, ..Recipe::default() })
}

fn side(field: &str, length: u64) -> Result<u32, String> {
    u32::try_from(length).map_err(|_| format!("{field}: {length} is absurd"))
}

fn both(size: &Value) -> Option<(u32, u32)> {
    let at = |key: &str| u32::try_from(size.get(key)?.as_u64()?).ok();
    Some((at("height")?, at("width")?))
}

fn three(config: &Value, field: &str) -> Result<Option<[f32; 3]>, String> {
    let Some(list) = config.get(field) else { return Ok(None) };
    serde_json::from_value(list.clone())
        .map(Some)
        .map_err(|_| format!("{field}: three numbers are needed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_recipe_comes_back() {
        let recipe = Recipe { name: "a".into(), ..Recipe::default() };
        let text = serde_json::to_string(&recipe).unwrap();
        assert_eq!(ours(&text).unwrap(), recipe);
        assert!(ours("{\"nonsense\": 1}").unwrap_err().contains("nonsense"));
    }

    #[test]
    fn hugging_face_sizes_come_in_several_shapes() {
        let clip = r#"{"crop_size": {"height": 224, "width": 224}, "do_center_crop": true,
            "size": {"shortest_edge": 256}, "resample": 3, "image_mean": [0.5, 0.5, 0.5],
            "image_std": [0.25, 0.25, 0.25], "rescale_factor": 0.00392156862745098}"#;
        let shape = hugging_face(clip).unwrap().preprocessing;
        assert_eq!((shape.width, shape.height, shape.fit), (224, 224, Fit::Crop(256)));
        assert!((shape.mean[0] - 0.5).abs() < 1e-6);
        let vit =
            r#"{"size": {"height": 384, "width": 320}, "resample": 2, "do_normalize": false}"#;
        let shape = hugging_face(vit).unwrap().preprocessing;
        assert_eq!((shape.width, shape.height, shape.fit), (320, 384, Fit::Squash));
        assert_eq!((shape.filter, shape.mean), (Filter::Bilinear, [0.0; 3]));
        let raw = r#"{"size": 224, "do_rescale": false, "image_mean": [127, 127, 127],
            "image_std": [128, 128, 128]}"#;
        let shape = hugging_face(raw).unwrap().preprocessing;
        assert!((shape.mean[0] - 127.0 / 255.0).abs() < 1e-6);
        assert!((shape.deviation[0] - 128.0 / 255.0).abs() < 1e-6);
        assert!(hugging_face(r#"{"size": "big"}"#).unwrap_err().starts_with("size"));
        assert!(hugging_face(r#"{"image_mean": [1]}"#).unwrap_err().starts_with("image_mean"));
    }

    #[test]
    fn immich_modes() {
        let text = r#"{"size": [224, 224], "mode": "RGB", "mean": [0.48, 0.46, 0.41],
            "std": [0.27, 0.26, 0.28], "interpolation": "bicubic", "resize_mode": "shortest"}"#;
        let shape = immich(text).unwrap().preprocessing;
        assert_eq!((shape.fit, shape.mean[0]), (Fit::Crop(224), 0.48));
        assert!(immich(r#"{"resize_mode": "melt"}"#).unwrap_err().contains("melt"));
    }
}
