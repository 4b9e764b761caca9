//! An ONNX file: read as far as needed to check and to change it, without copying its weights.
//!
//! Nobody vouches for such a file, so every tensor is checked before a network is built from it:
//! its type is known, its bytes are as many as its shape says, and its numbers are numbers.

use super::protobuf::{Field, Fields, Message};

/// Element types, by ONNX's numbers.
pub(super) const FLOAT: u64 = 1;
pub(super) const INT8: u64 = 3;
pub(super) const FLOAT16: u64 = 10;

/// The most numbers one tensor may have, and the most an operator may be told to make.
pub(super) const MOST_VALUES: u64 = 1 << 28;
/// The longest kernel, stride or padding that is believed.
const LONGEST: u64 = 512;
/// How deep graphs may lie within graphs.
const DEEPEST: usize = 4;

/// An ONNX file.
#[derive(Debug, Clone)]
pub(super) struct OnnxFile<'a> {
    /// Everything outside the graph.
    head: Vec<&'a [u8]>,
    pub nodes: Vec<Node<'a>>,
    pub tensors: Vec<Tensor<'a>>,
    pub inputs: Vec<Value<'a>>,
    pub outputs: Vec<Value<'a>>,
    /// Everything else of the graph.
    rest: Vec<&'a [u8]>,
}

/// An operator.
#[derive(Debug, Clone)]
pub(super) struct Node<'a> {
    pub operator: &'a str,
    pub inputs: Vec<&'a str>,
    pub outputs: Vec<&'a str>,
    pub raw: &'a [u8],
}

/// A weight.
#[derive(Debug, Clone)]
pub(super) struct Tensor<'a> {
    pub name: &'a str,
    pub shape: Vec<u64>,
    pub kind: u64,
    pub data: Data<'a>,
    raw: &'a [u8],
}

/// Where a tensor's numbers are.
#[derive(Debug, Clone)]
pub(super) enum Data<'a> {
    /// Little-endian bytes.
    Raw(&'a [u8]),
    /// Lists of numbers, packed or not, each with its field number.
    Lists(Vec<Field<'a>>),
}

/// What goes in or comes out.
#[derive(Debug, Clone)]
pub(super) struct Value<'a> {
    pub name: &'a str,
    pub kind: Option<u64>,
    /// The sides; `None` for one that is left open.
    pub shape: Option<Vec<Option<u64>>>,
    raw: &'a [u8],
}

impl<'a> OnnxFile<'a> {
    /// Reads a file and checks its tensors.
    ///
    /// # Errors
    /// What is wrong, with the tensor's name where it is about one.
    pub fn read(bytes: &'a [u8]) -> Result<Self, String> {
        let (mut head, mut graph, mut operators) = (Vec::new(), None, false);
        for field in Fields(bytes) {
            let field = field?;
            match field.number {
                7 if graph.is_some() => return Err("there are two graphs in the file".into()),
                7 => graph = Some(field.bytes()?),
                1..=25 => {
                    operators |= field.number == 8;
                    head.push(field.raw);
                }
                _ => return Err("this is no ONNX file".into()),
            }
        }
        let graph = graph.ok_or("there is no graph in the file; this is no ONNX file")?;
        if !operators {
            return Err("the file does not say which operators it uses; it may be cut off".into());
        }
        let file = Self::graph(graph, head, 0)?;
        if file.nodes.is_empty() {
            return Err("there are no operators in the file".into());
        }
        file.check_sizes()?;
        Ok(file)
    }

    fn graph(bytes: &'a [u8], head: Vec<&'a [u8]>, depth: usize) -> Result<Self, String> {
        let mut file = Self {
            head,
            nodes: Vec::new(),
            tensors: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            rest: Vec::new(),
        };
        for field in Fields(bytes) {
            let field = field?;
            match field.number {
                1 => file.nodes.push(Node::read(field.bytes()?, depth)?),
                5 => {
                    let tensor = Tensor::read(field.bytes()?)?;
                    tensor.check()?;
                    file.tensors.push(tensor);
                }
                11 => file.inputs.push(Value::read(field.bytes()?)?),
                12 => file.outputs.push(Value::read(field.bytes()?)?),
                15 => return Err("sparse tensors are not known here".into()),
                _ => file.rest.push(field.raw),
            }
        }
        Ok(file)
    }

    /// Refuses operators that are told by a constant to make a huge tensor.
    fn check_sizes(&self) -> Result<(), String> {
        const MAKERS: [&str; 7] =
            ["ConstantOfShape", "Expand", "Tile", "Pad", "Range", "OneHot", "Resize"];
        for node in self.nodes.iter().filter(|node| MAKERS.contains(&node.operator)) {
            for &name in &node.inputs {
                let Some(sizes) = self.constant_integers(name)? else { continue };
                // A padding may be negative; nothing else grows from a negative number.
                let many = sizes
                    .iter()
                    .try_fold(1u64, |many, &size| many.checked_mul(size.unsigned_abs().max(1)));
                if many.is_none_or(|many| many > MOST_VALUES) {
                    return Err(format!(
                        "tensor '{name}': {} is told to make {sizes:?} numbers",
                        node.operator
                    ));
                }
            }
        }
        Ok(())
    }

    /// The numbers of a constant of a few 64-bit integers.
    fn constant_integers(&self, name: &str) -> Result<Option<Vec<i64>>, String> {
        if let Some(tensor) = self.tensors.iter().find(|tensor| tensor.name == name) {
            return Ok(tensor.integers());
        }
        let made = |node: &&Node| node.operator == "Constant" && node.outputs == [name];
        let Some(node) = self.nodes.iter().find(made) else { return Ok(None) };
        Ok(node.constant()?.and_then(|tensor| tensor.integers()))
    }

    /// Makes `names` the outputs.
    ///
    /// # Errors
    /// If nothing in the graph makes one of them.
    pub fn set_outputs(&mut self, names: &[&'a str]) -> Result<(), String> {
        let mut outputs = Vec::new();
        for &name in names {
            if !self.nodes.iter().any(|node| node.outputs.contains(&name)) {
                return Err(format!("tensor '{name}': no operator makes it"));
            }
            let known = self.outputs.iter().find(|output| output.name == name);
            let new = Value { name, kind: Some(FLOAT), shape: None, raw: &[] };
            outputs.push(known.cloned().unwrap_or(new));
        }
        self.outputs = outputs;
        Ok(())
    }

    /// The file as bytes, with `more` nodes and tensors before its own, and its own tensors
    /// written by `tensor`.
    pub fn write(
        &self,
        more: &Message,
        mut tensor: impl FnMut(&Tensor<'a>, &mut Message),
    ) -> Vec<u8> {
        let mut graph = Message::default();
        graph.raw(&more.0);
        for node in &self.nodes {
            graph.bytes(1, node.raw);
        }
        for raw in &self.rest {
            graph.raw(raw);
        }
        for one in &self.tensors {
            tensor(one, &mut graph);
        }
        for input in &self.inputs {
            graph.bytes(11, &input.bytes());
        }
        for output in &self.outputs {
            graph.bytes(12, &output.bytes());
        }
        let mut file = Message::default();
        for raw in &self.head {
            file.raw(raw);
        }
        file.bytes(7, &graph.0);
        file.0
    }
}

impl<'a> Node<'a> {
    fn read(raw: &'a [u8], depth: usize) -> Result<Self, String> {
        let mut node = Self { operator: "", inputs: Vec::new(), outputs: Vec::new(), raw };
        for field in Fields(raw) {
            let field = field?;
            match field.number {
                1 => node.inputs.push(field.text()?),
                2 => node.outputs.push(field.text()?),
                4 => node.operator = field.text()?,
                5 => attribute(field.bytes()?, depth)?,
                _ => {}
            }
        }
        Ok(node)
    }

    /// The fields of its attributes, attribute by attribute.
    fn attributes(&self) -> impl Iterator<Item = Fields<'a>> {
        let attribute = |field: Result<Field<'a>, String>| field.ok().filter(|f| f.number == 5);
        Fields(self.raw).filter_map(attribute).filter_map(|field| field.bytes().ok()).map(Fields)
    }

    /// The fields of the attribute of this name.
    fn attribute(&self, name: &str) -> Option<Fields<'a>> {
        let named = |field: Result<Field, String>| {
            field.is_ok_and(|field| field.number == 1 && field.text() == Ok(name))
        };
        self.attributes().find(|attribute| attribute.clone().any(named))
    }

    /// The integer, or the integers, of an attribute, if it is there.
    pub fn integers(&self, name: &str) -> Option<Vec<i64>> {
        let mut list = Vec::new();
        for field in self.attribute(name)?.flatten() {
            if matches!(field.number, 3 | 8) {
                field.integers(&mut list).ok()?;
            }
        }
        Some(list)
    }

    /// The text of an attribute, if it is there.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.attribute(name)?.flatten().find(|field| field.number == 4)?.text().ok()
    }

    /// The tensor of a `Constant`.
    fn constant(&self) -> Result<Option<Tensor<'a>>, String> {
        let tensor = self.attributes().flatten().flatten().find(|part| part.number == 5);
        tensor.map(|part| Tensor::read(part.bytes()?)).transpose()
    }
}

/// Checks the tensors, the graphs and the lengths within an attribute.
fn attribute(bytes: &[u8], depth: usize) -> Result<(), String> {
    const LENGTHS: [&str; 6] =
        ["pads", "strides", "dilations", "kernel_shape", "output_padding", "output_shape"];
    let (mut name, mut numbers) = ("", Vec::new());
    for field in Fields(bytes) {
        let field = field?;
        match field.number {
            1 => name = field.text()?,
            3 | 8 => field.integers(&mut numbers)?,
            5 | 10 => Tensor::read(field.bytes()?)?.check()?,
            6 | 11 if depth >= DEEPEST => return Err("graphs lie too deep within graphs".into()),
            6 | 11 => drop(OnnxFile::graph(field.bytes()?, Vec::new(), depth + 1)?),
            _ => {}
        }
    }
    let longest = numbers.iter().map(|number| number.unsigned_abs()).max().unwrap_or(0);
    if LENGTHS.contains(&name) && longest > LONGEST {
        return Err(format!("attribute '{name}': {longest} is more than any network has"));
    }
    Ok(())
}

impl<'a> Tensor<'a> {
    fn read(raw: &'a [u8]) -> Result<Self, String> {
        let (mut shape, mut kind, mut name) = (Vec::new(), 0, "");
        let (mut bytes, mut lists, mut elsewhere) = (None, Vec::new(), false);
        for field in Fields(raw) {
            let field = field?;
            match field.number {
                1 => field.integers(&mut shape)?,
                2 => kind = field.integer()?,
                8 => name = field.text()?,
                9 => bytes = Some(field.bytes()?),
                4 | 5 | 6 | 7 | 10 | 11 => lists.push(field),
                13 => elsewhere = true,
                14 => elsewhere |= field.integer()? == 1,
                _ => {}
            }
        }
        let wrong = |what: &str| format!("tensor '{name}': {what}");
        if elsewhere {
            return Err(wrong("its numbers are in another file; save the network as one file"));
        }
        let shape: Option<Vec<u64>> = shape.iter().map(|&side| u64::try_from(side).ok()).collect();
        let shape = shape.ok_or_else(|| wrong("a side is negative"))?;
        let data = bytes.map_or(Data::Lists(lists), Data::Raw);
        Ok(Self { name, shape, kind, data, raw })
    }

    /// How many numbers it has, by its shape.
    pub fn values(&self) -> u64 {
        self.shape.iter().fold(1, |product: u64, &side| product.saturating_mul(side))
    }

    fn check(&self) -> Result<(), String> {
        let wrong = |what: String| Err(format!("tensor '{}': {what}", self.name));
        let Some(size) = size(self.kind) else {
            return wrong(format!("elements of type {} are not known here", self.kind));
        };
        let values = self.values();
        if values > MOST_VALUES {
            return wrong(format!("{:?} is more than {MOST_VALUES} numbers", self.shape));
        }
        match &self.data {
            Data::Raw(bytes) if bytes.len() as u64 != values * size => {
                return wrong(format!("{} bytes for a shape of {:?}", bytes.len(), self.shape));
            }
            Data::Raw(_) => {}
            Data::Lists(fields) => {
                let mut count = 0u64;
                for field in fields {
                    count += list_length(field)?;
                }
                if count != values {
                    return wrong(format!("{count} numbers for a shape of {:?}", self.shape));
                }
            }
        }
        // Masks hold -infinity on purpose; what is not a number is never meant.
        if self.floats().is_some_and(|floats| floats.iter().any(|value| value.is_nan())) {
            return wrong("it holds values that are not numbers".into());
        }
        Ok(())
    }

    /// The numbers, if they are floats.
    pub fn floats(&self) -> Option<Vec<f32>> {
        match (&self.data, self.kind) {
            (Data::Raw(bytes), FLOAT) => {
                let four = bytes.as_chunks::<4>().0;
                Some(four.iter().map(|&four| f32::from_le_bytes(four)).collect())
            }
            (Data::Raw(bytes), FLOAT16) => {
                let two = bytes.as_chunks::<2>().0;
                Some(two.iter().map(|&two| half::f16::from_le_bytes(two).to_f32()).collect())
            }
            (Data::Lists(fields), FLOAT) => {
                let mut values = Vec::new();
                for field in fields.iter().filter(|field| field.number == 4) {
                    match field.value {
                        super::protobuf::Wire::Fixed32(four) => {
                            values.push(f32::from_le_bytes(four));
                        }
                        super::protobuf::Wire::Bytes(bytes) => {
                            let four = bytes.as_chunks::<4>().0;
                            values.extend(four.iter().map(|&four| f32::from_le_bytes(four)));
                        }
                        _ => {}
                    }
                }
                Some(values)
            }
            _ => None,
        }
    }

    /// The numbers, if they are a few 64-bit integers.
    fn integers(&self) -> Option<Vec<i64>> {
        if self.kind != 7 || self.values() > 16 {
            return None;
        }
        match &self.data {
            Data::Raw(bytes) => {
                Some(bytes.as_chunks::<8>().0.iter().map(|&b| i64::from_le_bytes(b)).collect())
            }
            Data::Lists(fields) => {
                let mut list = Vec::new();
                for field in fields.iter().filter(|field| field.number == 7) {
                    field.integers(&mut list).ok()?;
                }
                Some(list)
            }
        }
    }

    /// Writes it as it was read.
    pub fn copy(&self, graph: &mut Message) {
        graph.bytes(5, self.raw);
    }
}

/// Bytes an element.
fn size(kind: u64) -> Option<u64> {
    match kind {
        2 | 3 | 9 => Some(1),
        4 | 5 | FLOAT16 => Some(2),
        FLOAT | 6 | 12 => Some(4),
        7 | 11 | 13 => Some(8),
        _ => None,
    }
}

/// How many numbers a field of a list holds.
fn list_length(field: &Field) -> Result<u64, String> {
    use super::protobuf::Wire;
    Ok(match (field.value, field.number) {
        (Wire::Bytes(bytes), 4) => bytes.len() as u64 / 4,
        (Wire::Bytes(bytes), 10) => bytes.len() as u64 / 8,
        (Wire::Bytes(bytes), 5 | 7 | 11) => {
            bytes.iter().filter(|&&byte| byte < 0x80).count() as u64
        }
        (Wire::Bytes(_), _) => return Err("text in a tensor is not known here".into()),
        _ => 1,
    })
}

impl<'a> Value<'a> {
    fn read(raw: &'a [u8]) -> Result<Self, String> {
        let mut value = Self { name: "", kind: None, shape: None, raw };
        for field in Fields(raw) {
            let field = field?;
            match field.number {
                1 => value.name = field.text()?,
                2 => {
                    for part in Fields(field.bytes()?) {
                        let part = part?;
                        if part.number == 1 {
                            value.tensor_type(part.bytes()?)?;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(value)
    }

    fn tensor_type(&mut self, bytes: &[u8]) -> Result<(), String> {
        for field in Fields(bytes) {
            let field = field?;
            match field.number {
                1 => self.kind = Some(field.integer()?),
                2 => {
                    let mut shape = Vec::new();
                    for side in Fields(field.bytes()?) {
                        let mut length = None;
                        for part in Fields(side?.bytes()?) {
                            let part = part?;
                            if part.number == 1 {
                                length = Some(part.integer()?);
                            }
                        }
                        shape.push(length);
                    }
                    self.shape = Some(shape);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn bytes(&self) -> Vec<u8> {
        if !self.raw.is_empty() {
            return self.raw.to_vec();
        }
        let (mut tensor, mut kind, mut value) =
            (Message::default(), Message::default(), Message::default());
        tensor.integer(1, self.kind.unwrap_or(FLOAT));
        kind.bytes(1, &tensor.0);
        value.bytes(1, self.name.as_bytes()).bytes(2, &kind.0);
        value.0
    }
}
