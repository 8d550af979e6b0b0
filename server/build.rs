//! Turns the browser client in `web/` into what the program carries: TypeScript and JSX become ES modules (oxc, so
//! that no Node is needed), style sheets become one, and every file is kept plain and compressed. Names carry a hash
//! of the whole, so that a browser may keep what it has for ever.

use flate2::Compression;
use flate2::write::GzEncoder;
use oxc::allocator::Allocator;
use oxc::ast::ast::{Program, Statement, Str, StringLiteral};
use oxc::codegen::{Codegen, CodegenOptions};
use oxc::diagnostics::OxcDiagnostic;
use oxc::parser::Parser;
use oxc::semantic::SemanticBuilder;
use oxc::span::SourceType;
use oxc::transformer::{JsxRuntime, TransformOptions, Transformer};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What the modules of others are called in imports, and where they lie.
const VENDOR: [(&str, &str); 5] = [
    ("preact", "vendor/preact/preact.mjs"),
    ("preact/hooks", "vendor/preact/hooks.mjs"),
    ("preact/jsx-runtime", "vendor/preact/jsx-runtime.mjs"),
    ("@preact/signals", "vendor/signals/signals.mjs"),
    ("@preact/signals-core", "vendor/signals/signals-core.mjs"),
];
/// In the order in which they apply.
const STYLES: [&str; 6] = ["base.css", "card.css", "table.css", "ccg.css", "lcg.css", "pages.css"];
const MAIN: &str = "src/main.js";

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../web");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    for watched in ["src", "vendor", "index.html", "icon.svg"].iter().chain(&STYLES) {
        println!("cargo::rerun-if-changed=../web/{watched}");
    }
    if let Err(error) = build(&root, &out) {
        for line in error.lines() {
            println!("cargo::error={line}");
        }
    }
}

fn build(root: &Path, out: &Path) -> Result<(), String> {
    let mut site = Site::default();
    for (_, path) in VENDOR {
        let code = module(&root.join(path), path, &mut site.imports)?;
        site.files.insert(path.into(), code);
    }
    let mut sources = Vec::new();
    walk(&root.join("src"), &mut sources)?;
    for source in sources {
        let path = source.strip_prefix(root).map_err(|error| error.to_string())?.with_extension("js");
        let path = path.to_string_lossy().replace('\\', "/");
        let code = module(&source, &path, &mut site.imports)?;
        site.files.insert(path, code);
    }
    let styles: Result<Vec<String>, String> = STYLES.iter().map(|name| read(&root.join(name))).collect();
    site.files.insert("style.css".into(), styles?.join("\n"));
    site.files.insert("icon.svg".into(), read(&root.join("icon.svg"))?);
    site.check()?;
    site.write(&read(&root.join("index.html"))?, out)
}

#[derive(Default)]
struct Site {
    /// By path below the folder of assets.
    files: BTreeMap<String, String>,
    /// What each module imports.
    imports: BTreeMap<String, BTreeSet<String>>,
}

impl Site {
    /// An import of something that is not there would show only in the browser.
    fn check(&self) -> Result<(), String> {
        for (path, imports) in &self.imports {
            for import in imports {
                if !self.files.contains_key(import) {
                    return Err(format!("web: {path} imports {import}, which does not exist"));
                }
            }
        }
        Ok(())
    }

    /// Modules that the page needs before it starts, so that the browser fetches them all at once.
    fn needed(&self) -> BTreeSet<&str> {
        let mut needed = BTreeSet::new();
        let mut next = vec![MAIN];
        while let Some(path) = next.pop() {
            if needed.insert(path) {
                next.extend(self.imports.get(path).into_iter().flatten().map(String::as_str));
            }
        }
        needed
    }

    fn write(&self, index: &str, out: &Path) -> Result<(), String> {
        let mut hash = blake3::Hasher::new();
        hash.update(index.as_bytes());
        for (path, text) in &self.files {
            hash.update(path.as_bytes()).update(text.as_bytes());
        }
        let version = hash.finalize().to_hex()[..12].to_string();
        let base = format!("/assets/{version}/");
        let preload: String = self.needed().iter().map(|path| format!("<link rel=\"modulepreload\" href=\"{base}{path}\">")).collect();
        let index = index.replace("{base}", &base).replace("{build}", &version).replace("{preload}", &preload);
        let folder = out.join("web");
        let mut table =
            format!("/// Hash of all files of the client.\npub const VERSION: &str = {version:?};\nstatic FILES: &[File] = &[\n");
        for (path, text) in self.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).chain([("index.html", index.as_str())]) {
            let plain = folder.join(path);
            let packed = folder.join(format!("{path}.gz"));
            std::fs::create_dir_all(plain.parent().unwrap_or(&folder)).map_err(|error| error.to_string())?;
            write(&plain, text.as_bytes())?;
            write(&packed, &gzip(text)?)?;
            table += &format!("    File {{ path: {path:?}, plain: include_bytes!({plain:?}), gzip: include_bytes!({packed:?}) }},\n");
        }
        table += "];\n";
        write(&out.join("assets.rs"), table.as_bytes())
    }
}

/// A source file as the module that browsers load; its imports are made paths that exist.
fn module(source: &Path, path: &str, imports: &mut BTreeMap<String, BTreeSet<String>>) -> Result<String, String> {
    let text = read(source)?;
    let kind = SourceType::from_path(source).map_err(|_| format!("{} is no module", source.display()))?;
    let report = |diagnostics: Vec<OxcDiagnostic>| match diagnostics.is_empty() {
        true => Ok(()),
        false => {
            let texts: Vec<String> = diagnostics.iter().map(|one| one.clone().with_source_code(text.clone()).to_string()).collect();
            Err(format!("{}: {}", source.display(), texts.join("; ")))
        }
    };
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, &text, kind).parse();
    report(parsed.diagnostics.into_iter().collect())?;
    let mut program = parsed.program;
    let scoping = SemanticBuilder::new().with_excess_capacity(2.0).build(&program).semantic.into_scoping();
    let mut options = TransformOptions::default();
    options.jsx.runtime = JsxRuntime::Automatic;
    options.jsx.import_source = Some("preact".into());
    options.jsx.pure = false;
    options.typescript.only_remove_type_imports = true;
    let done = Transformer::new(&allocator, source, &options).build_with_scoping(scoping, &mut program);
    report(done.diagnostics.into_iter().collect())?;
    imports.insert(path.into(), resolve(&mut program, path, &allocator)?);
    Ok(Codegen::new().with_options(CodegenOptions::minify()).build(&program).code)
}

/// Writes every import as a path relative to the module, and says which files these are.
fn resolve<'a>(program: &mut Program<'a>, path: &str, allocator: &'a Allocator) -> Result<BTreeSet<String>, String> {
    let depth = path.matches('/').count();
    let mut found = BTreeSet::new();
    for statement in &mut program.body {
        let source: Option<&mut StringLiteral<'a>> = match statement {
            Statement::ImportDeclaration(import) => Some(&mut import.source),
            Statement::ExportAllDeclaration(export) => Some(&mut export.source),
            Statement::ExportFromDeclaration(export) => Some(&mut export.source),
            _ => None,
        };
        let Some(source) = source else {
            continue;
        };
        let name = source.value.as_str();
        if name.starts_with('.') {
            found.insert(joined(path, name)?);
        } else {
            let (_, file) = VENDOR
                .iter()
                .find(|(known, _)| *known == name)
                .ok_or_else(|| format!("{path} imports {name}, which is not in web/vendor"))?;
            let relative = format!("{}{file}", if depth == 0 { "./".into() } else { "../".repeat(depth) });
            source.value = Str::from_str_in(&relative, &allocator);
            source.raw = None;
            found.insert((*file).into());
        }
    }
    Ok(found)
}

fn joined(path: &str, relative: &str) -> Result<String, String> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop().ok_or_else(|| format!("{path} imports {relative}, which lies outside"))?;
            }
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

fn walk(folder: &Path, into: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.to_string_lossy();
        if path.is_dir() {
            walk(&path, into)?;
        } else if (name.ends_with(".ts") || name.ends_with(".tsx")) && !name.ends_with(".d.ts") {
            into.push(path);
        }
    }
    Ok(())
}

fn gzip(text: &str) -> Result<Vec<u8>, String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).map_err(|error| error.to_string())
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}
