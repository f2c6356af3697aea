//! Records of hosts, the same ones every time, and a few of them spoiled.

use serde_json::{Map, Value, json};

/// How many records of a thousand are spoiled.
const SPOILED_PER_MILLE: u64 = 50;

const ROLES: [&str; 6] = ["web", "db", "cache", "queue", "proxy", "batch"];
const ENVS: [&str; 3] = ["prod", "stage", "dev"];
const WORDS: [&str; 10] = ["alpha", "beta", "gamma", "delta", "edge", "core", "rack", "blue", "green", "spare"];

/// A linear congruential generator.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[usize::try_from(self.below(words.len() as u64)).expect("a small number")]
    }

    fn ip(&mut self) -> String {
        format!("10.{}.{}.{}", self.below(256), self.below(256), self.below(256))
    }

    fn argument(&mut self) -> Value {
        match self.below(3) {
            0 => self.one_of(&WORDS).into(),
            1 => self.below(1000).into(),
            _ => (self.below(2) == 0).into(),
        }
    }

    fn interface(&mut self, number: u64) -> Value {
        let mac: Vec<String> = (0..6).map(|_| format!("{:02x}", self.below(256))).collect();
        let mtu = [1280, 1500, 9000][usize::try_from(self.below(3)).expect("a small number")];
        let addresses: Vec<String> =
            (0..=self.below(3)).map(|_| format!("{}/{}", self.ip(), 8 + self.below(24))).collect();
        let mut interface =
            json!({"name": format!("eth{number}"), "mac": mac.join(":"), "mtu": mtu, "addresses": addresses});
        if self.below(3) == 0 {
            interface["vlan"] = (1 + self.below(4094)).into();
        }
        interface
    }

    fn service(&mut self) -> Value {
        let (port, proto) = (1 + self.below(65535), self.one_of(&["tcp", "udp"]));
        let args: Vec<Value> = (0..self.below(4)).map(|_| self.argument()).collect();
        let mut service = json!({"port": port, "proto": proto, "args": args});
        if self.below(2) == 0 {
            service["health"] = json!({"path": format!("/{}", self.one_of(&WORDS)), "interval": 1 + self.below(3600)});
        }
        service
    }

    fn host(&mut self, number: usize) -> Value {
        let name = format!("{}-{number:05}", self.one_of(&ROLES));
        let (role, env, ip) = (self.one_of(&ROLES), self.one_of(&ENVS), self.ip());
        let uptime = self.below(100_000_000);
        let weight: Value = match self.below(2) {
            0 => self.below(100).into(),
            _ => ((self.below(1000) * 2 + 1) as f64 / 20.0).into(),
        };
        let active = self.below(4) != 0;
        let tags: Vec<&str> = (0..self.below(6)).map(|_| self.one_of(&WORDS)).collect();
        let interfaces: Vec<Value> = (0..=self.below(3)).map(|number| self.interface(number)).collect();
        let dns: Vec<String> = (0..=self.below(3)).map(|_| self.ip()).collect();
        let services: Map<String, Value> =
            (0..=self.below(4)).map(|number| (format!("{}{number}", self.one_of(&WORDS)), self.service())).collect();
        let labels: Map<String, Value> =
            (0..self.below(5)).map(|_| (self.one_of(&WORDS).to_owned(), self.argument())).collect();
        let mut host = json!({
            "name": name, "role": role, "env": env, "ip": ip, "uptime": uptime, "weight": weight, "active": active,
            "tags": tags, "network": {"interfaces": interfaces, "dns": dns}, "services": services, "labels": labels,
        });
        if self.below(3) == 0 {
            host["note"] = match self.below(2) {
                0 => Value::Null,
                _ => format!("spare host {}", self.one_of(&WORDS)).into(),
            };
        }
        if self.below(2) == 0 {
            host["network"]["gateway"] = self.ip().into();
        }
        host
    }

    /// Makes one thing wrong.
    fn spoil(&mut self, host: &mut Value) {
        match self.below(12) {
            0 => host["name"] = "Bad_Name".into(),
            1 => host["role"] = "router".into(),
            2 => host["uptime"] = (-1).into(),
            3 => host["weight"] = 100.5.into(),
            4 => host["extra"] = 1.into(),
            5 => {
                host["network"].as_object_mut().expect("an object").shift_remove("dns");
            }
            6 => host["network"]["interfaces"][0]["mac"] = "zz:00:11:22:33:44".into(),
            7 => {
                host["network"]["interfaces"][0]["addresses"].as_array_mut().expect("an array").push("10.0.0.1".into())
            }
            8 => host["services"]["late9"] = json!({"port": 0, "proto": "tcp", "args": []}),
            9 => host["services"]["late9"] = json!({"port": 1, "proto": "tcp", "args": [1.5]}),
            10 => host["labels"]["Upper"] = 1.into(),
            _ => host["tags"] = "alpha".into(),
        }
    }
}

/// So many records.
pub(crate) fn hosts(count: usize) -> Vec<Value> {
    let (mut random, mut spoiling) = (Random(20_240_229), Random(7));
    (0..count)
        .map(|number| {
            let mut host = random.host(number);
            if spoiling.below(1000) < SPOILED_PER_MILLE {
                spoiling.spoil(&mut host);
            }
            host
        })
        .collect()
}
