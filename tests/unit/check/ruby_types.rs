//! Tests of `check::ruby_types`, of which it is a module.

use super::*;

fn shown(attributes: Option<Vec<Attribute>>) -> Vec<String> {
    let text = |attribute: &Attribute| match &attribute.rule {
        Some(rule) => format!("{}: {}", attribute.name, rule.type_for_messages),
        None => attribute.name.to_string(),
    };
    attributes.unwrap_or_default().iter().map(text).collect()
}

fn declared_in(body: &str) -> Vec<String> {
    let text = format!("Puppet::Type.newtype(:x) do\n{body}end\n");
    shown(newtype_attributes(&text, &blank_out_literals(&text)))
}

#[test]
fn attributes_are_read_from_types() {
    let body = "  ensurable\n  newparam(:path, namevar: true) do\n  end\n  newproperty('size')\n";
    assert_eq!(declared_in(body), ["ensure: Enum['absent', 'present']", "path", "size"]);
    assert_eq!(declared_in("  [:a].each do |p|\n    newparam(p)\n  end\n"), [""; 0]);
    let doc = "  @doc = <<-EOS\n    extend(x) include y\n  EOS\n  desc \"an \\\"each\\\" #{x[\"a\"]} eval\"\n  newparam(:a)\n";
    assert_eq!(declared_in(doc), ["a"]);
}

#[test]
fn listed_values_are_read() {
    let of = |body: &str| declared_in(&format!("  newproperty(:a) do\n{body}  end\n")).concat();
    assert_eq!(of("    newvalues(:yes, 'no', :'a-b')\n"), "a: Enum['a-b', 'no', 'yes']");
    assert_eq!(of("    newvalues :on,\n      :off\n    defaultto :on\n"), "a: Enum['off', 'on']");
    assert_eq!(of("    newvalues(%r{^\\d+$}i, :none)\n"), "a: Variant[Enum['none'], Pattern[/(?i:^\\d+$)/]]");
    assert_eq!(of("    newvalue(:up, event: :x) do\n    end\n    aliasvalue(:on, :up)\n"), "a: Enum['on', 'up']");
    assert_eq!(of("    newvalues(*NAMES)\n"), "a");
    assert_eq!(of("    newvalues(:a, NAME)\n"), "a");
    assert_eq!(of("    newvalues(:a)\n    validate do |x|\n    end\n"), "a");
    assert_eq!(of("    desc 'Do not validate.'\n    newvalues(:a)\n"), "a: Enum['a']");
    let boolean = "  newparam(:b, boolean: true, parent: Puppet::Parameter::Boolean) do\n    defaultto true\n  end\n";
    assert_eq!(declared_in(boolean), ["b: Enum['false', 'no', 'true', 'yes']"]);
    assert_eq!(declared_in("  newparam(:b, :parent => Puppet::X) do\n    newvalues(:a)\n  end\n"), ["b"]);
}

#[test]
fn attributes_of_the_resource_api_are_read() {
    let of = |attributes: &str| {
        let text =
            format!("Puppet::ResourceApi.register_type(\n  name: 'x',\n  attributes: {{\n{attributes}  }},\n)\n");
        let outline = blank_out_literals(&text);
        let start = ENTRIES.find(&outline).expect("there are attributes").end();
        shown(resource_api_attributes(&text, &outline, start))
    };
    let two = "    name: { type: 'String[1]', desc: 'The {name', behaviour: :namevar },\n    # why: {\n    \
               :size => {\n      :type => \"Optional[Integer]\",\n      desc: <<DESC,\n}\nDESC\n    }\n";
    assert_eq!(of(two), ["name: String[1]", "size: Optional[Integer]"]);
    assert_eq!(of("    a: { type: 'My::Type' },\n    b: { type: TYPE },\n"), ["a", "b"]);
    assert_eq!(of("    a: { type: 'Integer' },\n    **COMMON,\n"), [""; 0]);
}

#[test]
fn attributes_of_generated_files_are_read() {
    let text = "Puppet::Resource::ResourceType3.new(\n  'x',\n  [\n    # Doc of 'this'.\n    \
                Puppet::Resource::Param(Enum['present', 'absent'], 'ensure')\n  ],\n  [\n    \
                Puppet::Resource::Param(Any, 'name', true),\n  ],\n";
    assert_eq!(shown(Some(generated_attributes(text))), ["ensure", "name"]);
}

#[test]
fn literals_and_comments_are_blank_in_the_outline() {
    assert_eq!(blank_out_literals("a 'b # \\' c' # d\ne"), "a '        '    \ne");
    assert_eq!(blank_out_literals("x =~ /'/ and %q{a {b} c} / 2"), format!("x =~ / / and {} / 2", " ".repeat(11)));
    assert_eq!(blank_out_literals("newvalues /a/, :b"), "newvalues / /, :b");
    assert_eq!(blank_out_literals("a <<-X, 1\n  b '\n  X\nc"), "a <<-X, 1\n     \n  X\nc");
    assert_eq!(blank_out_literals("a 'b"), "a 'b");
}
