//! The description of the REST interface: one list of what there is, told as OpenAPI and as a page for people.

use crate::protocol::*;
use serde_json::{Map, Value, json};
use std::fmt::Write;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// One thing that can be asked of the server.
pub struct Endpoint {
    pub method: &'static str,
    pub path: &'static str,
    pub who: Who,
    pub does: &'static str,
    /// The JSON that is sent, in the notation of [`shape`].
    pub takes: &'static str,
    /// The JSON that comes back.
    pub gives: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    Anyone,
    /// A guest or an account.
    User,
    Admin,
}

const fn on(method: &'static str, path: &'static str, who: Who, does: &'static str, takes: &'static str, gives: &'static str) -> Endpoint {
    Endpoint { method, path, who, does, takes, gives }
}

use Who::{Admin, Anyone, User};

#[rustfmt::skip]
pub const ENDPOINTS: &[Endpoint] = &[
    on("get", "/api/me", Anyone, "Who the session belongs to; null without one.", "", "Me?"),
    on("post", "/api/guest", Anyone, "Take a name without an account. A guest who does so again is renamed.", "{name}", "Me"),
    on("post", "/api/register", Anyone, "Make an account; a guest keeps what they have.", "{name,password}", "Me"),
    on("post", "/api/login", Anyone, "Sign in. Every sign-in begins a new session.", "{name,password}", "Me"),
    on("post", "/api/logout", Anyone, "End the session.", "", ""),
    on("post", "/api/enter", Anyone, "Go on with the session of another server on this database, by the ticket of a `moved`.", "{ticket}", "Me"),
    on("post", "/api/rename", User, "Take another name.", "{name}", "Me"),
    on("post", "/api/password", User, "Change the password; other devices are signed out.", "{old,new}", "Me"),
    on("delete", "/api/me", User, "Delete the account or guest with decks and sessions. Matches in play are resigned; finished ones stay without the name.", "", ""),
    on("get", "/api/games", Anyone, "The games of this server.", "", "[GameInfo]"),
    on("get", "/api/message", Anyone, "The message of the day.", "", "{text}"),
    on("get", "/api/cards/{game}", Anyone, "Every card of a game; with `?catalogue=HASH` as a match of that catalogue is played with.", "", "[CardInfo]"),
    on("get", "/api/rules/{game}", Anyone, "Every rule of a game, in the order of the rulebook.", "", "[RuleInfo]"),
    on("get", "/api/vocabulary/{game}", Anyone, "What cards of a game can be written with, by sort and name.", "", "[VocabularyInfo]"),
    on("get", "/api/decks/{game}", Anyone, "Starter decks and one's own.", "", "[DeckInfo]"),
    on("post", "/api/decks/{game}", User, "Keep a deck; it need not be legal yet.", "{name,list}", "DeckInfo"),
    on("post", "/api/decks/{game}/check", Anyone, "Check a list, sent as plain text or as JSON.", "{list}", "DeckReport"),
    on("post", "/api/decks/{game}/import", User, "Keep a list, sent as text: a plain one, whose line `name:` is the name, or XML from GEMP.", "text", "DeckInfo"),
    on("get", "/api/decks/{game}/{id}", Anyone, "A starter deck or one's own.", "", "DeckInfo"),
    on("put", "/api/decks/{game}/{id}", User, "Replace a deck.", "{name,list}", "DeckInfo"),
    on("delete", "/api/decks/{game}/{id}", User, "Delete a deck.", "", ""),
    on("get", "/api/decks/{game}/{id}/list", Anyone, "The list as a file; with `?as=gemp` as XML for GEMP, where that has the sets.", "", "text"),
    on("get", "/api/bots", Anyone, "Names of the bots.", "", "[string]"),
    on("get", "/api/tables", Anyone, "Open tables and those in play.", "", "[TableInfo]"),
    on("post", "/api/tables", User, "Open a table.", "NewTable", "TableInfo"),
    on("get", "/api/tables/{id}", Anyone, "One table.", "", "TableInfo"),
    on("get", "/api/tables/{id}/view", Anyone, "The table as one sees it now.", "", "Table"),
    on("post", "/api/tables/{id}/join", User, "Take the free seat.", "{deck}", "TableInfo"),
    on("get", "/api/replays/{id}", Anyone, "A finished match, or one's own.", "", "Replay"),
    on("get", "/api/replays/{id}/at/{answer}", Anyone, "The table after so many answers.", "", "Table"),
    on("get", "/api/replays/{id}/journal", Anyone, "The journal as a file, for `trilogy replay`.", "", "text"),
    on("post", "/api/replays/{id}/fork", User, "Play on from an answer against a bot.", "{answers:integer,seat:integer,bot}", "TableInfo"),
    on("get", "/api/history", User, "One's own matches and how they went.", "", "History"),
    on("get", "/api/blocks", User, "Names of those one does not want to hear from.", "", "[string]"),
    on("post", "/api/blocks", User, "Do not hear from somebody any more.", "{name}", ""),
    on("delete", "/api/blocks/{name}", User, "Hear from somebody again.", "", ""),
    on("post", "/api/admin/claim", User, "Become admin by the token that the first start printed.", "{token}", ""),
    on("get", "/api/admin/matches", Admin, "Every match that is open or in play.", "", "[TableInfo]"),
    on("post", "/api/admin/close", Admin, "End a match without a winner.", "{id}", ""),
    on("get", "/api/admin/users", Admin, "Users whose name holds the query's `find`.", "", "[AdminUser]"),
    on("get", "/api/admin/troubles", Admin, "What is wrong: matches that cannot be read, rules that cannot be loaded; the servers on this storage.", "", "Troubles"),
    on("post", "/api/admin/ban", Admin, "Shut out a user by name, or an address.", "{name,reason}", ""),
    on("post", "/api/admin/unban", Admin, "Let them in again.", "{name}", ""),
    on("post", "/api/admin/message", Admin, "Set the message of the day.", "{text}", "{text}"),
];

const ABOUT: &str = "A session is the cookie `trilogy_session`. Whatever changes something must carry the `csrf` of /api/me in the header \
                     `x-csrf`. Every failure is a Problem. Matches are played over the socket at /ws, see docs/PROTOCOL.md.";

/// The schema of a shape: `Name`, `[Name]`, `Name?`, `{field,field:integer}` (strings unless said otherwise), `string`.
fn shape(text: &str) -> Value {
    if let Some(name) = text.strip_suffix('?') {
        return json!({"oneOf": [shape(name), {"type": "null"}]});
    }
    if let Some(item) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return json!({"type": "array", "items": shape(item)});
    }
    if let Some(fields) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let fields: Vec<(&str, &str)> = fields.split(',').map(|field| field.split_once(':').unwrap_or((field, "string"))).collect();
        let properties: Map<String, Value> = fields.iter().map(|(name, kind)| (name.to_string(), json!({"type": kind}))).collect();
        let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
        return json!({"type": "object", "properties": properties, "required": names});
    }
    match text {
        "" => json!({"type": "null"}),
        "string" => json!({"type": "string"}),
        name => json!({"$ref": format!("#/components/schemas/{name}")}),
    }
}

fn content(text: &str) -> Value {
    match text {
        "text" => json!({"text/plain": {"schema": {"type": "string"}}}),
        other => json!({"application/json": {"schema": shape(other)}}),
    }
}

/// The types of the protocol that the list names, with those they are made of.
fn schemas() -> Map<String, Value> {
    fn add<T: ToSchema + PartialSchema>(found: &mut Vec<(String, RefOr<Schema>)>) {
        found.push((T::name().into_owned(), T::schema()));
        T::schemas(found);
    }
    let mut found = Vec::new();
    add::<Me>(&mut found);
    add::<GameInfo>(&mut found);
    add::<CardInfo>(&mut found);
    add::<RuleInfo>(&mut found);
    add::<VocabularyInfo>(&mut found);
    add::<DeckInfo>(&mut found);
    add::<DeckReport>(&mut found);
    add::<NewTable>(&mut found);
    add::<TableInfo>(&mut found);
    add::<Replay>(&mut found);
    add::<Table>(&mut found);
    add::<History>(&mut found);
    add::<AdminUser>(&mut found);
    add::<Troubles>(&mut found);
    add::<Problem>(&mut found);
    found.into_iter().map(|(name, schema)| (name, serde_json::to_value(schema).unwrap_or_default())).collect()
}

fn document() -> Value {
    let mut paths = Map::new();
    for one in ENDPOINTS {
        let names = one.path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
        let parameters: Vec<Value> =
            names.map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}})).collect();
        let mut told = json!({
            "summary": one.does,
            "tags": [one.path.split('/').nth(2).unwrap_or_default()],
            "parameters": parameters,
            "responses": {
                "2XX": {"description": "done", "content": content(one.gives)},
                "default": {"description": "it failed", "content": content("Problem")},
            },
        });
        if !one.takes.is_empty() {
            told["requestBody"] = json!({"required": true, "content": content(one.takes)});
        }
        if one.who != Who::Anyone {
            told["security"] = if one.method == "get" { json!([{"session": []}]) } else { json!([{"session": [], "csrf": []}]) };
        }
        let path = paths.entry(one.path).or_insert_with(|| json!({}));
        path[one.method] = told;
    }
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Trilogy", "version": env!("CARGO_PKG_VERSION"), "description": ABOUT},
        "paths": paths,
        "components": {
            "schemas": schemas(),
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": "trilogy_session"},
                "csrf": {"type": "apiKey", "in": "header", "name": "x-csrf"},
            },
        },
    })
}

pub(crate) fn json() -> String {
    document().to_string()
}

/// The style of [`page`]; pages have none in themselves, since the content security policy allows none.
pub(crate) const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}\
     table{border-collapse:collapse;width:100%}td,th{padding:.3rem .5rem;text-align:left;vertical-align:top;border-bottom:1px solid #8888}\
     pre{overflow:auto}code{white-space:nowrap}";

/// The same for people: no script, nothing from elsewhere.
pub(crate) fn page() -> String {
    let mut out = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Trilogy: REST interface</title><link rel=\"stylesheet\" href=\"/api/docs.css\"><h1>REST interface</h1>",
    );
    let _ = write!(out, "<p>{}</p><p>The same for programs: <a href=\"/api/openapi.json\">openapi.json</a>.</p>", escaped(ABOUT));
    out += "<table><thead><tr><th scope=\"col\">Request<th scope=\"col\">Who<th scope=\"col\">What<th scope=\"col\">Takes<th scope=\"col\">Gives<tbody>";
    for one in ENDPOINTS {
        let who = match one.who {
            Who::Anyone => "anyone",
            Who::User => "guest or account",
            Who::Admin => "admin",
        };
        let (method, path, does) = (one.method.to_uppercase(), one.path, escaped(one.does));
        let _ = write!(out, "<tr><td><code>{method} {path}</code><td>{who}<td>{does}<td>{}<td>{}", linked(one.takes), linked(one.gives));
    }
    out += "</table><h2>Types</h2>";
    for (name, schema) in schemas() {
        let told = serde_json::to_string_pretty(&schema).unwrap_or_default();
        let _ = write!(out, "<h3 id=\"{name}\">{name}</h3><pre>{}</pre>", escaped(&told));
    }
    out
}

fn linked(shape: &str) -> String {
    let name = shape.trim_matches(['[', ']', '?']);
    if name.starts_with(char::is_uppercase) {
        format!("<code>{}</code>", shape.replace(name, &format!("<a href=\"#{name}\">{name}</a>")))
    } else {
        format!("<code>{}</code>", escaped(shape))
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_that_is_named_is_described() {
        let document = document();
        let text = document.to_string();
        for named in text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(document["components"]["schemas"].get(named).is_some(), "{named}");
        }
    }
}
