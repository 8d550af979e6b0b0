//! The file of printed cards, one JSON object a line, and which of our cards each of them is.

use serde_json::Value;
use trilogy_engine::Catalogue;
use trilogy_engine::catalogue::CardDef;
use trilogy_games::sets::Set;

/// A printed card.
pub(super) struct Printed {
    pub(super) id: String,
    pub(super) title: String,
    /// The letter of a title that has several versions.
    version: Option<String>,
    side: String,
    /// Its set as the file names it: by our code, by GEMP's number or by name.
    set: [String; 2],
    pub(super) number: Option<u16>,
    pub(super) text: String,
    fields: Value,
}

pub(super) struct Table(Vec<Printed>);

impl Table {
    /// An error begins with the line.
    pub(super) fn read(text: &str) -> Result<Table, String> {
        let card = |(at, line): (usize, &str)| {
            let fields = serde_json::from_str(line).map_err(|error| format!("{}: {error}", at + 1))?;
            Ok(Printed::new(fields))
        };
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines.map(card).collect::<Result<_, String>>().map(Table)
    }

    /// Those with a number first.
    pub(super) fn cards(&self) -> impl Iterator<Item = &Printed> {
        let numbered = self.0.iter().filter(|card| card.number.is_some());
        numbered.chain(self.0.iter().filter(|card| card.number.is_none()))
    }
}

impl Printed {
    fn new(fields: Value) -> Printed {
        let text = |field: &str| fields[field].as_str().unwrap_or("").to_string();
        // A location speaks to each player, and some cards have two faces.
        let parts: Vec<&str> =
            ["text_dark", "text_light", "text_front", "text_back"].iter().filter_map(|field| fields[field].as_str()).collect();
        // GEMP's id tells the set of cards that the file lists apart from it.
        let in_gemp = fields["gemp_id"].as_str().and_then(|id| id.split_once('_'));
        Printed {
            id: text("id"),
            title: text("title"),
            version: fields["version"].as_str().map(String::from),
            side: text("side"),
            set: [in_gemp.map_or_else(|| text("set"), |(set, _)| set.into()), text("set_name")],
            number: in_gemp.and_then(|(_, number)| number.parse().ok()).or_else(|| fields["number"].as_u64()?.try_into().ok()),
            text: if parts.is_empty() { text("text") } else { parts.join(" ") },
            fields,
        }
    }

    /// The title, with the version where there is one.
    pub(super) fn name(&self) -> String {
        self.version.as_ref().map_or_else(|| self.title.clone(), |version| format!("{} ({version})", self.title))
    }

    /// A field by its path, such as `stats.power`.
    pub(super) fn field(&self, path: &str) -> &Value {
        path.split('.').fold(&self.fields, |value, name| &value[name])
    }

    /// The texts of a field: one, or each of a list; of an object in a list the first text; of what is so, the name of the field.
    pub(super) fn texts<'a>(&'a self, path: &'a str) -> Vec<&'a str> {
        match self.field(path) {
            Value::String(text) => vec![text],
            Value::Bool(true) => vec![path],
            Value::Array(all) => {
                all.iter().filter_map(|one| one.as_str().or_else(|| one.as_object()?.values().find_map(Value::as_str))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// All that is written on it, letters and digits alone.
    pub(super) fn everything(&self) -> String {
        let said = |path: &str| self.texts(path).iter().map(|text| plain(text)).collect::<String>();
        plain(&self.text) + &["title", "lore", "model", "extra_text"].map(said).concat()
    }

    pub(super) fn set<'a>(&self, sets: &[&'a Set]) -> Option<&'a Set> {
        let [named, name] = &self.set;
        let by_number = |set: &&&Set| set.gemp.is_some_and(|number| number.to_string() == *named);
        let by_name = |set: &&&Set| set.name == *name;
        let set = sets.iter().find(|set| set.code == *named).or_else(|| sets.iter().find(by_number)).or_else(|| sets.iter().find(by_name));
        set.copied().filter(|set| self.number.is_none_or(|number| set.holds(number)))
    }

    /// Our card: the one with its number, if the titles agree, or else the one with its title, version and side.
    pub(super) fn find<'a>(&self, catalogue: &'a Catalogue, set: &Set) -> Result<&'a CardDef, String> {
        let of_set =
            || catalogue.cards.iter().filter(|card| card.set == set.code || card.reprints.iter().any(|(code, _)| *code == set.code));
        let same_title = |card: &&CardDef| plain(&card.title) == plain(&self.title);
        let numbered = self.number.and_then(|number| of_set().find(|card| card.is_number(&set.code, number)));
        if let Some(card) = numbered.filter(same_title) {
            return Ok(card);
        }
        let same_version = |card: &&CardDef| self.version.is_none() || plain(&card.key) == plain(&self.name());
        let same_side = |card: &&CardDef| card.words.iter().any(|word| catalogue.word(*word).eq_ignore_ascii_case(&self.side));
        let named = of_set().filter(same_title).filter(same_version).find(same_side);
        named.ok_or_else(|| match (numbered, self.number) {
            (Some(other), Some(number)) => format!("{} {number} is {}", set.code, other.key),
            _ => "no such card".to_string(),
        })
    }
}

/// Letters and digits alone, in small letters.
pub(super) fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
