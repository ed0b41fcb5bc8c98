//! Panels that a figure file lists one by one, each with data of its own.

use super::{Baseline, Data, Figure, List, PanelSpec};
use crate::text::{clean, rich};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::LazyLock;

/// One panel of `[[panel]]`: a file, its differences from `[data]`, and the look of the panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PanelSource {
    /// The file; that of `[data]` unless given.
    pub file: Option<String>,
    /// Keys of `[data]` that are different for this panel, and their values.
    pub data: Map<String, Value>,
    /// Keys as in `[panels.NAME]`. A figure file that is read has all but the title there.
    pub spec: PanelSpec,
}

/// Keys of `[data]` that a panel of its own cannot have: they make several panels.
const OF_SEVERAL: [&str; 5] = ["file", "panel", "panel_row", "panel_column", "drop_empty"];

/// Keys of `[data]` whose values are baselines.
const COMPARISONS: [&str; 4] = ["minus", "ratio", "percent", "against"];

/// The keys of a type, by its schema.
fn keys_of<T: JsonSchema>() -> BTreeSet<String> {
    let schema = schemars::schema_for!(T).to_value();
    let keys = schema["properties"].as_object();
    keys.into_iter().flat_map(Map::keys).cloned().collect()
}

static DATA: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let mut keys = keys_of::<Data>();
    keys.retain(|key| !OF_SEVERAL.contains(&key.as_str()));
    keys
});
static SPEC: LazyLock<BTreeSet<String>> = LazyLock::new(keys_of::<PanelSpec>);
static ALL: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let own = std::iter::once("file");
    own.chain(DATA.iter().chain(SPEC.iter()).map(String::as_str)).collect()
});

impl Figure {
    /// The figure without the panels that it lists, and without what it says of single ones.
    #[must_use]
    pub fn without_panels(&self) -> Figure {
        Figure { panel: Vec::new(), panels: BTreeMap::new(), ..self.clone() }
    }
}

impl PanelSource {
    /// The figure of this panel alone.
    pub fn alone(&self, figure: &Figure) -> Figure {
        Figure { data: over(&figure.data, &self.data), panel: Vec::new(), ..figure.clone() }
    }

    /// A text of `[data]` that this panel has of its own.
    fn text(&self, key: &str) -> Option<&str> {
        self.data.get(key).and_then(Value::as_str)
    }

    /// Its name where no other panel has the same one: its title, or the stem of its file with the name of the array.
    pub fn name(&self, figure: &Figure) -> String {
        if let Some(title) = &self.spec.title {
            return title.clone();
        }
        let file = self.file(figure).unwrap_or_default();
        let stem = std::path::Path::new(file).file_stem();
        let stem = stem.map_or_else(|| file.to_owned(), |stem| stem.to_string_lossy().into_owned());
        match self.text("key").or(figure.data.key.as_deref()) {
            Some(key) => format!("{stem}: {key}"),
            None => stem,
        }
    }

    /// Its file, or that of `[data]`.
    pub fn file<'f>(&'f self, figure: &'f Figure) -> Option<&'f str> {
        let shared = || match &figure.data.file {
            Some(List(files)) if files.len() == 1 => files.first(),
            _ => None,
        };
        self.file.as_ref().or_else(shared).map(String::as_str)
    }

    /// Its mask, where that is of its own.
    pub fn mask_mut(&mut self) -> Option<&mut String> {
        match self.data.get_mut("mask") {
            Some(Value::String(mask)) => Some(mask),
            _ => None,
        }
    }

    /// Replaces the baselines that this panel has of its own, where `to` gives others.
    pub fn change_baselines(&mut self, to: impl Fn(&Baseline) -> Option<Baseline>) {
        for key in COMPARISONS {
            let own = self.text(key).and_then(|text| text.parse().ok());
            if let Some(other) = own.and_then(|baseline| to(&baseline)) {
                self.data.insert(key.to_owned(), Value::from(other.to_string()));
            }
        }
    }

    /// How the panel looks, but for its title, which stays, too. A panel with colours of its own has a scale of its own.
    pub fn take_spec(&mut self) -> PanelSpec {
        let title = self.spec.title.clone();
        let mut spec = std::mem::take(&mut self.spec);
        let colours =
            PanelSpec { title: None, mark: None, fmt: None, view_x: None, view_y: None, ..spec.clone() };
        if spec.scale.is_none() && colours != PanelSpec::default() {
            spec.scale = Some("panel".to_owned());
        }
        // The name is the title already, unless that has formulas.
        spec.title = spec.title.filter(|title| rich(title) != clean(title));
        self.spec.title = title;
        spec
    }

    fn pairs(&self) -> Map<String, Value> {
        let file = self.file.iter().map(|f| ("file".to_owned(), Value::from(f.as_str())));
        let mut all: Map<String, Value> = file.collect();
        all.extend(object(&self.spec));
        all.extend(self.data.clone());
        all
    }
}

impl PanelSpec {
    /// This, and the other's keys where this has none.
    pub fn or(self, other: &PanelSpec) -> PanelSpec {
        over(other, &object(&self))
    }
}

impl Figure {
    /// Gives the figure these files of data: one for each `[[panel]]`, where it has some.
    pub fn set_files(&mut self, files: Vec<String>) {
        if self.panel.is_empty() {
            self.data.file = Some(List(files));
            return;
        }
        self.data.file = None;
        for (panel, file) in self.panel.iter_mut().zip(files) {
            panel.file = Some(file);
        }
    }

    /// Takes back from each `[[panel]]` the keys of `[data]` that `data` gives, which hold for all.
    pub fn override_panels(&mut self, data: &Data) {
        let given = object(data);
        for panel in &mut self.panel {
            panel.data.retain(|key, _| !given.contains_key(key));
        }
    }
}

/// The keys of a value that say something.
fn object<T: Serialize>(value: &T) -> Map<String, Value> {
    let Ok(Value::Object(mut all)) = serde_json::to_value(value) else {
        return Map::new();
    };
    all.retain(|_, value| !value.is_null());
    all
}

/// A value with these keys in place of its own. Each of them was checked when it was read.
fn over<T: Serialize + DeserializeOwned + Clone>(value: &T, keys: &Map<String, Value>) -> T {
    let mut all = object(value);
    all.extend(keys.clone());
    serde_json::from_value(Value::Object(all)).unwrap_or_else(|_| value.clone())
}

impl Serialize for PanelSource {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let all = self.pairs();
        let mut map = s.serialize_map(Some(all.len()))?;
        for (key, value) in &all {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// A key that a panel may have.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<String, D::Error> {
        let key = String::deserialize(d)?;
        if ALL.contains(&key.as_str()) { Ok(key) } else { Err(de::Error::unknown_field(&key, &ALL)) }
    }
}

/// The value of a key, of the type `T`.
struct Checked<'k, T> {
    key: &'k str,
    of: std::marker::PhantomData<T>,
}

impl<'de, T: DeserializeOwned + Serialize> DeserializeSeed<'de> for Checked<'_, T> {
    type Value = Option<Value>;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<Option<Value>, D::Error> {
        let value = Value::deserialize(d)?;
        let one = Map::from_iter([(self.key.to_owned(), value)]);
        let read: T = serde_json::from_value(Value::Object(one)).map_err(de::Error::custom)?;
        Ok(object(&read).remove(self.key))
    }
}

impl<'de> Deserialize<'de> for PanelSource {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = PanelSource;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table of a panel")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PanelSource, A::Error> {
                let mut out = PanelSource::default();
                let mut spec = Map::new();
                let mut met = BTreeSet::new();
                while let Some(key) = map.next_key_seed(Key)? {
                    if !met.insert(key.clone()) {
                        return Err(de::Error::custom(format!("duplicate key `{key}`")));
                    }
                    if key == "file" {
                        out.file = map.next_value()?;
                        continue;
                    }
                    if DATA.contains(&key) {
                        let of = std::marker::PhantomData::<Data>;
                        let value = map.next_value_seed(Checked { key: &key, of })?;
                        out.data.extend(value.map(|value| (key, value)));
                    } else {
                        let of = std::marker::PhantomData::<PanelSpec>;
                        let value = map.next_value_seed(Checked { key: &key, of })?;
                        spec.extend(value.map(|value| (key, value)));
                    }
                }
                out.spec = over(&PanelSpec::default(), &spec);
                Ok(out)
            }
        }
        d.deserialize_map(Keys)
    }
}

impl JsonSchema for PanelSource {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PanelSource".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut all = Map::from_iter([(
            "file".to_owned(),
            serde_json::json!({"description": "The file; that of `data` unless given.", "type": "string"}),
        )]);
        for (schema, keys) in
            [(Data::json_schema(generator), &*DATA), (PanelSpec::json_schema(generator), &*SPEC)]
        {
            let of = schema.get("properties").and_then(Value::as_object);
            let of = of.into_iter().flatten().filter(|(key, _)| keys.contains(*key));
            all.extend(of.map(|(key, value)| (key.clone(), value.clone())));
        }
        schemars::json_schema!({
            "description": "One panel: a file, what is different from `data` for it, and the keys of `panels`.",
            "type": "object",
            "additionalProperties": false,
            "properties": Value::Object(all),
        })
    }
}
