//! Our decisions where the sources are silent or disagree, read from `docs/RULINGS.md`.

/// One decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ruling {
    pub title: String,
    /// Ids of the rules it stands beside.
    pub rules: Vec<String>,
    pub readings: String,
    pub ours: String,
    /// The option that players may set, or why there is none.
    pub option: String,
    /// The scenario that holds us to it.
    pub scenario: String,
}

pub const TEXT: &str = include_str!("../../../docs/RULINGS.md");

/// The rulings of a game, in their order; an error names what is wrong with the page.
pub fn of(game: &str) -> Result<Vec<Ruling>, String> {
    parse(TEXT, game)
}

fn parse(text: &str, game: &str) -> Result<Vec<Ruling>, String> {
    let sections = text.split("\n## ").skip(1);
    let Some(section) = sections.into_iter().find(|section| section.lines().next().map(str::trim) == Some(game)) else {
        return Err(format!("the rulings have no section for {game}"));
    };
    section.split("\n### ").skip(1).map(ruling).collect()
}

fn ruling(entry: &str) -> Result<Ruling, String> {
    let title = entry.lines().next().unwrap_or("").trim().to_string();
    let line = |name: &str| {
        let found = entry.lines().find_map(|line| line.strip_prefix("- ")?.strip_prefix(name)?.strip_prefix(':'));
        found.map(|said| said.trim().to_string()).filter(|said| !said.is_empty()).ok_or_else(|| format!("\"{title}\" has no line {name}"))
    };
    let rules = line("Rules")?.split(',').map(|id| id.trim().trim_matches('`').to_string()).collect();
    let scenario = line("Scenario")?;
    let scenario = scenario.split('"').nth(1).ok_or_else(|| format!("\"{title}\" names no scenario in quotes"))?.to_string();
    Ok(Ruling { readings: line("Readings")?, ours: line("Ours")?, option: line("Option")?, title, rules, scenario })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_five_lines() {
        let page = "# R\n\n## a\n\n### Q\n- Rules: `a.b`, `a.c`\n- Readings: x\n- Ours: y\n- Option: none\n- Scenario: \"S\"\n\n## b\n";
        assert_eq!(parse(page, "a").unwrap_or_default()[0].rules, ["a.b", "a.c"]);
        assert_eq!(parse(page, "a").unwrap_or_default()[0].scenario, "S");
        assert!(parse(page, "b").unwrap_or_default().is_empty());
        assert!(parse(page, "c").is_err());
        assert!(parse(&page.replace("- Ours: y\n", ""), "a").is_err());
    }
}
