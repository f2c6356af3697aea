//! The check of a record as a programmer writes it for this one purpose.

use regex::Regex;
use serde_json::{Map, Value};

/// The expressions, compiled.
pub(crate) struct ByHand {
    host: Regex,
    ip: Regex,
    address: Regex,
    interface: Regex,
    mac: Regex,
    word: Regex,
    service: Regex,
}

type Object = Map<String, Value>;

impl ByHand {
    pub(crate) fn new() -> ByHand {
        let regex = |text: &str| Regex::new(text).expect("the expressions are right");
        ByHand {
            host: regex(r"\A[a-z][a-z0-9-]{2,30}\z"),
            ip: regex(r"\A[0-9]{1,3}(?:\.[0-9]{1,3}){3}\z"),
            address: regex(r"\A[0-9]{1,3}(?:\.[0-9]{1,3}){3}/[0-9]{1,2}\z"),
            interface: regex(r"\Aeth[0-9]+\z"),
            mac: regex(r"\A[0-9a-f]{2}(?::[0-9a-f]{2}){5}\z"),
            word: regex(r"\A[a-z]+\z"),
            service: regex(r"\A[a-z]+[0-9]*\z"),
        }
    }

    pub(crate) fn is_host(&self, value: &Value) -> bool {
        let Some(host) = value.as_object() else { return false };
        let text = |key: &str, is_it: &dyn Fn(&str) -> bool| host.get(key).and_then(Value::as_str).is_some_and(is_it);
        let has_known_keys = host.len() - usize::from(host.contains_key("note")) == 11;
        has_known_keys
            && text("name", &|name| self.host.is_match(name))
            && text("role", &|role| matches!(role, "web" | "db" | "cache" | "queue" | "proxy" | "batch"))
            && text("env", &|env| matches!(env, "prod" | "stage" | "dev"))
            && text("ip", &|ip| self.ip.is_match(ip))
            && host.get("uptime").is_some_and(|uptime| is_integer(uptime, 0, i64::MAX))
            && host.get("weight").is_some_and(is_weight)
            && host.get("active").is_some_and(Value::is_boolean)
            && host.get("note").is_none_or(|note| note.is_null() || note.is_string())
            && has_elements(host, "tags", 0..=8, |tag| self.is_text(&self.word, tag))
            && host.get("network").is_some_and(|network| self.is_network(network))
            && has_entries(host, "services", 1..=6, |name, service| {
                self.service.is_match(name) && self.is_service(service)
            })
            && has_entries(host, "labels", 0..=10, |name, label| self.word.is_match(name) && is_argument(label))
    }

    fn is_network(&self, value: &Value) -> bool {
        let Some(network) = value.as_object() else { return false };
        network.len() - usize::from(network.contains_key("gateway")) == 2
            && has_elements(network, "interfaces", 1..=4, |interface| self.is_interface(interface))
            && has_elements(network, "dns", 1..=3, |ip| self.is_text(&self.ip, ip))
            && network.get("gateway").is_none_or(|gateway| self.is_text(&self.ip, gateway))
    }

    fn is_interface(&self, value: &Value) -> bool {
        let Some(interface) = value.as_object() else { return false };
        interface.len() - usize::from(interface.contains_key("vlan")) == 4
            && interface.get("name").is_some_and(|name| self.is_text(&self.interface, name))
            && interface.get("mac").is_some_and(|mac| self.is_text(&self.mac, mac))
            && interface.get("mtu").is_some_and(|mtu| is_integer(mtu, 576, 9216))
            && interface.get("vlan").is_none_or(|vlan| is_integer(vlan, 1, 4094))
            && has_elements(interface, "addresses", 1..=8, |address| self.is_text(&self.address, address))
    }

    fn is_service(&self, value: &Value) -> bool {
        let Some(service) = value.as_object() else { return false };
        let is_health = |health: &Value| {
            health.as_object().is_some_and(|health| {
                health.len() == 2
                    && health.get("path").and_then(Value::as_str).is_some_and(|path| path.starts_with('/'))
                    && health.get("interval").is_some_and(|interval| is_integer(interval, 1, 3600))
            })
        };
        service.len() - usize::from(service.contains_key("health")) == 3
            && service.get("port").is_some_and(|port| is_integer(port, 1, 65535))
            && service.get("proto").is_some_and(|proto| matches!(proto.as_str(), Some("tcp" | "udp")))
            && has_elements(service, "args", 0..=8, is_argument)
            && service.get("health").is_none_or(is_health)
    }

    fn is_text(&self, regex: &Regex, value: &Value) -> bool {
        value.as_str().is_some_and(|text| regex.is_match(text))
    }
}

fn has_elements(of: &Object, key: &str, sizes: std::ops::RangeInclusive<usize>, fits: impl Fn(&Value) -> bool) -> bool {
    of.get(key)
        .and_then(Value::as_array)
        .is_some_and(|elements| sizes.contains(&elements.len()) && elements.iter().all(fits))
}

fn has_entries(
    of: &Object,
    key: &str,
    sizes: std::ops::RangeInclusive<usize>,
    fits: impl Fn(&str, &Value) -> bool,
) -> bool {
    of.get(key)
        .and_then(Value::as_object)
        .is_some_and(|entries| sizes.contains(&entries.len()) && entries.iter().all(|(key, value)| fits(key, value)))
}

fn is_integer(value: &Value, from: i64, to: i64) -> bool {
    value.as_i64().is_some_and(|number| (from..=to).contains(&number))
}

fn is_weight(value: &Value) -> bool {
    match value.as_i64() {
        Some(number) => (0..=100).contains(&number),
        None => value.as_f64().is_some_and(|number| (0.0..=100.0).contains(&number)),
    }
}

fn is_argument(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty()) || value.is_i64() || value.is_boolean()
}
