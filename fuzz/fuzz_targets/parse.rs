//! Any text as a source: it is parsed and formatted, and a second formatting changes nothing that parses.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trilogy_saga::{SourceFile, fmt, parser, report};

fuzz_target!(|text: &str| {
    let (_, problems) = parser::parse(0, text);
    let file = SourceFile { name: "fuzz".into(), text: text.into() };
    let _ = report(&[file], &problems, false);
    if let Ok(pretty) = fmt::format(text)
        && problems.is_empty()
    {
        assert_eq!(fmt::format(&pretty).as_deref(), Ok(pretty.as_str()));
        let (_, problems) = parser::parse(0, &pretty);
        assert!(problems.is_empty(), "formatting broke it: {problems:?}");
    }
});
