//! Whether a value fits a schema of `openapi.json`: the few words that it uses, and no others, so
//! that no part of a schema goes unchecked.

use serde_json::Value;

/// What is wrong with a value, if anything; `place` says where.
pub fn check(value: &Value, schema: &Value, document: &Value, place: &str) -> Result<(), String> {
    let wrong = |what: String| Err(format!("{place}: {what}"));
    let schema = schema.as_object().ok_or_else(|| format!("{place}: the schema is no object"))?;
    for (word, rule) in schema {
        let fits = match word.as_str() {
            "description" | "default" | "format" => true,
            "$ref" => {
                let name = rule.as_str().and_then(|name| name.strip_prefix('#')).unwrap_or("?");
                let Some(other) = document.pointer(name) else {
                    return wrong(format!("there is no {rule}"));
                };
                check(value, other, document, place)?;
                true
            }
            "type" => match rule.as_str() {
                Some("object") => value.is_object(),
                Some("array") => value.is_array(),
                Some("string") => value.is_string(),
                Some("boolean") => value.is_boolean(),
                Some("integer") => value.is_i64() || value.is_u64(),
                Some("number") => value.is_number(),
                _ => return wrong(format!("unknown type {rule}")),
            },
            "enum" => rule.as_array().is_some_and(|allowed| allowed.contains(value)),
            "minimum" => value.as_f64() >= rule.as_f64(),
            "maximum" => value.as_f64() <= rule.as_f64(),
            "minItems" => value.as_array().map(|items| items.len() as u64) >= rule.as_u64(),
            "maxItems" => value.as_array().map(|items| items.len() as u64) <= rule.as_u64(),
            "required" => {
                let names = rule.as_array().into_iter().flatten().filter_map(Value::as_str);
                for name in names {
                    if value.get(name).is_none() {
                        return wrong(format!("{name} is missing"));
                    }
                }
                true
            }
            "items" => {
                for (at, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(item, rule, document, &format!("{place}[{at}]"))?;
                }
                true
            }
            "properties" => {
                for (name, inner) in rule.as_object().into_iter().flatten() {
                    if let Some(value) = value.get(name) {
                        check(value, inner, document, &format!("{place}.{name}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object);
                let mut names = value.as_object().into_iter().flat_map(|it| it.keys());
                match names.find(|name| !known.is_some_and(|known| known.contains_key(*name))) {
                    Some(name) if *rule == Value::Bool(false) => {
                        return wrong(format!("{name} is not described"));
                    }
                    _ => true,
                }
            }
            _ => return wrong(format!("this test does not know `{word}`")),
        };
        if !fits {
            return wrong(format!("{value} does not fit {word}: {rule}"));
        }
    }
    Ok(())
}
