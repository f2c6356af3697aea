//! Parses YAML as Ruby reads it for Hiera: converts the events of a YAML parser to values with locations.
//!
//! Ruby differs from YAML 1.2: plain scalars are those of YAML 1.1 ([`scalar`]), the key `<<` merges the entries of
//! other hashes, and only the first of several documents counts.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span as Range, StrInput, Tag};

use super::{
    DataError, Entry, LocationTree, MAX_DOCUMENT_NODES, MAX_NESTING_LEVELS, ParsedText, scalar,
    yaml_repair::RepairedYaml,
};
use crate::error::{Error, Kind as _, Result};
use crate::stack;
use crate::text::Span;
use crate::value::{Binary, Value, binary::Encoding};

/// Parses the first document of `text`, or undef if it is empty. If the parser rejects it, repairs it and retries.
pub(super) fn parse_document(text: &str) -> Result<ParsedText> {
    [false, true].into_iter().fold(YamlReader::reader_for_text(text, None).read_document(), |outcome, indents| {
        outcome.or_else(|error| {
            if error.code() != "SYNTAX_ERROR" {
                return Err(error);
            }
            let repaired = RepairedYaml::repair_text(text, indents);
            let again = YamlReader::reader_for_text(text, Some(&repaired)).read_document();
            // What is wrong further down is wrong in both.
            let start = |error: &Error| error.span().map(|span| span.start);
            again.map_err(|later| if start(&later) > start(&error) { later } else { error })
        })
    })
}

/// A value with its location, and the number of YAML nodes in it.
#[derive(Clone)]
struct ParsedNode {
    value: Value,
    location: LocationTree,
    node_count: usize,
}

struct YamlReader<'s> {
    text: &'s str,
    /// The repaired text, which is parsed instead of `text`, but has its locations; `None` to parse `text` itself.
    repaired: Option<&'s RepairedYaml>,
    /// The byte offset of each character and of the end, as the parser counts characters; `None` if all are ASCII.
    character_offsets: Option<Vec<usize>>,
    events: Parser<'s, StrInput<'s>>,
    anchors: FxHashMap<usize, ParsedNode>,
    warnings: Vec<Error>,
    /// The number of nodes read so far; nodes that an alias repeats count each time.
    read_node_count: usize,
}

impl<'s> YamlReader<'s> {
    fn reader_for_text(text: &'s str, repaired: Option<&'s RepairedYaml>) -> YamlReader<'s> {
        let parsed = repaired.map_or(text, |repaired| &repaired.text);
        let starts = || parsed.char_indices().map(|(at, _)| at).chain([parsed.len()]).collect();
        YamlReader {
            text,
            repaired,
            character_offsets: (!parsed.is_ascii()).then(starts),
            events: Parser::new_from_str(parsed),
            anchors: FxHashMap::default(),
            warnings: Vec::new(),
            read_node_count: 0,
        }
    }

    fn read_document(mut self) -> Result<ParsedText> {
        let mut document = None;
        while let Some((event, span)) = self.next_event()? {
            match event {
                Event::DocumentStart(_) if document.is_some() => {
                    let start = Span { end: span.start + 3, ..span }; // `---`
                    self.warnings.push(DataError::FurtherDocument.at(start));
                    break;
                }
                Event::Nothing
                | Event::StreamStart
                | Event::StreamEnd
                | Event::DocumentStart(_)
                | Event::DocumentEnd => {}
                event => document = Some(self.read_node(event, span, 0, false)?),
            }
        }
        Ok(match document {
            Some(node) => (node.value, node.location, self.warnings),
            None => (Value::Undef, LocationTree::leaf_location(Span::default()), self.warnings),
        })
    }

    fn next_event(&mut self) -> Result<Option<(Event<'s>, Span)>> {
        let next = self.events.next().transpose().map_err(|error| {
            DataError::Syntax(error.info().to_owned()).at(self.span_in_source(Range::empty(*error.marker())))
        })?;
        Ok(next.map(|(event, range)| (event, self.span_in_source(range))))
    }

    fn span_in_source(&self, range: Range) -> Span {
        let at = |marker: Marker| {
            let at = match &self.character_offsets {
                None => marker.index(),
                Some(starts) => starts.get(marker.index()).or(starts.last()).copied().unwrap_or(0),
            };
            self.repaired.map_or(at, |repaired| repaired.original_offset(at))
        };
        Span::new(at(range.start), at(range.end))
    }

    fn read_node(&mut self, event: Event<'s>, span: Span, depth: usize, is_key: bool) -> Result<ParsedNode> {
        let parts_before = self.read_node_count;
        self.read_node_count += 1;
        let (anchor, value, place) = match event {
            Event::Alias(anchor) => {
                let Some(node) = self.anchors.get(&anchor).cloned() else {
                    return Err(DataError::Syntax("this alias is inside its own anchor".to_owned()).at(span));
                };
                self.read_node_count = parts_before + node.node_count;
                (0, node.value, node.location)
            }
            Event::SequenceStart(anchor, ref tag) | Event::MappingStart(anchor, ref tag) => {
                let is_unsupported = |tag: &&Cow<'_, Tag>| tag.handle.starts_with('!') && tag.suffix.contains('/');
                if depth >= MAX_NESTING_LEVELS {
                    return Err(DataError::TooDeep.at(span));
                } else if let Some(tag) = tag.as_ref().filter(is_unsupported) {
                    return Err(DataError::Tag(tag.to_string()).at(span));
                }
                let is_sequence = matches!(event, Event::SequenceStart(..));
                let read = if is_sequence { Self::read_sequence } else { Self::read_mapping };
                let (value, place) = stack::with_room(|| read(self, span, depth + 1))?;
                (anchor, value, place)
            }
            Event::Scalar(text, style, anchor, tag) => {
                // If the source ends without a line break, the parser adds one to a block scalar there.
                let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                let is_last = span.end as usize >= self.text.len() && !self.text.ends_with('\n');
                let text = text.strip_suffix('\n').filter(|_| is_block && is_last).unwrap_or(&text);
                let value = parse_scalar(text, style, tag, is_key).map_err(|fault| fault.at(span))?;
                let span = match style {
                    // A missing value comes as an empty scalar.
                    ScalarStyle::Plain if text.is_empty() => Span { end: span.start, ..span },
                    ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => span_of_quoted_string(self.text, span),
                    _ => span,
                };
                (anchor, value, LocationTree::leaf_location(span))
            }
            // The parser ends a container before anything else ends.
            _ => (0, Value::Undef, LocationTree::leaf_location(span)),
        };
        if self.read_node_count > MAX_DOCUMENT_NODES {
            return Err(DataError::TooManyNodes.at(span));
        }
        let node = ParsedNode { value, location: place, node_count: self.read_node_count - parts_before };
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    /// Reads the next node of an array or hash; at its end, returns the span of the end as the inner `Err`.
    fn read_child_node(&mut self, depth: usize, is_key: bool) -> Result<Result<ParsedNode, Span>> {
        match self.next_event()? {
            Some((Event::SequenceEnd | Event::MappingEnd, span)) => Ok(Err(span)),
            Some((event, span)) => self.read_node(event, span, depth, is_key).map(Ok),
            None => Ok(Err(Span::default())),
        }
    }

    fn read_sequence(&mut self, start: Span, depth: usize) -> Result<(Value, LocationTree)> {
        let (mut values, mut places) = (Vec::new(), Vec::new());
        let end = loop {
            match self.read_child_node(depth, false)? {
                Ok(node) => {
                    values.push(node.value);
                    places.push(node.location);
                }
                Err(end) => break end,
            }
        };
        let parts_end = places.last().map(|place: &LocationTree| place.span.end);
        let span = span_of_collection(self.text, start.union(end), parts_end);
        Ok((Value::from(values), LocationTree::with_parts(span, places, Vec::new())))
    }

    #[expect(clippy::mutable_key_type, reason = "what a Regexp keeps to match faster is not part of its equality")]
    fn read_mapping(&mut self, start: Span, depth: usize) -> Result<(Value, LocationTree)> {
        let (mut entries, mut places) = (Vec::new(), Vec::new());
        // The location of each key, without the keys of merged hashes.
        let mut given: FxHashMap<Value, Span> = FxHashMap::default();
        let end = loop {
            let ParsedNode { value: key, location: LocationTree { span: key_span, .. }, .. } =
                match self.read_child_node(depth, true)? {
                    Ok(key) => key,
                    Err(end) => break end,
                };
            let Ok(node) = self.read_child_node(depth, false)? else { break key_span };
            if key.as_str() == Some("<<") && add_merged_entries(&mut entries, &mut places, &node) {
                continue;
            }
            if let Some(first) = given.get(&key) {
                let twice = Error::from(DataError::DuplicateKey(crate::format::program_text(&key)));
                self.warnings.push(twice.at(key_span).with_label(*first, "first given here"));
            } else {
                given.insert(key.clone(), key_span);
            }
            places.push(Entry { key: key.clone(), key_span, value_location: node.location });
            entries.push((key, node.value));
        };
        let parts_end = places.last().map(|entry| entry.value_location.span.end.max(entry.key_span.end));
        let span = span_of_collection(self.text, start.union(end), parts_end);
        Ok((Value::Hash(entries.into()), LocationTree::with_parts(span, Vec::new(), places)))
    }
}

/// Adds the entries of the hash or array of hashes under `<<`, in Ruby's order; returns false for any other value.
fn add_merged_entries(entries: &mut Vec<(Value, Value)>, places: &mut Vec<Entry>, source: &ParsedNode) -> bool {
    let sources = match &source.value {
        Value::Array(elements) => elements.iter().zip(source.location.elements()).rev().collect(),
        value => vec![(value, &source.location)],
    };
    let Some(hashes) = sources.iter().map(|(value, _)| value.as_hash()).collect::<Option<Vec<_>>>() else {
        return false;
    };
    for (hash, (_, place)) in hashes.into_iter().zip(&sources) {
        entries.extend(hash.iter().map(|(key, value)| (key.clone(), value.clone())));
        places.extend_from_slice(place.entries());
    }
    true
}

fn parse_scalar(text: &str, style: ScalarStyle, tag: Option<Cow<'_, Tag>>, is_key: bool) -> Result<Value, DataError> {
    let resolved = |text: &str| match scalar::parse_plain_scalar(text) {
        Err(DataError::Symbol(name)) if is_key => Ok(Value::from(name)),
        resolved => resolved,
    };
    let Some(tag) = tag else {
        return if style == ScalarStyle::Plain { resolved(text) } else { Ok(Value::from(text)) };
    };
    // `!!int` and `!<tag:yaml.org,2002:int>`
    match (tag.suffix.rsplit(':').next().unwrap_or_default(), resolved(text)) {
        ("int" | "bool" | "null" | "timestamp" | "!", value) => value,
        ("float", Ok(Value::Integer(number))) => Ok(Value::Float(number as f64)),
        ("float", Ok(Value::Float(number))) => Ok(Value::Float(number)),
        ("float", _) => Err(DataError::InvalidForTag(tag.to_string())),
        ("binary", _) => {
            let bytes = Binary::decode(text, Encoding::Relaxed).ok();
            let text = bytes.and_then(|binary| String::from_utf8(binary.bytes().to_vec()).ok());
            text.map(Value::from).ok_or_else(|| DataError::InvalidForTag(tag.to_string()))
        }
        (suffix, _) if suffix.contains('/') && suffix != "ruby/string" => Err(DataError::Tag(tag.to_string())),
        _ => Ok(Value::from(text)),
    }
}

/// Returns the span of a quoted string, without a comment after it, which the parser includes in `span`.
fn span_of_quoted_string(text: &str, span: Span) -> Span {
    let (start, bytes) = (span.start as usize, text.as_bytes());
    let quote = bytes.get(start).copied().unwrap_or_default();
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        at += match byte {
            b'\\' if quote == b'"' => 2,
            b'\'' if quote == b'\'' && bytes.get(at + 1) == Some(&b'\'') => 2,
            _ if byte == quote => return Span::new(start, at + 1),
            _ => 1,
        };
    }
    span
}

/// Returns the span of an array or hash, without a comment after its closing bracket, which `span` may include.
fn span_of_collection(text: &str, span: Span, parts_end: Option<u32>) -> Span {
    let bytes = text.as_bytes();
    let mut at = parts_end.unwrap_or(span.start + 1) as usize;
    // An alias is located where its anchor is.
    if at <= span.start as usize || !matches!(bytes.get(span.start as usize), Some(b'[' | b'{')) {
        return span;
    }
    while let Some(&byte) = bytes.get(at).filter(|_| at < span.end as usize) {
        match byte {
            b']' | b'}' => return Span::new(span.start as usize, at + 1),
            b'#' => at += bytes.iter().skip(at).take_while(|byte| **byte != b'\n').count(),
            _ => at += 1,
        }
    }
    span
}
