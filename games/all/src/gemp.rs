//! Deck lists of GEMP, the program that the Customizable Card Game's community plays with: XML with an element for each card,
//! `<card blueprintId="1_11" title="..."/>`, where the id is the number of the set and of the card in it.

use crate::sets::Set;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, Event};
use quick_xml::{Reader, Writer, XmlVersion};
use trilogy_engine::Catalogue;
use trilogy_engine::catalogue::CardDef;
use trilogy_engine::deck::Deck;

const DECK: &str = "deck";
const CARD: &str = "card";
const OUTSIDE: &str = "cardOutsideDeck";
const ID: &str = "blueprintId";
const TITLE: &str = "title";
const NAME: &str = "name";

/// Whether a list is XML rather than lines with titles.
pub fn is_gemp(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('<')
}

/// Read a list. Every card that is not known here is named; XML that is not well-formed is refused.
pub fn read(catalogue: &Catalogue, sets: &[Set], text: &str) -> Result<Deck, Vec<String>> {
    let mut reader = Reader::from_str(text);
    let mut deck = Deck::default();
    let mut faults = Vec::new();
    // Names of the elements around the present place.
    let mut around: Vec<String> = Vec::new();
    let mut closed = false;
    loop {
        let event = reader.read_event();
        let place = match &event {
            Ok(_) => reader.buffer_position(),
            Err(_) => reader.error_position(),
        };
        let line = text.get(..place as usize).unwrap_or(text).lines().count().max(1);
        let at = |why: String| format!("line {line}: {why}");
        match event.map_err(|error| vec![at(error.to_string())])? {
            Event::Start(element) => {
                start(catalogue, sets, &mut deck, &around, closed, &element).unwrap_or_else(|why| faults.push(at(why)));
                around.push(name_of(&element));
            }
            Event::Empty(element) => {
                start(catalogue, sets, &mut deck, &around, closed, &element).unwrap_or_else(|why| faults.push(at(why)));
                closed |= around.is_empty();
            }
            Event::End(_) => {
                around.pop();
                closed |= around.is_empty();
            }
            Event::Text(text) if text.as_ref().trim().is_empty() => {}
            Event::Decl(_) | Event::Comment(_) => {}
            Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => faults.push(at("text between the cards".into())),
            Event::DocType(_) | Event::PI(_) => faults.push(at("only elements belong into a deck".into())),
            Event::Eof if closed => break,
            Event::Eof => return Err(vec![at(around.last().map_or("the list is empty".into(), |name| format!("<{name}> does not end")))]),
        }
    }
    if deck.cards.is_empty() && faults.is_empty() {
        faults.push("the list is empty".into());
    }
    if faults.is_empty() { Ok(deck) } else { Err(faults) }
}

/// The list as GEMP takes it. Every card of a set that GEMP does not have is named.
pub fn write(catalogue: &Catalogue, sets: &[Set], deck: &Deck) -> Result<String, Vec<String>> {
    let mut faults = Vec::new();
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    let mut root = BytesStart::new(DECK);
    if !deck.name.is_empty() {
        root.push_attribute((NAME, deck.name.as_str()));
    }
    let mut events = vec![Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)), Event::Start(root)];
    for (element, cards) in [(CARD, &deck.cards), (OUTSIDE, &deck.outside)] {
        for key in cards {
            match id(catalogue, sets, key) {
                Ok((id, title)) => {
                    let card = BytesStart::new(element).with_attributes([(ID, id.as_str()), (TITLE, title)]);
                    events.push(Event::Empty(card.into_owned()));
                }
                Err(why) if faults.contains(&why) => {}
                Err(why) => faults.push(why),
            }
        }
    }
    events.push(Event::End(BytesEnd::new(DECK)));
    if !faults.is_empty() {
        return Err(faults);
    }
    events.into_iter().try_for_each(|event| writer.write_event(event)).map_err(|error| vec![error.to_string()])?;
    String::from_utf8(writer.into_inner()).map(|text| text + "\n").map_err(|error| vec![error.to_string()])
}

fn name_of(element: &BytesStart<'_>) -> String {
    element.name().as_ref().to_string()
}

/// What the start of an element adds to a deck.
fn start(
    catalogue: &Catalogue,
    sets: &[Set],
    deck: &mut Deck,
    around: &[String],
    closed: bool,
    element: &BytesStart<'_>,
) -> Result<(), String> {
    let name = name_of(element);
    match (around, name.as_str()) {
        ([], DECK) if !closed => {
            deck.name = attribute(element, NAME)?.unwrap_or_default();
            Ok(())
        }
        ([root], CARD | OUTSIDE) if root == DECK => {
            let id = attribute(element, ID)?.ok_or_else(|| format!("<{name}> without {ID}"))?;
            let card = card(catalogue, sets, &id).ok_or_else(|| {
                let title = attribute(element, TITLE).ok().flatten().map_or(String::new(), |title| format!(" (\"{title}\")"));
                format!("{id}{title} is no card here")
            })?;
            let cards = if name == CARD { &mut deck.cards } else { &mut deck.outside };
            cards.push(card.key.clone());
            Ok(())
        }
        _ => Err(format!("<{name}> does not belong there")),
    }
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, String> {
    let mut found = None;
    for attribute in element.attributes() {
        // Those behind the one that is wanted are read, too: they may be wrong.
        let attribute = attribute.map_err(|error| error.to_string())?;
        if attribute.key.as_ref() == name {
            found = Some(attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|error| error.to_string())?.into_owned());
        }
    }
    Ok(found)
}

/// The card with an id such as `1_11`; marks behind it (`*`, `^`) are for foils and other pictures.
fn card<'a>(catalogue: &'a Catalogue, sets: &[Set], id: &str) -> Option<&'a CardDef> {
    let (set, number) = id.trim().trim_end_matches(['*', '^']).split_once('_')?;
    let (set, number): (u16, u16) = (set.parse().ok()?, number.parse().ok()?);
    let set = sets.iter().find(|one| one.gemp == Some(set))?;
    catalogue.cards.iter().find(|card| card.is_number(&set.code, number))
}

/// The id of a card, and its title.
fn id<'a>(catalogue: &'a Catalogue, sets: &[Set], key: &str) -> Result<(String, &'a str), String> {
    let card = catalogue.card(key).map(|def| catalogue.def(def)).ok_or_else(|| format!("no card is called \"{key}\""))?;
    let number = sets.iter().find(|set| set.code == card.set).and_then(|set| set.gemp);
    let number = number.ok_or_else(|| format!("{key}: GEMP does not have its set, {}", card.set))?;
    Ok((format!("{number}_{}", card.number), &card.title))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets;
    use trilogy_engine::catalogue::Contents;

    fn catalogue() -> Catalogue {
        let card = |key: &str, title: &str, set: &str, number: u16| CardDef {
            key: key.into(),
            title: title.into(),
            set: set.into(),
            number,
            ..CardDef::default()
        };
        let cards = vec![
            card("Jawa (Dark)", "Jawa", "P", 182),
            card("Jawa (Light)", "Jawa", "P", 12),
            card("R2 & \"D2\" <x>", "R2 & \"D2\" <x>", "P", 7),
            card("Vader", "Vader", "P2P", 5),
            card("Lost", "Lost", "OTHER", 1),
        ];
        Catalogue::from(Contents { cards, ..Contents::default() })
    }

    fn sets() -> Vec<Set> {
        sets::parse("P 324 1 Premiere\nP2P 6 101 Premiere Two-Player\nOTHER 1 - Not in GEMP").unwrap_or_default()
    }

    fn told(text: &str) -> Vec<String> {
        read(&catalogue(), &sets(), text).err().unwrap_or_default()
    }

    #[test]
    fn a_list_that_was_written_reads_the_same() {
        let keys = |keys: &[&str]| keys.iter().map(|key| key.to_string()).collect::<Vec<_>>();
        let deck = Deck {
            name: "Mine & <yours>".into(),
            cards: keys(&["Jawa (Dark)", "Jawa (Dark)", "R2 & \"D2\" <x>", "Jawa (Light)"]),
            outside: keys(&["Vader"]),
        };
        let text = write(&catalogue(), &sets(), &deck).unwrap_or_default();
        assert!(text.contains("<card blueprintId=\"1_182\" title=\"Jawa\"/>"), "{text}");
        assert!(is_gemp(&text));
        assert_eq!(read(&catalogue(), &sets(), &text), Ok(deck));
    }

    #[test]
    fn lists_of_others_are_read() {
        let text = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<deck><card blueprintId=\"1_182*\" title=\"•Jawa\"/>\
                    <card blueprintId=\"101_5\" testingText=\"a &amp; b\"></card><!-- shields --><cardOutsideDeck blueprintId=\"1_12\"/></deck>\n";
        let deck = read(&catalogue(), &sets(), text).unwrap_or_default();
        assert_eq!((deck.cards, deck.outside), (vec!["Jawa (Dark)".into(), "Vader".into()], vec!["Jawa (Light)".into()]));
    }

    #[test]
    fn what_is_not_well_formed_is_refused_with_its_line() {
        for (text, line) in [
            ("<deck>\n<card blueprintId=\"1_182\"/>", "line 2: <deck> does not end"),
            ("<deck>\n<card blueprintId=\"1_182\"></deck>", "line 2"),
            ("<deck>\n<card blueprintId=1_182/></deck>", "line 2"),
            ("<deck><card blueprintId=\"1_182\" blueprintId=\"1_12\"/></deck>", "line 1"),
            ("<deck>\n\n<card blueprintId=\"&evil;\"/></deck>", "line 3"),
            ("<deck", "line 1"),
            ("<", "line 1"),
        ] {
            assert!(told(text).first().is_some_and(|why| why.starts_with(line)), "{text}: {:?}", told(text));
        }
    }

    #[test]
    fn what_does_not_belong_there_is_told() {
        let jawa = "<card blueprintId=\"1_182\"/>";
        for (text, why) in [
            (format!("<deck>{jawa}<card title=\"x\"/></deck>"), "<card> without blueprintId"),
            (format!("<deck>{jawa}<card blueprintId=\"9_1\" title=\"Far\"/></deck>"), "9_1 (\"Far\") is no card here"),
            (format!("<deck>{jawa}<card blueprintId=\"1_999999\"/></deck>"), "1_999999 is no card here"),
            (format!("<deck>{jawa}<card blueprintId=\"Jawa\"/></deck>"), "Jawa is no card here"),
            (format!("<deck>{jawa}<sideboard/></deck>"), "<sideboard> does not belong there"),
            (format!("<deck>{jawa}</deck><deck>{jawa}</deck>"), "<deck> does not belong there"),
            (format!("<decks>{jawa}</decks>"), "<decks> does not belong there"),
            (format!("<deck>{jawa} and more</deck>"), "text between the cards"),
            (format!("<!DOCTYPE deck [<!ENTITY a \"b\">]><deck>{jawa}</deck>"), "only elements"),
            ("<deck/>".to_string(), "the list is empty"),
        ] {
            assert!(told(&text).first().is_some_and(|told| told.contains(why)), "{text}: {:?}", told(&text));
        }
    }

    #[test]
    fn a_set_that_gemp_does_not_have_cannot_be_written() {
        let deck = Deck { cards: vec!["Lost".into(), "Jawa (Dark)".into(), "Lost".into()], ..Deck::default() };
        assert_eq!(write(&catalogue(), &sets(), &deck), Err(vec!["Lost: GEMP does not have its set, OTHER".into()]));
    }
}
