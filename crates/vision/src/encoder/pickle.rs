//! Tensors out of a PyTorch file in its older form, without running anything in it.
//!
//! Such a file is a row of pickles (a magic number, a version, facts about the machine, the table
//! of tensors, the list of storages), then the storages: a count and the numbers. A pickle is a
//! program for a small machine with a stack; of that machine only what a table of tensors needs
//! is here, and the three names that such a table calls. Everything else is refused by name.

use std::collections::HashMap;

/// A tensor of floats.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Weights {
    pub shape: Vec<u64>,
    pub values: Vec<f32>,
}

const MAGIC: [u8; 10] = [0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19];
const MOST_STEPS: usize = 1 << 20;

/// What lies on the stack.
#[derive(Debug, Clone, PartialEq)]
enum Thing {
    None,
    Integer(i64),
    Long(Vec<u8>),
    Text(String),
    Name(String),
    Tuple(Vec<Thing>),
    List(Vec<Thing>),
    Dict(Vec<(Thing, Thing)>),
    Storage { kind: String, key: String },
    Tensor { kind: String, key: String, offset: i64, shape: Vec<i64>, stride: Vec<i64> },
    Mark,
}

/// The tensors of floats in a PyTorch file, by name; those of other types are left out.
///
/// # Errors
/// If the file is damaged or not of this form, with the tensor's name where it is about one.
pub(super) fn tensors(bytes: &[u8]) -> Result<HashMap<String, Weights>, String> {
    let mut rest = bytes;
    if unpickle(&mut rest)? != Thing::Long(MAGIC.to_vec()) {
        return Err("this is no PyTorch file of the older form".into());
    }
    unpickle(&mut rest)?;
    unpickle(&mut rest)?;
    let Thing::Dict(table) = unpickle(&mut rest)? else {
        return Err("there is no table of tensors in the file".into());
    };
    let Thing::List(keys) = unpickle(&mut rest)? else {
        return Err("there is no list of storages in the file".into());
    };
    let kinds: HashMap<&str, &str> = table
        .iter()
        .filter_map(|(_, thing)| match thing {
            Thing::Tensor { kind, key, .. } => Some((key.as_str(), kind.as_str())),
            _ => None,
        })
        .collect();
    let mut storages: HashMap<&str, &[u8]> = HashMap::new();
    for key in &keys {
        let Thing::Text(key) = key else { return Err("a storage has no name".into()) };
        let size = match kinds.get(key.as_str()) {
            Some(&"FloatStorage") => 4,
            Some(&"LongStorage") => 8,
            other => return Err(format!("storage '{key}' is of type {other:?}")),
        };
        let (count, after) = rest.split_first_chunk().ok_or("the file is cut off")?;
        let length = u64::from_le_bytes(*count).checked_mul(size);
        let length = length.and_then(|length| usize::try_from(length).ok()).unwrap_or(usize::MAX);
        let (data, after) = after.split_at_checked(length).ok_or("the file is cut off")?;
        storages.insert(key, data);
        rest = after;
    }
    let mut tensors = HashMap::new();
    for (name, thing) in &table {
        if let (Thing::Text(name), Thing::Tensor { kind, key, offset, shape, stride }) =
            (name, thing)
            && kind == "FloatStorage"
        {
            let data = storages.get(key.as_str()).copied().unwrap_or_default();
            let weights = weights(data, *offset, shape, stride)
                .ok_or_else(|| format!("tensor '{name}': its shape {shape:?} does not fit"))?;
            if !weights.values.iter().all(|value| value.is_finite()) {
                return Err(format!("tensor '{name}': it holds values that are not numbers"));
            }
            tensors.insert(name.clone(), weights);
        }
    }
    Ok(tensors)
}

/// The numbers of a tensor, in the order of its shape: a stride says how far apart the storage
/// has two neighbours along a side.
fn weights(data: &[u8], offset: i64, shape: &[i64], stride: &[i64]) -> Option<Weights> {
    if shape.len() != stride.len() {
        return None;
    }
    let whole = |number: &i64| usize::try_from(*number).ok();
    let sides: Vec<usize> = shape.iter().map(whole).collect::<Option<_>>()?;
    let steps: Vec<usize> = stride.iter().map(whole).collect::<Option<_>>()?;
    let count = sides.iter().try_fold(1usize, |count, &side| count.checked_mul(side))?;
    let stored = data.as_chunks::<4>().0;
    // What is read twice would make much of little.
    if count > stored.len() {
        return None;
    }
    let first = whole(&offset)?;
    let mut values = Vec::with_capacity(count);
    let mut at = vec![0usize; sides.len()];
    for _ in 0..count {
        let place = at
            .iter()
            .zip(&steps)
            .try_fold(first, |place, (&at, &step)| place.checked_add(at.checked_mul(step)?))?;
        values.push(f32::from_le_bytes(*stored.get(place)?));
        for (at, &side) in at.iter_mut().zip(&sides).rev() {
            *at += 1;
            if *at < side {
                break;
            }
            *at = 0;
        }
    }
    Some(Weights { shape: sides.iter().map(|&side| side as u64).collect(), values })
}

/// Runs one pickle and moves `rest` behind it.
fn unpickle(rest: &mut &[u8]) -> Result<Thing, String> {
    let mut stack: Vec<Thing> = Vec::new();
    let mut memory: HashMap<u64, Thing> = HashMap::new();
    for _ in 0..MOST_STEPS {
        let code = take(rest, 1)?[0];
        match code {
            0x80 => drop(take(rest, 1)?),
            b'.' => return stack.pop().ok_or_else(damaged),
            b'N' => stack.push(Thing::None),
            0x88 | 0x89 => stack.push(Thing::Integer(i64::from(code == 0x88))),
            b'K' => stack.push(Thing::Integer(number(rest, 1)? as i64)),
            b'M' => stack.push(Thing::Integer(number(rest, 2)? as i64)),
            b'J' => {
                let number = number(rest, 4)? as u32;
                stack.push(Thing::Integer(i64::from(number.cast_signed())));
            }
            0x8a => {
                let length = number(rest, 1)? as usize;
                stack.push(Thing::Long(take(rest, length)?.to_vec()));
            }
            b'X' => {
                let length = number(rest, 4)? as usize;
                let text = String::from_utf8(take(rest, length)?.to_vec());
                stack.push(Thing::Text(text.map_err(|_| damaged())?));
            }
            b'c' => {
                let (module, name) = (line(rest)?, line(rest)?);
                stack.push(Thing::Name(format!("{module}.{name}")));
            }
            b'}' => stack.push(Thing::Dict(Vec::new())),
            b']' => stack.push(Thing::List(Vec::new())),
            b')' => stack.push(Thing::Tuple(Vec::new())),
            b'(' => stack.push(Thing::Mark),
            b't' => {
                let items = since_mark(&mut stack)?;
                stack.push(Thing::Tuple(items));
            }
            0x85..=0x87 => {
                let at = stack.len().checked_sub(usize::from(code - 0x84)).ok_or_else(damaged)?;
                let items = stack.split_off(at);
                stack.push(Thing::Tuple(items));
            }
            b'q' | b'r' => {
                let key = number(rest, if code == b'q' { 1 } else { 4 })?;
                // Tables are not called back, so only small things are remembered.
                match stack.last().ok_or_else(damaged)? {
                    Thing::Dict(_) | Thing::List(_) | Thing::Mark => {}
                    thing => drop(memory.insert(key, thing.clone())),
                }
            }
            b'h' | b'j' => {
                let key = number(rest, if code == b'h' { 1 } else { 4 })?;
                let thing = memory.get(&key).ok_or("the pickle calls back what it never kept")?;
                // Of a tuple of tuples of tuples a few bytes could make a memory full.
                if matches!(thing, Thing::Tuple(_) | Thing::Tensor { .. }) {
                    return Err("the pickle shares a tuple; that is not expected".into());
                }
                stack.push(thing.clone());
            }
            b'a' | b'e' => {
                let items = if code == b'a' {
                    vec![stack.pop().ok_or_else(damaged)?]
                } else {
                    since_mark(&mut stack)?
                };
                let Some(Thing::List(list)) = stack.last_mut() else { return Err(damaged()) };
                list.extend(items);
            }
            b's' | b'u' => {
                let items = if code == b's' {
                    let at = stack.len().checked_sub(2).ok_or_else(damaged)?;
                    stack.split_off(at)
                } else {
                    since_mark(&mut stack)?
                };
                let Some(Thing::Dict(table)) = stack.last_mut() else { return Err(damaged()) };
                let mut items = items.into_iter();
                while let (Some(key), Some(value)) = (items.next(), items.next()) {
                    table.push((key, value));
                }
            }
            // Facts about a table that are no part of it.
            b'b' => drop(stack.pop()),
            b'Q' => {
                let thing = stack.pop().ok_or_else(damaged)?;
                stack.push(storage(thing)?);
            }
            b'R' => {
                let arguments = stack.pop().ok_or_else(damaged)?;
                let name = stack.pop().ok_or_else(damaged)?;
                stack.push(call(&name, arguments)?);
            }
            other => return Err(format!("the pickle's operation {other:#04x} is not known here")),
        }
    }
    Err("the pickle is too long".into())
}

fn damaged() -> String {
    "the pickle is damaged".into()
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Result<&'a [u8], String> {
    let (bytes, after) = rest.split_at_checked(length).ok_or("the file is cut off")?;
    *rest = after;
    Ok(bytes)
}

fn number(rest: &mut &[u8], bytes: usize) -> Result<u64, String> {
    Ok(take(rest, bytes)?.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

fn line(rest: &mut &[u8]) -> Result<String, String> {
    let end = rest.iter().take(200).position(|&byte| byte == b'\n').ok_or_else(damaged)?;
    let line = take(rest, end + 1)?;
    Ok(String::from_utf8_lossy(&line[..end]).into_owned())
}

fn since_mark(stack: &mut Vec<Thing>) -> Result<Vec<Thing>, String> {
    let at = stack.iter().rposition(|thing| *thing == Thing::Mark).ok_or_else(damaged)?;
    let items = stack.split_off(at + 1);
    stack.pop();
    Ok(items)
}

fn storage(thing: Thing) -> Result<Thing, String> {
    if let Thing::Tuple(parts) = &thing
        && let [Thing::Text(word), Thing::Name(kind), Thing::Text(key), ..] = &parts[..]
        && let ("storage", Some(kind)) = (word.as_str(), kind.strip_prefix("torch."))
    {
        return Ok(Thing::Storage { kind: kind.into(), key: key.clone() });
    }
    Err("the pickle names something that is no storage".into())
}

fn call(name: &Thing, arguments: Thing) -> Result<Thing, String> {
    let Thing::Name(name) = name else { return Err(damaged()) };
    let Thing::Tuple(arguments) = arguments else { return Err(damaged()) };
    match (name.as_str(), &arguments[..]) {
        ("collections.OrderedDict", []) => Ok(Thing::Dict(Vec::new())),
        (
            "torch._utils._rebuild_tensor_v2",
            [
                Thing::Storage { kind, key },
                Thing::Integer(offset),
                Thing::Tuple(shape),
                Thing::Tuple(stride),
                ..,
            ],
        ) => Ok(Thing::Tensor {
            kind: kind.clone(),
            key: key.clone(),
            offset: *offset,
            shape: integers(shape)?,
            stride: integers(stride)?,
        }),
        _ => Err(format!("the pickle wants to call {name}; nothing in a package is run")),
    }
}

fn integers(things: &[Thing]) -> Result<Vec<i64>, String> {
    let integer = |thing: &Thing| match thing {
        Thing::Integer(number) => Ok(*number),
        _ => Err(damaged()),
    };
    things.iter().map(integer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with one tensor of two by two, written as PyTorch does.
    fn file() -> Vec<u8> {
        let text =
            |text: &str| [&b"X"[..], &(text.len() as u32).to_le_bytes(), text.as_bytes()].concat();
        let mut file =
            [&b"\x80\x02\x8a\x0a"[..], &MAGIC, b".\x80\x02M\xe9\x03.\x80\x02}q\x00."].concat();
        file.extend(b"\x80\x02ccollections\nOrderedDict\nq\x00)Rq\x01(");
        file.extend(text("w"));
        file.extend(b"q\x02ctorch._utils\n_rebuild_tensor_v2\nq\x03((");
        file.extend(text("storage"));
        file.extend(b"ctorch\nFloatStorage\n");
        file.extend([text("7"), text("cpu")].concat());
        file.extend(
            b"K\x04NtQK\x00K\x02K\x02\x86K\x02K\x01\x86\x89ccollections\nOrderedDict\n)RtRu.",
        );
        file.extend([&b"\x80\x02]q\x00"[..], &text("7"), b"a."].concat());
        file.extend(4u64.to_le_bytes());
        file.extend([1.0f32, 2.0, 3.0, -4.5].iter().flat_map(|value| value.to_le_bytes()));
        file
    }

    #[test]
    fn a_table_of_tensors_is_read() {
        let tensors = tensors(&file()).unwrap();
        let want = Weights { shape: vec![2, 2], values: vec![1.0, 2.0, 3.0, -4.5] };
        assert_eq!(tensors["w"], want);
    }

    #[test]
    fn strides_say_where_numbers_lie() {
        let data: Vec<u8> = (0..6).flat_map(|k| (k as f32).to_le_bytes()).collect();
        let turned = weights(&data, 0, &[3, 2], &[1, 3]).unwrap();
        assert_eq!(turned.values, [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
        assert_eq!(weights(&data, 5, &[], &[]).unwrap().values, [5.0]);
        for (offset, shape, stride) in [
            (1, [3, 2], [1, 3]),
            (0, [3, 3], [1, 1]),
            (-1, [1, 1], [1, 1]),
            (0, [-1, 2], [1, 1]),
            (0, [2, 2], [i64::MAX, i64::MAX]),
        ] {
            assert!(weights(&data, offset, &shape, &stride).is_none(), "{offset} {shape:?}");
        }
    }

    #[test]
    fn cut_off_anywhere_is_an_error() {
        let file = file();
        for end in 0..file.len() {
            assert!(tensors(&file[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn what_would_run_is_refused_by_name() {
        let mut program: &[u8] = b"\x80\x02cos\nsystem\n(X\x02\x00\x00\x00lstR.";
        assert!(unpickle(&mut program).unwrap_err().contains("os.system"));
    }
}
