//! Files of modules: `binary_file`, `find_file`, `module_directory`; and `generate`, which is not supported.
//!
//! A relative path starts with the name of a module and continues in its directory `files`.

use std::path::{Path, PathBuf};

use super::Runtime;
use crate::error::{Error, Result};
use crate::value::{Binary, Value};
use crate::{files, interrupt};

const PATHS_SIGNATURES: &[&str] = &["(String *$paths)", "(Array[String] $paths)"];

functions! {
    /// reads a file as a Binary, also from a module: binary_file('module/name')
    "binary_file" ["(String $path) >> Binary"] {
        "binary_file('web/greeting')" => "Binary(\"SGVsbG8K\")",
        "binary_file('nowhere/name')" => "error RUNTIME_ERROR",
    } => |call| {
        let Value::String(path) = call.argument(0)? else { return Ok(Value::Undef) };
        let file = find_module_file(call.runtime, "files", path)?.ok_or_else(|| file_not_found_error(path))?;
        Ok(Value::Binary(Binary::from(files::read_file_bytes(&file, &format!("'{path}'"))?)))
    };
    /// returns the full path of the first file that exists, or undef: find_file('module/name')
    "find_file" PATHS_SIGNATURES {
        "find_file('web/nowhere', 'web/greeting')[-19, 19]" => "'/web/files/greeting'",
        "find_file('nowhere/name')" => "undef",
        "find_file(1)" => "error RUNTIME_ERROR",
    } => |call| Ok(find_first_path(call.arguments, |path| find_module_file(call.runtime, "files", path).ok().flatten()));
    /// not supported: pcore never runs other programs
    "generate" ["(String $command, Any *$arguments)"] {
        "generate('/bin/date')" => "error RUNTIME_ERROR",
    } => |_| {
        let error = Error::runtime("generate() is not supported: pcore never runs other programs");
        Err(error.with_help("pass the output as a value").into())
    };
    /// returns the full path of the first module that exists, or undef
    "module_directory" PATHS_SIGNATURES {
        "module_directory('nowhere', 'web')[-4, 4]" => "'/web'",
        "module_directory('nowhere')" => "undef",
        "module_directory(1)" => "error RUNTIME_ERROR",
    } => |call| Ok(find_first_path(call.arguments, |module| call.runtime.module_directory(module)));
}

fn find_first_path(arguments: &[Value], find: impl Fn(&str) -> Option<PathBuf>) -> Value {
    let names: &[Value] = match arguments {
        [Value::Array(names)] => names,
        names => names,
    };
    // Each name becomes a part of several paths.
    let mut names = names.iter().filter_map(Value::as_str).inspect(|name| interrupt::take_steps_for_bytes(name.len()));
    let found = names.find_map(find);
    found.map_or(Value::Undef, |path| path.to_string_lossy().as_ref().into())
}

/// Returns the path of a file given as `/full/path`, or as `module/name` in the module's `directory`, if it exists.
pub(super) fn find_module_file(runtime: &dyn Runtime, directory: &str, path: &str) -> Result<Option<PathBuf>> {
    let full = if Path::new(path).is_absolute() {
        PathBuf::from(path)
    } else {
        let Some((module, name)) = path.split_once('/') else { return Ok(None) };
        let Some(module) = runtime.module_directory(module) else { return Ok(None) };
        module.join(directory).join(name)
    };
    runtime.find_file(&full)
}

pub(super) fn file_not_found_error(path: &str) -> Error {
    Error::runtime(format!("file not found: '{path}'"))
        .with_help("give a full path, or one relative to a module on the module path: 'module/name'")
}
