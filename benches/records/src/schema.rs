//! The schema of the records, as a programmer writes it.

use serde_json::json;

/// Says the same as `host_records.pp`.
pub(crate) fn schema() -> serde_json::Value {
    let pattern = |pattern: &str| json!({"type": "string", "pattern": pattern});
    let ip = || pattern(r"^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$");
    let integer = |from: i64, to: i64| json!({"type": "integer", "minimum": from, "maximum": to});
    let array = |items: serde_json::Value, from: u64, to: u64| json!({"type": "array", "items": items, "minItems": from, "maxItems": to});
    let object = |properties: serde_json::Value, required: &[&str]| json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    let argument = || json!({"anyOf": [{"type": "string", "minLength": 1}, {"type": "integer"}, {"type": "boolean"}]});
    let interface = object(
        json!({
            "name": pattern("^eth[0-9]+$"),
            "mac": pattern("^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$"),
            "mtu": integer(576, 9216),
            "vlan": integer(1, 4094),
            "addresses": array(pattern(r"^[0-9]{1,3}(?:\.[0-9]{1,3}){3}/[0-9]{1,2}$"), 1, 8),
        }),
        &["name", "mac", "mtu", "addresses"],
    );
    let health = object(json!({"path": pattern("^/"), "interval": integer(1, 3600)}), &["path", "interval"]);
    let service = object(
        json!({
            "port": integer(1, 65535),
            "proto": {"enum": ["tcp", "udp"]},
            "args": array(argument(), 0, 8),
            "health": health,
        }),
        &["port", "proto", "args"],
    );
    let network = object(
        json!({"interfaces": array(interface, 1, 4), "dns": array(ip(), 1, 3), "gateway": ip()}),
        &["interfaces", "dns"],
    );
    let entries = |pattern: &str, value: serde_json::Value, from: u64, to: u64| {
        json!({
            "type": "object", "patternProperties": {pattern: value}, "additionalProperties": false,
            "minProperties": from, "maxProperties": to,
        })
    };
    object(
        json!({
            "name": pattern("^[a-z][a-z0-9-]{2,30}$"),
            "role": {"enum": ["web", "db", "cache", "queue", "proxy", "batch"]},
            "env": {"enum": ["prod", "stage", "dev"]},
            "ip": ip(),
            "uptime": {"type": "integer", "minimum": 0},
            "weight": {"type": "number", "minimum": 0, "maximum": 100},
            "active": {"type": "boolean"},
            "note": {"type": ["string", "null"]},
            "tags": array(pattern("^[a-z]+$"), 0, 8),
            "network": network,
            "services": entries("^[a-z]+[0-9]*$", service, 1, 6),
            "labels": entries("^[a-z]+$", argument(), 0, 10),
        }),
        &["name", "role", "env", "ip", "uptime", "weight", "active", "tags", "network", "services", "labels"],
    )
}
