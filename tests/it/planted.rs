//! A control repository without mistakes, and one mistake at a time planted into it: `pcore check` finds it, shows where it
//! is and what to write instead; in the clean copy it finds nothing.

#![allow(clippy::print_stdout, reason = "a test that samples prints how often it held")]

use std::fmt::Write as _;

use serde_json::Value as Json;

use super::modules::Folder;

const CLEAN: [(&str, &str); 19] = [
    ("environment.conf", ""),
    (
        "hiera.yaml",
        "version: 5\ndefaults:\n  datadir: data\n  data_hash: yaml_data\nhierarchy:\n  - name: Nodes\n    \
         path: \"nodes/%{trusted.certname}.yaml\"\n  - name: Services\n    mapped_paths: [services, service, \
         \"services/%{service}.yaml\"]\n  - name: Common\n    lookup_key: eyaml_lookup_key\n    path: common.yaml\n",
    ),
    (
        "data/common.yaml",
        "lookup_options:\n  web::sites:\n    merge: {strategy: deep, knockout_prefix: '--'}\n  '^web::users::.*$':\n    \
         merge: unique\n  web::secret:\n    convert_to: Sensitive\nweb::port: 80\nweb::mode: '0644'\nweb::kind: nginx\n\
         web::sites:\n  main:\n    host: example.org\n    port: 443\nweb::secret: ENC[PKCS7,abc]\nweb::users::list:\n  - alice\n\
         web::greeting: \"%{lookup('site::motto')}\"\nsite::motto: hello\nsite::contact: admin@example.org\napp::workers: 4\n\
         app::ratio: 0.5\napp::debug: false\nweb::alt_port: ~\n",
    ),
    ("data/nodes/a.yaml", "web::port: 8080\napp::debug: true\n"),
    ("data/services/dns.yaml", "web::port: 5353\n"),
    ("modules/web/types/port.pp", "type Web::Port = Integer[1, 65535]\n"),
    (
        "modules/web/types/site.pp",
        "type Web::Site = Struct[{\n  host           => String[1],\n  Optional[port] => Web::Port,\n  Optional[tls]  => Boolean,\n}]\n",
    ),
    ("modules/web/types/kind.pp", "type Web::Kind = Enum['apache', 'nginx']\n"),
    (
        "modules/web/functions/url.pp",
        "function web::url(String[1] $host, Web::Port $port = 80) >> String {\n  \"http://${host}:${port}/\"\n}\n",
    ),
    (
        "modules/web/lib/puppet/functions/web/digest.rb",
        "Puppet::Functions.create_function(:'web::digest') do\n  dispatch :digest do\n    param 'String', :text\n    \
         optional_param 'Integer[1]', :length\n    return_type 'String'\n  end\n\n  def digest(text, length = 8)\n    text[0, length]\n  end\nend\n",
    ),
    (
        "modules/web/lib/puppet/type/web_token.rb",
        "Puppet::Type.newtype(:web_token) do\n  ensurable\n  newparam(:name)\n  newproperty(:scope)\nend\n",
    ),
    (
        "modules/web/manifests/init.pp",
        "# The web server.\nclass web (\n  Web::Port $port = 80,\n  String $mode = '0644',\n  Web::Kind $kind = 'nginx',\n  \
         Hash[String[1], Web::Site] $sites = {},\n  Optional[Sensitive[String]] $secret = undef,\n  String $greeting = 'hi',\n  \
         String $root = $web::params::root,\n  Optional[Web::Port] $alt_port = undef,\n) inherits web::params {\n  \
         include web::users\n  contain web::service\n  $config_file = \"${root}/${conf_name}\"\n  $workers = 4\n  \
         file { $config_file:\n    ensure  => file,\n    owner   => 'root',\n    mode    => $mode,\n    \
         content => epp('web/server.epp', { 'port' => $port, 'host' => $facts['networking']['fqdn'] }),\n    \
         notify  => Service['web'],\n  }\n  $sites.each |String $name, Web::Site $site| {\n    web::vhost { $name:\n      \
         host => $site['host'],\n      port => $site['port'],\n    }\n  }\n  case $kind {\n    'apache': { $package = 'httpd' }\n    \
         'nginx': { $package = 'nginx' }\n    default: { fail(\"unsupported kind ${kind}\") }\n  }\n  package { $package:\n    \
         ensure => installed,\n  }\n  $label = $kind ? {\n    'apache' => 'A',\n    'nginx'  => 'N',\n  }\n  \
         if $config_file =~ /\\A(.*)\\.conf\\z/ {\n    notice(\"base ${1}\")\n  }\n  web_token { 'main':\n    ensure => present,\n    \
         scope  => 'all',\n  }\n  $total = $workers + 1\n  if $total > 3 {\n    \
         notice(web::url('example.org', $port), web::digest($greeting, 8))\n  }\n  \
         $names = $sites.keys.map |$key| { $key.upcase }\n  $motto = lookup('site::motto')\n  \
         $contact = lookup('site::contact', String)\n  unless $kind == 'apache' {\n    \
         notice(join($names, ','), $label, $motto, $contact)\n  }\n}\n",
    ),
    ("modules/web/manifests/params.pp", "class web::params {\n  $root = '/etc/web'\n  $conf_name = 'web.conf'\n}\n"),
    (
        "modules/web/manifests/service.pp",
        "class web::service (\n  Enum['running', 'stopped'] $ensure = 'running',\n  Boolean $enable = true,\n) {\n  \
         service { 'web':\n    ensure  => $ensure,\n    enable  => $enable,\n    require => Class['web::users'],\n  }\n  \
         exec { 'reload':\n    command     => '/bin/true',\n    refreshonly => true,\n    subscribe   => File[$web::config_file],\n  }\n}\n",
    ),
    (
        "modules/web/manifests/users.pp",
        "class web::users (\n  Array[String[1]] $list = [],\n) {\n  $list.each |$user| {\n    user { $user:\n      \
         ensure     => present,\n      shell      => '/bin/sh',\n      managehome => true,\n    }\n  }\n}\n",
    ),
    (
        "modules/web/manifests/vhost.pp",
        "define web::vhost (\n  String[1] $host,\n  Web::Port $port = 80,\n  Boolean $tls = false,\n) {\n  \
         $url = web::url($host, $port)\n  $scheme = $tls ? {\n    true  => 'https',\n    false => 'http',\n  }\n  \
         notify { \"${scheme} ${url} ${title}\": }\n}\n",
    ),
    (
        "modules/web/templates/server.epp",
        "<%- | Web::Port $port, String $host | -%>\nlisten <%= $port %>\nname <%= $host.downcase %>\n",
    ),
    ("modules/web/templates/motd.epp", "welcome to <%= $facts['networking']['fqdn'] %>\n"),
    (
        "modules/app/manifests/init.pp",
        "class app (\n  Integer[1] $workers = 2,\n  Float $ratio = 1.0,\n  Boolean $debug = false,\n) {\n  \
         class { 'web':\n    port  => 8080,\n    sites => { 'x' => { 'host' => 'h' } },\n  }\n  web::vhost { 'app':\n    \
         host => 'app.example.org',\n    port => 8081,\n  }\n}\n",
    ),
];

const INIT: &str = "modules/web/manifests/init.pp";
const APP: &str = "modules/app/manifests/init.pp";
const SERVICE: &str = "modules/web/manifests/service.pp";
const USERS: &str = "modules/web/manifests/users.pp";
const VHOST: &str = "modules/web/manifests/vhost.pp";
const SITE: &str = "modules/web/types/site.pp";
const COMMON: &str = "data/common.yaml";
const HIERA: &str = "hiera.yaml";
const SERVER: &str = "modules/web/templates/server.epp";

/// The file, what is in it, what is planted there, and a part of the message that is expected in the line of the mistake.
const PLANTED: &[(&str, &str, &str, &str)] = &[
    // Headers: types and default values of parameters.
    (INIT, "  Web::Port $port = 80,", "  Web::Prot $port = 80,", "Web::Prot"),
    (INIT, "$port = 80,", "$port = 0,", "expected Web::Port"),
    (INIT, "String $mode = '0644'", "String $mode = 0644", "expected String"),
    (INIT, "$kind = 'nginx'", "$kind = 'ngnix'", "expected"),
    (INIT, "$sites = {}", "$sites = []", "expected Hash"),
    (INIT, "String $greeting = 'hi'", "String $greeting = undef", "expected String"),
    (INIT, "inherits web::params", "inherits web::parms", "unknown class web::parms"),
    (INIT, "$web::params::root", "$web::params::rot", "no variable $rot"),
    (SERVICE, "Boolean $enable = true", "Boolean $enable = 'true'", "expected Boolean"),
    (USERS, "$list = []", "$list = ['']", "expected String[1]"),
    (APP, "Integer[1] $workers = 2", "Integer[1] $workers = 0", "expected Integer[1]"),
    (APP, "Float $ratio = 1.0", "Float $ratio = 1", "expected Float"),
    (APP, "Boolean $debug", "Bolean $debug", "Bolean"),
    // Aliases.
    (SITE, "=> Web::Port", "=> Web::Prt", "Web::Prt"),
    (SITE, "Optional[tls]  => Boolean", "Optional[port]  => Boolean", "duplicate key"),
    (SITE, "type Web::Site", "type Web::Sites", "Web::Sites"),
    ("modules/web/types/port.pp", "Integer[1, 65535]", "Integer[65535, 1]", "range"),
    ("modules/web/types/kind.pp", "Enum['apache', 'nginx']", "'apache'", "expected a type"),
    // Data.
    (COMMON, "web::port: 80", "web::port: '80'", "expected Web::Port"),
    (COMMON, "web::port: 80", "web::port: 99999", "expected Web::Port"),
    (COMMON, "web::mode: '0644'", "web::mode: 0644", "expected String"),
    (COMMON, "web::kind: nginx", "web::kind: ngnix", "expected"),
    (COMMON, "    host: example.org", "    hots: example.org", "hots"),
    (COMMON, "    port: 443", "    port: \"443\"", "expected Web::Port"),
    (COMMON, "  - alice", "  - 5", "expected String"),
    (COMMON, "web::port: 80", "web::prot: 80", "no parameter $prot"),
    (COMMON, "web::port: 80", "wbe::port: 80", "no class wbe"),
    (COMMON, "web::users::list:", "web::usres::list:", "no class web::usres"),
    (COMMON, "app::debug: false", "app::debug: 'no'", "expected Boolean"),
    (COMMON, "app::ratio: 0.5", "app::ratio: 5", "expected Float"),
    (COMMON, "app::workers: 4", "app::workers: 4\napp::workers: 5", "duplicate key"),
    (COMMON, "lookup('site::motto')", "lookup('site::moto')", "no data has the key 'site::moto'"),
    (COMMON, "strategy: deep", "strategy: deeep", "deep"),
    (COMMON, "    merge: unique", "    mrege: unique", "mrege"),
    (COMMON, "'^web::users::.*$'", "'^web::(users::.*$'", "regular expression"),
    (COMMON, "convert_to: Sensitive", "convert_to: Sensitve", "Sensitve"),
    ("data/nodes/a.yaml", "app::debug: true", "app::debug: [true", "expected"),
    // hiera.yaml.
    (HIERA, "version: 5", "version: 4", "expected version 5"),
    (HIERA, "hierarchy:", "hierachy:", "hierachy"),
    (HIERA, "    path: common.yaml", "    pth: common.yaml", "pth"),
    (HIERA, "data_hash: yaml_data", "data_hsah: yaml_data", "data_hsah"),
    (HIERA, "- name: Common", "- name: Nodes", "duplicate level name"),
    (HIERA, "[services, service, ", "[services, ", "three strings"),
    (HIERA, "%{trusted.certname}.yaml", "%{trusted.certname.yaml", "unclosed"),
    (HIERA, "datadir: data", "datadir: dta", "does not exist"),
    (HIERA, "    path: common.yaml", "    paths: common.yaml", "expected Array[String]"),
    (HIERA, "data_hash: yaml_data", "data_hash: yaml", "unknown function yaml"),
    (HIERA, "%{trusted.certname}", "%{trusted.certnam}", "trusted has no key 'certnam'"),
    (HIERA, "%{trusted.certname}", "%{trusted.role}", "trusted has no key 'role'"),
    (HIERA, "%{trusted.certname}", "%{facts.os.famly}", "the fact os has no key 'famly'"),
    (HIERA, "%{trusted.certname}", "%{::fqdn}", "fqdn is a legacy fact"),
    (HIERA, "%{trusted.certname}", "%{facts['os']['name']}", "is not a variable"),
    (HIERA, "    path: common.yaml", "    path: '*.yaml'", "has no wildcards"),
    (HIERA, "  - name: Nodes\n    path: \"nodes/%{trusted.certname}.yaml\"", "  - name: Nodes", "names no file"),
    ("hiera.yaml", "nodes/%{trusted", "nods/%{trusted", "the directory data/nods does not exist"),
    ("hiera.yaml", "path: common.yaml", "paths: [commn.yaml]", "the file data/commn.yaml does not exist"),
    (COMMON, "lookup_options:", "lookup_option:", "nothing reads the key 'lookup_option'"),
    (HIERA, "[services, service, ", "[facts.procesors.models, service, ", "no core fact is called procesors"),
    (COMMON, "lookup('site::motto')", "facts.os.famly", "the fact os has no key 'famly'"),
    (COMMON, "lookup('site::motto')", "::hostname", "hostname is a legacy fact"),
    (COMMON, "lookup('site::motto')", "web::mode", "web sets its variables after its parameters are looked up"),
    (COMMON, "lookup('site::motto')", "web::conf_name", "web sets its variables after its parameters are looked up"),
    (COMMON, "lookup('site::motto')", "lookup('site::slogan')", "no data has the key 'site::slogan'"),
    (COMMON, "  web::sites:\n    merge", "  web::stes:\n    merge", "no parameter $stes"),
    (COMMON, "app::workers: 4", "app::workers: \"%{alias('site::motto')}\"", "expected Integer[1]"),
    // Bodies: names.
    (INIT, "include web::users", "include web::usres", "unknown class web::usres"),
    (INIT, "web::vhost { $name:", "web::vhots { $name:", "web::vhots"),
    (INIT, "  package { $package:", "  pakage { $package:", "pakage"),
    (INIT, "web::url('example.org', $port)", "web::ulr('example.org', $port)", "unknown function web::ulr"),
    (INIT, "notice(join(", "notice(jion(", "unknown function jion"),
    (INIT, "\"${root}/${conf_name}\"", "\"${root}/${conf_nam}\"", "$conf_nam"),
    (INIT, "$total = $workers + 1", "$total = $wokers + 1", "$wokers"),
    (SERVICE, "Class['web::users']", "Class['web::user']", "unknown class web::user"),
    (SERVICE, "$web::config_file", "$web::config_fiel", "no variable $config_fiel"),
    (INIT, "lookup('site::contact', String)", "lookup('site::contcat', String)", "site::contcat"),
    // Bodies: resources.
    (INIT, "    owner   => 'root'", "    onwer   => 'root'", "no parameter onwer"),
    (INIT, "    mode    => $mode", "    mode    => 0644", "expected String"),
    (SERVICE, "    ensure  => $ensure", "    ensure  => 'runing'", "expected Enum"),
    (USERS, "managehome => true", "managehomes => true", "no parameter managehomes"),
    (VHOST, "notify { \"${scheme} ${url} ${title}\": }", "notify { $url: mesage => $scheme }", "no parameter mesage"),
    (INIT, "    scope  => 'all'", "    scop  => 'all'", "no parameter scop"),
    (APP, "    port  => 8080", "    port  => '8080'", "expected Web::Port"),
    (APP, "'host' => 'h'", "'hots' => 'h'", "hots"),
    (APP, "    port => 8081", "    prt => 8081", "no parameter prt"),
    (APP, "    host => 'app.example.org',\n", "", "needs the parameter host"),
    (INIT, "      host => $site['host']", "      host => $port", "expected String"),
    // Bodies: calls.
    (INIT, "web::url('example.org', $port)", "web::url($port, 'example.org')", "expected String"),
    (INIT, "web::url('example.org', $port)", "web::url()", "expects 1 to 2 arguments"),
    (INIT, "web::digest($greeting, 8)", "web::digest($greeting, '8')", "expected Integer"),
    (INIT, "web::digest($greeting, 8)", "web::digest($greeting, 8, 9)", "expects 1 to 2 arguments"),
    (INIT, "join($names, ',')", "join($names, ',', 1)", "argument"),
    (INIT, "$sites.keys.map |$key| { $key.upcase }", "$sites.keys.map", "needs a block"),
    (VHOST, "web::url($host, $port)", "web::url($host, $tls)", "expected Web::Port"),
    ("modules/web/functions/url.pp", "  \"http://${host}:${port}/\"", "  5", "expected String"),
    (INIT, "$site['host']", "$site['hots']", "no key 'hots'"),
    // Bodies: operators and branches.
    (INIT, "unless $kind == 'apache'", "unless $kind == 'apahce'", "always false"),
    (INIT, "    'nginx': {", "    'ngnix': {", "never reached"),
    (INIT, "    'nginx'  => 'N'", "    'apache'  => 'N'", "never reached"),
    (VHOST, "    true  => 'https'", "    'true'  => 'https'", "never reached"),
    (INIT, "if $total > 3", "if $total > '3'", "cannot compare"),
    (INIT, "if $config_file =~ /\\A", "if $port =~ /\\A", "regular expression"),
    (INIT, "  $total = $workers + 1", "  $total = $workers + true", "cannot use"),
    (INIT, "    notice(\"base ${1}\")\n  }", "  }\n  notice(\"base ${1}\")", "no match sets $1"),
    // Templates.
    (INIT, "'web/server.epp'", "'web/sevrer.epp'", "web/sevrer.epp"),
    (INIT, "{ 'port' => $port, 'host'", "{ 'prt' => $port, 'host'", "$prt"),
    (INIT, "'host' => $facts['networking']['fqdn']", "'host' => $port", "expected String"),
    (INIT, ", 'host' => $facts['networking']['fqdn'] }", " }", "needs the parameter $host"),
    (SERVER, "<%= $port %>", "<%= $prot %>", "$prot"),
    (SERVER, "<%= $port %>", "<%= 'port ${port}' %>", "`${port}` is not replaced"),
    (INIT, "'port' => $port, 'host'", "'port' => lookup('site::motto'), 'host'", "expected Web::Port"),
    (
        COMMON,
        "lookup_options:\n",
        "lookup_options:\n  site::moto: {merge: first}\n",
        "no data has the key 'site::moto'",
    ),
    (SERVER, "$host.downcase", "$host.downcas", "downcas"),
];

/// The findings of a folder with these files, as JSON.
fn findings(name: &str, files: &[(&str, &str)]) -> Vec<Json> {
    let folder = Folder::new(name, files);
    let run = folder.run(&["check", "--format", "jsonl"]);
    run.out.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn nothing_is_found_in_the_clean_copy() {
    assert_eq!(findings("planted-clean", &CLEAN), Vec::<Json>::new());
}

/// Projects in which nothing is wrong, though it may look so.
const SOUND: &[(&str, &[(&str, &str)])] = &[
    (
        "tags of classes and of functions, an option `default` of an Enum, and words that are like variables elsewhere",
        &[
            (
                "modules/a/manifests/init.pp",
                "class a(Enum['default', 'x'] $kind) {\n  tag('a-group')\n  package { 'x': tag => 'a-package' }\n  \
                 Package <| tag == 'a' or tag == 'a-group' |>\n  Package <| tag == 'a-package' |>\n  \
                 ensure_packages(['y'], { tag => 'a-others' })\n  Package <| tag == 'a-others' |>\n  \
                 notice($kind ? { 'x' => 1, 'default' => 2 }, empty(text))\n}\n",
            ),
            ("modules/b/manifests/init.pp", "class b(String $text) { notice($text) }\n"),
        ],
    ),
    (
        "data that a variable of another class is in",
        &[
            ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
            ("data/common.yaml", "a::x: \"%{a::params::y}\"\na::params::y: \"%{::a::z}\"\n"),
            (
                "modules/a/manifests/init.pp",
                "class a(String $x, String $z = 'z') inherits a::params { notice($x, $z) }\n",
            ),
            ("modules/a/manifests/params.pp", "class a::params(String $y) { notice($y) }\n"),
        ],
    ),
    (
        "variables that every node has, and data that a condition chooses",
        &[
            ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
            ("data/common.yaml", "rows: [{port: 80, kind: a}, {kind: b}]\nname: ~\nempty: {}\n"),
            (
                "modules/a/manifests/init.pp",
                "class a(Enum['x'] $x, Array $all, String $y, Optional[Enum['a']] $z = undef) {\n  \
                 notice($z ? { undef => 1, 'a' => 2 })\n  if $z { notice($z ? { 'a' => 2 }) }\n  if $x == 'x' { $one = 1 }\n  if $all { $two = 2 }\n  \
                 unless defined('$three') { $three = 3 }\n  if $y == 'a' { $four = 4 }\n  if $y != 'a' { $four = 5 }\n  \
                 if $y =~ /b/ { $five = 5 }\n  if $y =~ /b/ { notice($five) }\n  notice($one, $two, $three, $four)\n  \
                 lookup('rows').each |$row| {\n    if $row['kind'] == 'a' { a::d { 'x': port => $row['port'] } }\n    \
                 notice($row['port'])\n  }\n  $label = lookup('name')\n  if $label { a::d { $label: port => 1 } }\n  \
                 $empty = lookup('empty')\n  unless $empty.empty { notice($empty['a']['b']) }\n  \
                 $all.each |$one| { notice($one) }\n  $all.each |$one| { if $one == 1 { return(1) } }\n  \
                 notice($trusted['extensions']['pp_role'], $facts['os']['family'] =~ /(?i:redhat)/)\n  \
                 notify { 'x': schedule => 'daily' }\n}\n",
            ),
            ("modules/a/manifests/d.pp", "define a::d(Integer $port) { }\n"),
        ],
    ),
    (
        "regular expressions that some string of the form matches",
        &[(
            "modules/a/manifests/init.pp",
            "class a(String $x, Pattern[/^\\d+%$/] $p, Enum['a', 'b'] $e) {\n  if \"${x}-y\" =~ /^a.*-y$/ { notice($0) }\n  \
             $low = $x.downcase\n  if $low =~ /(?i:AGENT)/ { }\n  if $p =~ /\\d%/ { }\n  if split($x, '/')[0] =~ /a(b)c/ { notice($1) }\n  \
             if $x { $c = 'a-b' } else { $c = $x }\n  if $c =~ /^z$/ { }\n  if $x in ['a', 'b'] { notice($e == $x) }\n  \
             if $x =~ /(?<n>a)/ { notice($1) }\n  $d = $x ? { /(a)(b)/ => \"${2}\", default => '' }\n  notice($d, split($x, ',')[0] == 'a')\n  \
             notice(scanf($x, '%i'), regsubst($x, '-', '_', 'G'), regsubst('-', '-', '_'))\n}\n",
        )],
    ),
    (
        "titles and references that variables hold",
        &[(
            "modules/a/manifests/init.pp",
            "class a($names, String $notified = 'Service[web]') {\n  $one = 'web'\n  service { $one: }\n  $two = { 'x' => {} }\n  \
             package { $names: }\n  $names.each |$one| { package { $one: } }\n  \
             notify { 'x': require => Package['other'], notify => $notified }\n  notify { 'y': require => Service['web'] }\n}\n",
        )],
    ),
    (
        "types that overlap, values that differ between turns, and titles in lambdas",
        &[
            (
                "modules/a/manifests/d.pp",
                "define a::d(Optional[String[1]] $o, Optional[Struct[{ port => Integer }]] $s = undef) { }\n",
            ),
            (
                "modules/a/templates/t.epp",
                "<%- | Integer $port | -%>\n<%= $port %><% [1].each |$x| { %> <%= $x %> <% } %>\n",
            ),
            (
                "modules/a/manifests/init.pp",
                "class a(Optional[String] $o = undef, Variant[String, Array[String]] $v, Optional[Struct[{ port => Integer }]] $s = undef) {\n  \
                 a::d { 'x': o => $o, s => $s }\n  if $v =~ Array { notice(1) } elsif $v =~ String { notice(2) } else { fail('x') }\n  \
                 if $v =~ String[1] { notice(1) } else { notice($v.upcase) }\n  if $s { notice(epp('a/t.epp', $s)) }\n  \
                 file { default: mode => '0600'; '/x': * => { 'mode' => '0644' } }\n  \
                 [true, false].each |$x| { if $x { $t = 'a' } else { $t = 'b' } notify { $t: } }\n  \
                 notice($facts['x'].reduce |$m, $x| { $m + $x }, $facts['x'].reduce(0) |$m, $x| { $m + $x['n'] })\n  \
                 notice($facts['x'].reduce |$m, $x| { $m + { $m['n'] => $x['n'] } }, $o ? { '*' => 1, default => 2 })\n  \
                 with($o) |Optional[Stdlib::Host] $h| { assert_type(Optional[Stdlib::IP::Address::V6], $h) }\n  \
                 with($o) |Pattern[/a/] $h| { assert_type(Pattern[/^b/], $h) }\n  \
                 ['c', 'd'].each |$x| { $t = \"${x}-\" notify { $t: } }\n  \
                 ['e'].each |$x| { notify { $x: require => Exec[\"/${x}\"] } }\n  \
                 ['e'].each |$x| { exec { \"/${x}\": require => Notify[$x] } }\n}\n",
            ),
        ],
    ),
    (
        "what core resource types take",
        &[(
            "modules/a/manifests/init.pp",
            "class a(String $x, Optional[Integer] $n) {\n  cron { 'x': command => '/x', hour => ['*/2', 5, '1-3/2'], minute => \
             '05', weekday => 'Monday', month => 'jan', monthday => absent }\n  cron { 'y': command => '/x', special => absent, \
             hour => $n }\n  file { '/x': mode => 'u=rw,go=r', source => ['puppet:///modules/a/x', '/y', 'https://x', 'C:/x'] }\n  \
             file { ['C:\\x', \"${x}/y\", $x]: ensure => '/x' }\n  file { 'y': path => '/y', content => Sensitive('y') }\n  \
             file { default: path => '/z'; 'z': ensure => 'python3' }\n  exec { 'x y': path => '/bin', timeout => '0.5' }\n  \
             exec { 'y': command => \"${x}/y\", unless => ['/bin/x', 'C:\\y'], environment => 'A=b', umask => '022' }\n  \
             exec { 'z': provider => shell }\n  exec { 'q': * => { 'path' => '/bin' } }\n  package { 'x': ensure => '1.2-3' }\n  \
             package { 'y': ensure => 'stable' }\n  user { 'x': groups => ['a', 'b c'], expiry => absent, password_max_age => '-1' }\n  \
             host { 'x': ip => 'fe80::1', host_aliases => ['a', 'b'] }\n  mount { '/m': options => 'ro,noatime', atboot => yes }\n  \
             tidy { '/t': age => '1w', size => '5k', recurse => 1 }\n  schedule { 's': range => '22:30 - 4', weekday => ['Mon', 3] }\n  \
             notify { 'x': tag => ['a::b', $x], noop => true }\n  ssh_authorized_key { 'x': target => '/x', key => 'AAAA' }\n}\n",
        )],
    ),
    (
        "a default of all manifests gives commands their path",
        &[
            ("manifests/site.pp", "Exec { path => '/bin' }\n"),
            ("modules/a/manifests/init.pp", "class a { exec { 'ls': unless => 'test -f /x' } }\n"),
        ],
    ),
    (
        "resources that are declared once in each turn, or on different ways",
        &[(
            "modules/a/manifests/init.pp",
            "class a(String $x, Hash $h) {\n  $h.each |$k, $v| { notify { $k: } }\n  $h.each |$k, $v| { $y = \"y ${k}\" notify { $y: } }\n  \
             ['b'].each |$k| { notify { $x: } }\n  $h.each |$k, $v| { if $k == 'c' { notify { 'c': } } }\n  \
             $h.each |$k, $v| { unless $v { next() } notify { 'd': } }\n  $h.filter |$k, $v| { $v }\n  \
             if $x == 'e' { file { $x: } } else { file { $x: } }\n  notify { \"f ${x}\": } notify { \"g ${x}\": }\n}\n",
        )],
    ),
    (
        "references to what may be declared by other means",
        &[
            (
                "modules/a/manifests/init.pp",
                "class a(String $x) {\n  package { 'tool': } package { \"tool-${x}\": } ensure_packages(['tools', 'toolx'])\n  \
                 create_resources('service', { 'serve' => {} })\n  service { 'server': name => 'servers' }\n  $all = ['mailer']\n  \
                 service { $all: } service { 'mailers': }\n  user { 'tool1': } $kind = 'group' Resource[$kind] { 'toolz': }\n  \
                 notify { 'x': require => [Package['tools'], Package['tool-1'], Service['serve'], Service['servers'], User['tool2'], \
                 Service['mailer'], Group['toolz'], Package['else'], Package[$x], Class['a::p']] }\n  \
                 if defined(Package['toolq']) { Package['toolq'] -> Notify['x'] }\n  contain a::b\n}\n",
            ),
            ("modules/a/manifests/b.pp", "class a::b { $c = ['a::p'] include $c }\n"),
            ("modules/a/manifests/p.pp", "# @api private\nclass a::p { Class['a::p'] -> Package['tool'] }\n"),
        ],
    ),
    (
        "numbers with a comma may be one value",
        &[("modules/a/types/p.pp", "type A::P = Variant[Integer[1, 2], Enum['2,1']]\n")],
    ),
    (
        "a chain of conditions may be complete without `else`",
        &[(
            "modules/a/functions/f.pp",
            "function a::f(Enum['a', 'b'] $x) >> String {\n  if $x == 'a' { 'one' } elsif $x == 'b' { 'two' }\n}\n",
        )],
    ),
    (
        "a file that a module copies is no program",
        &[
            ("modules/a/manifests/init.pp", "class a { file { '/x': source => 'puppet:///modules/a//web.pp' } }\n"),
            (
                "modules/a/manifests/several.pp",
                "class a::several {\n  file { '/x': source => ['puppet:///modules/a/no', 'puppet:///modules/a/web.pp'] }\n}\n",
            ),
            ("modules/a/files/web.pp", "module web 1.0;\n"),
        ],
    ),
    (
        "the body of `default` sets attributes of the others, and is no resource",
        &[
            ("modules/a/manifests/d.pp", "define a::d(String $p, Integer $q) { }\n"),
            (
                "modules/a/manifests/init.pp",
                "class a {\n  a::d {\n    default: p => 'x';\n    'one': q => 1;\n    'two': q => 2;\n  }\n}\n",
            ),
        ],
    ),
    (
        "metaparameters are variables of what is declared with them",
        &[(
            "modules/a/manifests/d.pp",
            "define a::d() {\n  if defined('$notify') { notice($notify) }\n  notice($require, $tag)\n}\n",
        )],
    ),
    (
        "every class has a title, a name and a module",
        &[("modules/a/manifests/init.pp", "class a {\n  notice($a::title, $a::name, $a::module_name)\n}\n")],
    ),
    (
        "a defined type inside of a class has its name in front",
        &[(
            "modules/a/manifests/init.pp",
            "class a {\n  define b(String $x) { notice($x) }\n  a::b { 'c': x => 'd' }\n}\n",
        )],
    ),
    (
        "a template for several classes has variables of each, and some that are tested",
        &[
            ("modules/a/manifests/init.pp", "class a(String $user_name) {\n  notice(template('a/t.erb'))\n}\n"),
            ("modules/a/manifests/b.pp", "class a::b(String $user_nama) {\n  notice(template('a/t.erb'))\n}\n"),
            ("modules/a/templates/t.erb", "<%= @user_nama %><% if @user_namo %><%= @user_namo %><% end %>\n"),
        ],
    ),
    (
        "data of other nodes may have no value",
        &[
            (
                "hiera.yaml",
                "version: 5\nhierarchy:\n  - name: all\n    paths: ['nodes/%{trusted.certname}.yaml', common.yaml]\n",
            ),
            ("data/common.yaml", "b::list: [x]\n"),
            ("data/nodes/a.yaml", "b::list: ~\n"),
            ("modules/a/manifests/init.pp", "class a {\n  notice(lookup('b::list', Array[String]))\n}\n"),
        ],
    ),
    (
        "of a class that several files declare, one of them counts",
        &[
            ("manifests/a.pp", "class config {\n  $x = 1\n}\n"),
            ("manifests/b.pp", "class config {\n  $y = 1\n}\n"),
            ("modules/a/manifests/init.pp", "class a {\n  notice($config::x, $config::y)\n}\n"),
        ],
    ),
    (
        "functions for plans of Bolt have its types",
        &[("modules/a/functions/f.pp", "function a::f(TargetSpec $on) >> ResultSet {\n  $on\n}\n")],
    ),
    (
        "`undef` as the default value of a lookup is none",
        &[("modules/a/manifests/init.pp", "class a {\n  notice(lookup('x::y', Array, undef, undef))\n}\n")],
    ),
    (
        "a Sensitive inside of a Hash is one",
        &[
            ("modules/a/manifests/b.pp", "class a::b(Hash[String, Sensitive[String]] $h) { }\n"),
            ("modules/a/manifests/init.pp", "class a {\n  class { 'a::b': h => { 'x' => Sensitive('y') } }\n}\n"),
        ],
    ),
    (
        "the name of an attribute may stand in the next line",
        &[
            (
                "modules/a/lib/puppet/type/a_thing.rb",
                "Puppet::Type.newtype(:a_thing) do\n  newparam(\n    :path, namevar: true\n  )\n  newproperty(:size)\nend\n",
            ),
            ("modules/a/manifests/init.pp", "class a {\n  a_thing { 'x': path => '/x', size => 1 }\n}\n"),
        ],
    ),
    (
        "`lookup` reads a key without quotes, plans have a hierarchy, and a level may be out of sight",
        &[
            (
                "hiera.yaml",
                "version: 5\nhierarchy:\n  - name: vault\n    lookup_key: hiera_vault\n  - name: common\n    \
                 path: common.yaml\nplan_hierarchy:\n  - name: plans\n    path: plans.yaml\n",
            ),
            ("data/plans.yaml", "{}\n"),
            ("data/common.yaml", "a::b::color: red\na::b::size: \"%{lookup('a::b::colour')}\"\n"),
            (
                "modules/a/manifests/init.pp",
                "class a {\n  notice(lookup(a::b::color), lookup('a::b::siez'), lookup('a::b::size'))\n}\n",
            ),
        ],
    ),
    (
        "the data of nodes may be elsewhere",
        &[
            (
                "hiera.yaml",
                "version: 5\nhierarchy:\n  - name: nodes\n    path: \"nodes/%{trusted.certname}.yaml\"\n  - name: common\n    \
                 path: common.yaml\n",
            ),
            ("data/common.yaml", "a::b::color: red\na::b::size: \"%{lookup('a::b::colour')}\"\n"),
            ("modules/a/manifests/init.pp", "class a {\n  notice(lookup(a::b::color), lookup('a::b::size'))\n}\n"),
        ],
    ),
    (
        "conditions may be false, relationships hold in other branches, and dollars are for others",
        &[
            (
                "modules/a/manifests/init.pp",
                "class a(Boolean $x, Optional[Integer] $y = undef, Optional[String] $z = undef) {\n  \
                 if $z.empty or $y.then |$one| { $one } { notice(1) }\n  if $facts['a'].size > 1 { notice(2) }\n  \
                 notice($y ? { undef => 1, 5 => 3 }, $z ? { undef => 1, '' => 2 })\n  \
                 if $x { Notify['m'] -> Notify['n'] } else { Notify['n'] -> Notify['m'] }\n  notify { ['m', 'n']: }\n  \
                 notify { 'o': require => Notify['m'] } -> notify { 'p': require => Notify['m', 'o'] }\n  \
                 notice('for z in *; do echo ${z}; done', '${other}', '${z[@]}', \"\\${z}\")\n}\n\
                 class a::b {\n  Notify['p'] -> Notify['o']\n}\n",
            ),
            (
                "manifests/site.pp",
                "node 'm' {\n  notify { 'm': before => Notify['n'] }\n  notify { 'n': }\n}\n\
             node 'n' {\n  notify { 'n': before => Notify['m'] }\n  notify { 'm': }\n}\n",
            ),
        ],
    ),
    (
        "a module that is declared has names of its own",
        &[
            ("Puppetfile", "mod 'puppet/weba', '1.0.0'\n"),
            (
                "modules/web/manifests/init.pp",
                "class web(Weba::Port $port = 80) {\n  notice(weba::f(1))\n  weba_thing { 'x': }\n}\n",
            ),
            ("modules/web/functions/f.pp", "function web::f($x) { 1 }\n"),
            (
                "modules/web/lib/puppet/type/web_thing.rb",
                "Puppet::Type.newtype(:web_thing) do\n  newparam(:name)\nend\n",
            ),
        ],
    ),
    (
        "levels read files by patterns, and keys may be looked up by names that are made at run time",
        &[
            (
                "hiera.yaml",
                "version: 5\nhierarchy:\n  - name: a\n    path: \"nodes/%{facts.place}.yaml\"\n  - name: b\n    \
                 globs: [\"teams/**/*.yaml\", \"{sites,zones}/[a-m]?.yaml\"]\n  - name: c\n    \
                 mapped_paths: [services, s, \"s/%{s}.yaml\"]\n  - name: d\n    path: x,y.yaml\nplan_hierarchy:\n  \
                 - name: p\n    path: plans.yaml\n",
            ),
            ("data/nodes/x/y.yaml", "a::size: 1\n"),
            ("data/teams/one/two/z.yaml", "plain: 1\n"),
            ("data/zones/b1.yaml", "other: 2\n"),
            ("data/s/web.yaml", "third: 3\n"),
            ("data/x,y.yaml", "fourth: 4\n"),
            ("data/plans.yaml", "fifth: 5\n"),
            (
                "modules/a/manifests/init.pp",
                "class a(Integer $size) {\n  ['plain'].each |$key| { notice(lookup($key)) }\n}\n",
            ),
            ("manifests/site.pp", "include a\n"),
        ],
    ),
    (
        "a class may be declared with values elsewhere, and what `reduce` carries changes from turn to turn",
        &[
            ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
            ("data/common.yaml", "{}\n"),
            (
                "modules/a/manifests/init.pp",
                "class a(Integer $size) {\n  $last = [1, 2].reduce(undef) |$memo, $x| {\n    \
                 if $memo =~ Integer { $memo + $x } else { $x }\n  }\n  $text = [1].reduce('') |$memo, $x| { \"${memo}${x}\" }\n  \
                 notice($last, $text, Integer('0x1F'), ['x'] + 'y', '5' + 1)\n}\n",
            ),
            ("manifests/site.pp", "class { 'a': size => 1 }\ninclude a\n"),
        ],
    ),
    (
        "values of attributes are compared as Puppet does, and what decides by other means is not known",
        &[
            THING,
            PORT,
            MADE,
            (
                "modules/a/manifests/init.pp",
                "class a(Boolean $on, Enum['a', 'z'] $list, Hash $more) {\n  a_thing { 'x':\n    ensure => present,\n    \
                 mode => 'quick',\n    list => ['a', $list],\n    flag => 'yes',\n    level => 1,\n    own => 'z',\n  }\n  \
                 a_thing { 'y': mode => x12, list => undef, flag => $on, level => Sensitive('1') }\n  \
                 a_port { 'x': number => 80 }\n  a_port { 'y': * => $more }\n  a_made { 'x': size => 'any' }\n  \
                 package { 'x': environment => ['A=b'], ensure => '1.0' }\n  \
                 service { 'x': ensure => $on, enable => 'mask', hasstatus => Deferred('upcase', ['x']) }\n  notify { 'z': loglevel => debug }\n}\n",
            ),
        ],
    ),
    (
        "a module for Puppet 7 has legacy facts, other modules add facts of their own, and variables have any name",
        &[
            (
                "modules/a/metadata.json",
                "{\"requirements\": [{\"name\": \"puppet\", \"version_requirement\": \">= 6.0.0 < 8.0.0\"}], \
                 \"dependencies\": [{\"name\": \"puppet/b\", \"version_requirement\": \"\"}]}\n",
            ),
            ("modules/a/manifests/init.pp", "class a {\n  notice($::osfamily, $hostname, $facts['fqdn'])\n}\n"),
            ("modules/b/lib/facter/domain.rb", "Facter.add(:memory) do\nend\n"),
            ("manifests/site.pp", "$architecture = 'x'\ninclude a\n"),
            (
                "modules/b/manifests/init.pp",
                "class b($hostname) {\n  $id = 5\n  notice($domain, $::architecture, $facts['memory']['sytem'], $hostname, $id, \
                 $facts['os']['lsb'], $facts['mine']['familly'], $facts['os']['release']['full'])\n}\n",
            ),
        ],
    ),
    (
        "a class may have the name of a type alias, and attributes may come from a variable",
        &[
            ("modules/a/types/b.pp", "type A::B = String\n"),
            ("modules/a/manifests/b.pp", "class a::b(A::B $x) { }\n"),
            ("modules/a/manifests/init.pp", "class a(Hash $all) {\n  class { 'a::b': * => $all }\n}\n"),
            ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
            ("data/common.yaml", "a::all: {}\n"),
        ],
    ),
    (
        "blocks, assigned lists, merge strategies and files of all the forms that Puppet accepts",
        &[
            LOCAL,
            ("modules/a/functions/f.pp", "function a::f(String $x, Integer $y = 1, Any *$rest) { $x }\n"),
            ("modules/a/metadata.json", "{\"version\": \"1.2.0-rc.1\", \"dependencies\": []}\n"),
            (
                "modules/a/manifests/init.pp",
                "class a(Array $list, Array[Integer, 2, 2] $pair, Optional[String] $source = undef) {\n  \
                 $h = { 'k' => 1 }\n  $h.each |$pair_of| { notice($pair_of) }\n  $h.each |$k, $v| { notice($k, $v) }\n  \
                 [1].each |*$all| { notice($all) }\n  notice([1].reduce |$m, $x, $more = 1| { $m })\n  \
                 notice($source.lest || { 1 }, $source.then |$x| { $x }, [2, 1].sort |$p, $q| { compare($p, $q) })\n  \
                 with(1, 2, 3) |$p, *$q| { notice($p, $q) }\n  notice(lookup('x', Any, 'first') |$key| { $key })\n  \
                 [$b, $c] = $list\n  [$d, $e] = [*$list]\n  [$f, $g] = a::local('noon', 5)\n  [$i, $j] = $pair\n  \
                 notice(lookup('a', Any, undef, 1), lookup('b', { 'merge' => 'unique', 'default_value' => 1 }))\n  \
                 notice(lookup({ 'name' => 'c', 'merge' => { 'strategy' => 'deep' }, 'default_value' => 1 }))\n  \
                 file { '/x': content => 'a', source => undef, mode => 'u=rw,go=r', recurse => true }\n  \
                 file { '/y': content => 'a', source => $source, mode => '01777', recurse => 'remote' }\n  \
                 file { '/z': ensure => link, target => '/y', mode => undef }\n}\n",
            ),
        ],
    ),
    (
        "what an unknown type accepts is not known",
        &[(
            "modules/a/manifests/init.pp",
            "class a(Hash[String, Variant[Other::Port, String]] $ports = { 'x' => 80 }) { }\n",
        )],
    ),
    (
        "a branch that is not reached is not judged, nor a variable that a condition narrows",
        &[
            ("modules/a/functions/n.pp", "function a::n(Integer $x) { $x }\n"),
            ("modules/a/manifests/d.pp", "define a::d(Integer $n = 1) { }\n"),
            (
                "modules/a/manifests/init.pp",
                "class a(Boolean $on, Enum['x', 'y'] $e, Variant[String, Integer] $v, String $s) {\n  \
                 $n = $on ? { true => 1, false => undef }\n  if $on { a::n($n) }\n  a::d { 'd': n => $n }\n  \
                 a::n($e ? { 'x' => 1, 'y' => 2, default => $e })\n  a::n($v ? { Integer => $v, default => 3 })\n  \
                 $m = $s ? { 'a' => undef, default => 2 }\n  unless $m { fail('no') }\n  a::n($m)\n  \
                 a::n($s ? { 'a' => 1, default => fail('no') })\n  service { 's': enable => if $on { true } }\n  \
                 case $s {\n    'a': { $q = 1 }\n    default: { $q = 'z' }\n  }\n  if $s == 'a' { a::n($q) }\n}\n",
            ),
        ],
    ),
    (
        "created resources get defaults, and blocks of Hashes get pairs",
        &[
            ("modules/a/manifests/d.pp", "define a::d(Integer $size, String $name_of = 'x') { }\n"),
            (
                "modules/a/manifests/init.pp",
                "class a(Hash[String, Hash] $more) {\n  \
                 create_resources('@a::d', { 'x' => { 'name_of' => 'y' }, 'z' => { size => 2, tag => 'q' } }, { 'size' => 1 })\n  \
                 create_resources(a::d, $more)\n  $more.each |Tuple $pair| { notice($pair[0]) }\n  \
                 $more.reduce({}) |Hash $all, Array $pair| { $all + { $pair[0] => 1 } }\n  \
                 class { 'a::b': }\n  include a::b\n  \
                 notice(inline_epp('<%- | Integer $q = 1, $r | -%><%= $q %>', { 'r' => 1 }))\n}\n",
            ),
            ("modules/a/manifests/b.pp", "class a::b(Optional[String] $loglevel = undef) { }\n"),
        ],
    ),
    (
        "conditions exclude what a branch sets",
        &[
            (
                "modules/a/functions/s.pp",
                "function a::s(Array[Struct[{ one => Integer, two => String }]] $x, Struct[{ one => Integer, two => String }] $y) { $x + $y }\n",
            ),
            ("modules/a/functions/n.pp", "function a::n(Integer $x) { $x }\n"),
            ("modules/a/manifests/d.pp", "define a::d(Integer $size, String $clear = '') { }\n"),
            (
                "modules/a/manifests/init.pp",
                "class a(String $text, Enum['red', 'green'] $color, Optional[Sensitive[String]] $secret = undef) {\n  \
                 if $text == 'x' { $one = 1 } else { $one = 'none' }\n  \
                 if $text == 'x' { notice(a::n($one)) }\n  notice($one =~ Integer and a::n($one))\n  \
                 [1].each |$i| { if $one =~ Integer { notice(a::n($one)) } }\n  \
                 $two = $text ? { 'x' => 1, default => undef }\n  unless $two { fail('no') }\n  notice(a::n($two))\n  \
                 case $color { 'red': { $three = 1 } 'green': { $three = 2 } default: { $three = undef } }\n  \
                 notice(a::n($three))\n  if $text in ['z'] { fail('no') }\n  \
                 $four = $text ? { 'z' => 'z', default => 4 }\n  notice(a::n($four))\n  \
                 case fact('is_virtual') { 'true', true: { notice(1) } default: { } }\n  \
                 if defined('$five') { notice($five) }\n  $five = 5\n  \
                 if $color == 'red' { notice($color ? { 'red' => 1 }) }\n  \
                 if $secret { a::d { 'x': size => 1, clear => $secret.unwrap } }\n  \
                 $six = $text ? { 'x' => 'a', default => 'b' }\n  notice($six ? { 'a' => 1, false => 2 })\n  \
                 a::d { 'y': * => { 'size' => 'x' } + $facts['more'] }\n  \
                 notice(a::s([{ 'one' => 1 } + $facts['more']], { 'one' => 1 } + $facts['more']))\n}\n",
            ),
        ],
    ),
    (
        "a manifest may define a type alias, and Ruby a type",
        &[
            (
                "modules/a/manifests/b.pp",
                "type Person = Struct[{name => String}]\nclass a::b(Array[Person] $people = [], A::Made $made = undef) {\n  \
                 $people.each |Person $one| { notice($one['name']) }\n}\n",
            ),
            ("modules/a/lib/puppet/datatypes/a/made.rb", "Puppet::DataTypes.create_type('A::Made') do\nend\n"),
            ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
            ("data/common.yaml", "a::b::people:\n  - name: 'x'# the first\n"),
        ],
    ),
    (
        "a class that is not there may declare what is only alike",
        &[
            ("Puppetfile", "mod 'other/b'\n"),
            (
                "modules/a/manifests/init.pp",
                "class a {\n  include b\n  notify { 'the tools': } -> notify { 'x': require => Notify['the toolz'] }\n}\n",
            ),
        ],
    ),
    (
        "texts and patterns that look alike",
        &[
            (
                "modules/a/manifests/s.pp",
                "define a::s(Array[Struct[{ one => Variant[Array[Integer], Integer] }]] $s) { }\n",
            ),
            (
                "modules/a/manifests/init.pp",
                "class a(String $text, Regexp $pattern, Hash[String, String] $h, Variant[Struct[{ a => String }], Hash] $v) {\n  \
                 notice($pattern == $facts['x'], /a/ == /b/, $pattern == /a/, $text == '^a$', $facts['kernel'] == 'Linux', $facts['x'] == '$6$ab', $facts['x'] == 'C:\\data')\n  \
                 case $text { '^': { notice(1) } 'a$': { notice(2) } '/a/': { notice(3) } default: { notice(4) } }\n  \
                 notice($text.split('/a/'), regsubst($text, '/+/', '^/'), $text.match('/\\\\$/'), $text =~ Pattern[/^a$/])\n  \
                 notice(versioncmp($text, '1') ? { -1 => 'a', 0 => 'b', 1 => 'c' })\n  \
                 $h.each |$pair| { notice(\"${pair[0]} ${pair[1]}\") }\n  $h.each |$k, $v| { notice(\"${k} ${v}\") }\n  \
                 with($h) |$x| { notice(\"${x}\") }\n  [[1, 2], [3, 4]].each |$x| { notice($x) }\n  \
                 a::s { 'x': s => [{ 'one' => [$facts['x']] }, { 'one' => $facts['x'] }] }\n  \
                 class { 'a::v': v => { 'b' => $facts['x'], 'c' => $text } }\n  \
                 notice(lookup('a::h', Hash, { 'strategy' => 'deep', 'knockout_prefix' => '--' }, {}))\n}\n",
            ),
            ("modules/a/manifests/v.pp", "class a::v(Variant[Struct[{ a => String }], Hash] $v) { }\n"),
        ],
    ),
    (
        "what no branch leaves without a value",
        &[(
            "modules/a/manifests/init.pp",
            "class a(String $text, Enum['red', 'green'] $color) {\n  \
             case $color { 'red': { $one = 1 } 'green': { $one = 2 } default: { } }\n  notice($one)\n  \
             if $text == 'x' { $two = 1 } elsif $text == 'y' { $two = 2 }\n  notice($two)\n  \
             if $text == 'x' { $three = 1 } else { notice(1) }\n  if $text =~ /x/ { notice($three) }\n  \
             [1].each |$i| { if $text =~ /x/ { notice($three) } }\n  \
             case $text { 'x': { $four = 1; $is_four = true } default: { $is_four = false } }\n  \
             if $is_four { notice($four) }\n  if $text == 'q' { $five = 1 } else { notice(2) }\n  \
             if $text != 'q' { fail('q') }\n  notice($five)\n  if $text == 'x' { $six = 1 } else { notice(3) }\n  \
             if defined('$six') { notice($six) }\n  case $facts['os']['family'] { 'RedHat': { $seven = 1 } default: { } }\n  \
             notice($seven)\n  if $text == 'x' { $eight = 1 } else { if $color == 'red' { fail('x') } }\n  \
             unless $color == 'red' { notice($eight) }\n  \
             if $text == 'x' { $nine = 1 } else { notice(4) }\n  if $text == 'y' { $nine = 2 notice($nine) } else { notice(5) }\n}\n",
        )],
    ),
    (
        "a class may not be for all that another is for",
        &[
            (
                "modules/a/manifests/params.pp",
                "class a::params {\n  case $facts['os']['family'] {\n    \
                 'RedHat': { $one = 1 $two = 2 $three = 3 $four = 4 $five = undef }\n    'AIX': { $one = 1 $five = 5 }\n    \
                 'Debian': { $one = 1 $two = 2 $three = 3 $four = 4 }\n    default: { fail('no') }\n  }\n}\n",
            ),
            (
                "modules/a/manifests/init.pp",
                "class a(\n  Integer $one = $a::params::one,\n  Integer $two = $a::params::two,\n  $three = $a::params::three,\n  \
                 Integer $four = $a::params::four,\n  Optional[Integer] $five = $a::params::five,\n) inherits a::params { }\n",
            ),
        ],
    ),
    (
        "types and functions of stdlib, comparisons and patterns",
        &[(
            "modules/a/manifests/init.pp",
            "class a(Stdlib::Port $p = 80, Stdlib::Filemode $m = 'u=rw,go=', Stdlib::Host $h = '10.0.0.1', \
             Array[Stdlib::IP::Address] $i = ['::1', 'fe80::1/64', '10.0.0.0/8'], Stdlib::Filesource $f = 'puppet:///modules/a/x', \
             Stdlib::Absolutepath $w = 'C:\\x', Optional[Enum['b', 'c']] $q = undef, String $t = 'x') {\n  \
             notice(bool2str($q == 'B', 'yes', 'no'), concat([], $t), split($t, '[.]'), split(',a', $t), regsubst($t, '.', ''))\n  \
             if $q =~ /^[bd]/ or $p >= 65535 or $facts['os']['family'] == 'redhat' or $facts['os']['name'] == 'CentOS' { notice(1) }\n  \
             case $q { undef: { notice(2) } /c/: { notice(3) } default: { notice(4) } }\n  \
             notice(getvar('a::t'), getvar('elsewhere::t'))\n}\n",
        )],
    ),
    (
        "a function in Ruby may have its methods from elsewhere",
        &[
            (
                "modules/a/lib/puppet/functions/a/r.rb",
                "Puppet::Functions.create_function(:'a::r') do\n  # dispatch :no do\n  dispatch :one do\n    \
             param 'Variant[String, ' \\\n      'Integer]', :x\n    optional_param \"Enum['a']\", :y\n    \
             block_param 'Callable', :block\n  end\n  dispatch :two do\n    param 'A::Type', :x\n  end\n  \
             include Further\n\n  def one(x, y = 1)\n    1\n  end\nend\n",
            ),
            ("modules/a/types/type.pp", "type A::Type = String\n"),
        ],
    ),
];

/// Bodies of a class with a mistake in the last line, and a part of the message about it. Beside it are `a::f`, which takes and
/// returns a String, `a::h` with a Hash of Integers, and data.
const ALONE: &[(&str, &str)] = &[
    (
        "notice($facts['x'].reduce({}) |$sum, $one| { if $one { $sum + { $one => 1 } } })",
        "the next turn is given undef",
    ),
    (
        "case $facts['x'] { String: { notice(1) } 'false': { notice(2) } default: { } }",
        "this branch is never reached: an earlier one matches String",
    ),
    ("if !empty(text) { notice(1) }", "write $text"),
    ("if text != '' { notice(1) }", "text is a string here, not the variable"),
    ("notice($text ? { 'a' => 1, 'default' => 2 })", "'default' matches only this very string"),
    (
        "package { 'x': tag => 'a-packages' }\n  Package <| tag == 'a-package' |> { ensure => present }",
        "no collector asks for 'a-packages', which is set",
    ),
    ("@@host { 'x': tag => \"a-${text}-b\" }\n  Host <<| tag == \"a-b-${text}\" |>>", "for 'a-${…}-b', which is set"),
    (
        "if versioncmp($text, '1.0') { notice(1) }",
        "the condition is always true: Integer[-1, 1] is never false or undef",
    ),
    ("if $text == 'x' and $text.length { notice(1) }", "compare it, as in `… > 0`"),
    ("if { a => 1 } in $text { notice(1) }", "is never `in` a String"),
    ("[1].each |$value, $idx| { notice($value, $idx) }", "write |$idx, $value|"),
    ("notice({ a => 1 }.filter |$v, $k| { $k > 0 })", "$v gets the key or index, and $k the value"),
    ("if $text in [56, 57] { notice(1) }", "no value of String is in the list"),
    ("notice(lookup('elsewhere::tree', []))", "argument 2 of lookup: expected Optional[Type]"),
    (
        "if $text == 'a' { notice(1) } elsif $text == 'b' { notice(2) } elsif $text == 'a' { notice(3) }",
        "this branch is never reached: an earlier one has the same condition",
    ),
    ("notice(\"PATH=$facts['path']\")", "write ${facts['path']}"),
    ("notice(\"CN=$trusted['certname']\")", "write ${trusted['certname']}"),
    ("notice({ a => 1 }.filter |$pair| { !empty($pair) })", "give it two parameters: |$key, $value|"),
    ("file { '/x': source => '/y', content => inline_template('x') }", "a file cannot have both content and source"),
    ("unless $facts['x'] or split($text, ',') { notice(1) }", "to ask whether it is empty call `empty`"),
    (
        "$facts['x'].each |Optional[Integer] $size| { notice($size ? { undef => 1 }) }",
        "no option of the selector matches a value of type Integer",
    ),
    (
        "notify { 'one': before => Notify['two'] } -> notify { 'three': } -> notify { 'two': }\n  \
         notify { 'four': notify => Notify['one'], require => Notify['three'] }",
        "dependency cycle: Notify['four'] -> Notify['one'] -> Notify['three'] -> Notify['four']",
    ),
    ("notify { 'one': require => [Notify['one']] }", "dependency cycle: Notify['one'] -> Notify['one']"),
    ("notice('a/${text}')", "`${text}` is not replaced in a string without interpolation"),
    ("notice('I said ${lookup(\\'a::text\\')}')", "is not replaced in a string without interpolation"),
    (
        "lookup('elsewhere::rows').each |$row| { a::d { \"${row}\": size => $row['port'] } }",
        "expected Integer, got undef",
    ),
    ("lookup('elsewhere::rows').each |Hash $row| { $p = $row['port']\n  a::n($p) }", "expected Integer, got undef"),
    ("notice(lookup('elsewhere::tree.leaf', Integer))", "'elsewhere::tree.leaf' expected Integer"),
    (
        "notice(lookup('elsewhere::tree')['stem']['x'])",
        "`lookup('elsewhere::tree')['stem']` is undef, which has no parts",
    ),
    ("notice(lookup('elsewhere::tree.leaf') ? { 'a' => 1 })", "no option of the selector matches String 'x'"),
    (
        "$found = lookup('elsewhere::none', Optional[String], 'first', undef)\n  notice($found ? { NotUndef => 1 })",
        "no option of the selector matches undef",
    ),
    ("assert_type({ 'a' => 1 } + $facts['mine'], Hash)", "got a value of type Hash"),
    ("notice(lookup({ name => 'a::txt' }))", "did you mean 'a::text'?"),
    ("notice($trusted['cert_name'])", "did you mean 'certname'?"),
    ("$pairs = { 'a' => 1 }.each |$k, $v| { if $v > 0 { [$v, $k] } else { [1, $k] } }", "did you mean map?"),
    ("if $text == 'x' { $y = 1 }\n  notice($y)", "has no value here"),
    ("case $text { '/^a\\d/': { notice(1) } default: { } }", "a string is compared as it is"),
    ("if $facts['os']['family'] =~ /^redhat$/ { }", "a regular expression is case-sensitive, and the fact is 'RedHat'"),
    ("assert_type(Sensitive, $facts['mine'].unwrap)", "the asserted value"),
    (
        "$kind = $color ? { 'red' => 't', 'green' => 'u' }\n  notice(epp(\"a/${kind}.epp\", { 'port' => 1 }))",
        "'a/u.epp' is not in",
    ),
    (
        "exec { '/bin/reload-web-app': }\n  notify { 'x': require => Exec['/bin/restart-web-app'] }",
        "did you mean '/bin/reload",
    ),
    ("schedule { 'at night2': }\n  notify { 'x': schedule => 'at night' }", "did you mean 'at night2'?"),
    ("[{ 'size' => 1 }].each |Hash $one| { notice($one['sise']) }", "has no key 'sise'"),
    ("if \"${text}-x\" =~ /^(a|b)$/ { }", "no value of `\"${text}-x\"` matches it"),
    ("$low = $text.downcase\n  if $low =~ /Agent/ { }", "no value of `$low` matches it"),
    ("$last = split($text, '/')[-1]\n  if $last =~ /a\\/b/ { }", "no value of `$last` matches it"),
    ("notice(upcase($text) ? { /[a-z]/ => 1, default => 2 })", "no value of `upcase($text)` matches it"),
    ("notice(split($text, ',')[0] > 3)", "cannot compare Variant[String, Undef] with Integer"),
    ("$facts['mine'].each |$one| { if $one == String { } }", "to test the type write =~ String"),
    ("$key = \"a::${text}\"\n  notice(lookup($key, Hash, {}))", "missing key 'strategy'"),
    ("if $text =~ /(a)b/ { notice($2) }", "the regular expression has 1 group"),
    ("case $text { /a(b)(c)/: { notice($3) } default: { } }", "the regular expression has 2 groups"),
    ("notice(regsubst('-', '_', $text, 'G'))", "write the text first"),
    ("notice(scanf('%i', $text))", "write the text first"),
    ("notice($facts['os']['arch'])", "did you mean 'architecture'?"),
    ("notice(lookup('a::text', { value_type => Integer, default_value => 1 }))", "'a::text' expected Integer"),
    ("notice(lookup('a::no', { value_type => Integer, default_value => 'x' }))", "the default value of the lookup"),
    ("$n = lookup('a::other', Array[String], 'first', [])\n  a::d { 'x': size => $n }", "got a value of type Array"),
    ("$all = ['Web']\n  package { $all: }\n  notify { 'x': require => Package['web'] }", "did you mean 'Web'?"),
    ("service { 'nginx.service': }\n  notify { 'x': require => Service['nginx'] }", "did you mean 'nginx.service'?"),
    ("$s = 'x'\n  $s = 'y'", "cannot reassign variable $s"),
    ("$text = 'x'", "cannot reassign variable $text"),
    ("$facts = {}", "$facts is a reserved variable"),
    ("notify { 'x': message => 'a', message => 'b' }", "the attribute message is set twice"),
    ("notify { default: message => 'a'; default: message => 'b'; 'x': }", "two defaults"),
    ("notify { 'x': }\n  notify { 'x': }", "notify['x'] is declared twice"),
    ("file { '/x': mode => 0440 }", "quote it: '0440'"),
    ("class { 'a::h': h => { 'k' => $text } }", "['k']: expected Integer, got a value of type String"),
    ("$h = { 'k' => 'v' }\n  class { 'a::h': h => $h }", "['k']: expected Integer, got String 'v'"),
    ("$h = { 'h' => { 'k' => 'v' } }\n  class { 'a::h': * => $h }", "['k']: expected Integer, got String 'v'"),
    ("$h = { 'port' => 'v' }\n  notice(epp('a/t.epp', $h))", "the parameter $port of"),
    ("[1, 2].each |String $x| { notice($x) }", "the parameter $x expects String, but is given Integer"),
    ("['a'].each |$x| { a::n($x) }", "expected Integer, got a value of type String"),
    ("a::f([1, 2].map |$x| { $x * 2 })", "expected String, got a value of type Array[Integer]"),
    ("a::f([2, 1].sort)", "expected String, got a value of type Array[Integer]"),
    ("a::f([1, 2].filter |$x| { $x > 1 })", "expected String, got a value of type Array[Integer]"),
    ("a::f(if $text == 'x' { 1 } else { 2 })", "expected String"),
    ("a::f(unless $text == 'x' { 1 } else { 2 })", "expected String"),
    ("a::n([1, 2].reduce('') |$m, $x| { \"${m}${x}\" })", "expected Integer, got a value of type String"),
    ("with(1) |String $x| { notice($x) }", "the parameter $x expects String, but is given Integer"),
    ("assert_type(Integer, 'x')", "the asserted value expected Integer, got String 'x'"),
    ("notice(Integer('abc'))", "abc"),
    ("notice('a' + 'b')", "`+` needs a number, got String 'a'"),
    ("notice(1 * 'abc')", "`*` needs a number, got String 'abc'"),
    ("notice($color * 2)", "`*` needs a number, got a value of type Enum['green', 'red']"),
    ("notice(lookup('elsewhere::number', Integer))", "'elsewhere::number' expected Integer, got String 'many'"),
    ("notice(lookup('a::other', Integer, 'first', 'x'))", "the default value of the lookup expected Integer"),
    ("notice($color ? { 'red' => 1 })", "no option of the selector matches String 'green'"),
    ("$s = Sensitive('x')\n  notice(\"a ${s}\")", "[value redacted] instead of what is in the Sensitive"),
    (
        "$o = if $text == 'x' { Sensitive('x') } else { undef }\n  notice(\"a ${o}\")",
        "[value redacted] instead of what is in the Sensitive",
    ),
    ("type_of(Struct[{name => string}])", "`string` is a String here, not a type"),
    ("notice($facts['os']['familly'])", "the fact os has no key 'familly'"),
    (
        "exec { '/bin/reload-web': } -> notify { 'x': require => Exec['/bin/reload_web'] }",
        "nothing declares exec '/bin/reload_web'",
    ),
    ("if $facts['is_virtual'] == 'true' { notice($text) }", "`==` is always false"),
    ("if $facts['os']['release']['major'] > 7 { notice($text) }", "String"),
    ("notice($facts['processor']['count'])", "no core fact is called processor"),
    ("if $text != 'a' or $text != 'b' { notice($text) }", "`or` is always true"),
    ("if $text == 'a' and $text == 'b' { notice($text) }", "`and` is always false"),
    ("notice(sprintf('%s %s', $text))", "the format needs at least 2 arguments, got 1"),
    ("notice(regsubst($text, 'a(', ''))", "this `(` is never closed"),
    ("notice(template('a/t.epp'))", "`template` is for ERB"),
    ("notice(epp(\"${module_name}/nosuch.epp\"))", "'a/nosuch.epp' is not in module a"),
    ("if $text == 'x' { $y = 1 } else { $y = 2 }\n  $y = 3", "cannot reassign variable $y"),
    ("case $color { 'red': { $y = 1 } default: { $y = 2 } }\n  $y = 3", "cannot reassign variable $y"),
    ("notice($facts['os']['release']['mayor'])", "the fact os has no key 'mayor'"),
    ("notice(fact('networking.hostnam'))", "the fact networking has no key 'hostnam'"),
    ("notice($::osfamily)", "osfamily is a legacy fact"),
    ("notice($lsbdistcodename)", "lsbdistcodename is a legacy fact"),
    ("notice($facts['ipaddress'])", "ipaddress is a legacy fact"),
    (
        "package { 'x': environment => 'A=b', mark => 'held' }",
        "mark of resource type package expected Enum['hold', 'none']",
    ),
    ("service { 'x': ensure => 'runing' }", "expected Enum['false', 'running', 'stopped', 'true']"),
    ("user { 'x': ensure => $color }", "got a value of type Enum['green', 'red']"),
    (
        "a_thing { 'x': mode => 'Fast' }",
        "expected Enum['fast', 'quick', 'slow'] or Pattern[/^x\\d+$/], got String 'Fast'",
    ),
    ("a_thing { 'x': list => ['a', 'c'] }", "expected Enum['a', 'b'], got String 'c'"),
    ("a_thing { 'x': flag => 'True' }", "the attribute flag of resource type a_thing expected"),
    ("a_thing { 'x': level => '3' }", "expected Enum['1', '2'], got String '3'"),
    ("a_thing { 'x': ensure => 'presnt' }", "expected Enum['absent', 'present']"),
    ("a_port { 'x': number => '80' }", "the attribute number of resource type a_port expected Integer"),
    ("a_port { 'x': numbr => 80 }", "resource type a_port has no parameter numbr"),
    ("a_made { 'x': szie => 80 }", "resource type a_made has no parameter szie"),
    ("[1, 2].each |$i, $x, $y| { notice($i, $x, $y) }", "each needs a block with 1 or 2 parameters, this one has 3"),
    ("notice([1, 2].reduce |$x| { $x })", "reduce needs a block with 2 parameters, this one has 1"),
    ("notice($text.lest |$none| { 1 })", "lest needs a block with 0 parameters, this one has 1"),
    ("notice($text.then || { 1 })", "then needs a block with 1 parameter, this one has 0"),
    ("with(1, 2) |$q = 1, $r| { notice($q, $r) }", "the required parameter $r is after the optional $q"),
    ("[$q, $r, $s] = [1, 2]", "3 variables for 2 values"),
    ("[$q] = a::local('noon')", "1 variable for 2 values"),
    ("notice(a::local('midnight'))", "expected Enum['evening', 'nightly', 'noon']"),
    ("notice(a::local('noon', 60))", "expected Integer[0, 59]"),
    ("notice(lookup('a::text', String, 'deeper'))", "did you mean 'deep'?"),
    ("notice(lookup('a::text', { 'merge' => { 'strategy' => 'uniq' } }))", "got String 'uniq'"),
    ("notice(lookup('a::text', String, { 'merge_hash_arrays' => true }))", "missing key 'strategy'"),
    (
        "notice(lookup('a::text', String, { 'strategy' => 'deep', 'merge_hash_arays' => true }))",
        "did you mean 'merge_hash_arrays'?",
    ),
    ("if $facts['x'] == /^a/ { notice($text) }", "a string is never equal to a regular expression"),
    ("if /^a/ != $text { notice($text) }", "a string is never equal to a regular expression"),
    ("case $text { '^(a|b)$': { notice(1) } default: { notice(2) } }", "write /^(a|b)$/ without quotes"),
    ("notice($facts['os']['name'] ? { 'Debian|Ubuntu' => 1, default => 2 })", "compared as it is"),
    ("if fact('os.release.full') == '/^7/' { notice($text) }", "write /^7/ without quotes"),
    ("notice(match($text, '/\\.erb$/'))", "the slashes are part of what is looked for"),
    ("notice($text.split('/^,/'))", "the slashes are part of what is looked for"),
    ("notice(versioncmp($text, '1') ? { -1 => 'a', 1 => 'b' })", "no option of the selector matches Integer 0"),
    ("notice($facts['os']['hardwaremodel'])", "did you mean 'hardware'?"),
    ("{ 'k' => 1 }.each |$pair| { notice(\"a ${pair}\") }", "$pair is a pair here, not one value"),
    ("a::s { 'x': s => [{ 'one' => 1, 'thre' => $text }] }", "[0]: unknown key 'thre'"),
    ("a::s { 'x': s => [{ 'one' => $text, 'two' => $color }] }", "[0]['one']:"),
    ("a::s { 'x': s => [{ 'two' => $color }] }", "[0]: missing key 'one'"),
    ("notice(a::far($text))", "a::far expects 2 arguments, got 1"),
    ("ensure_resources('a::d', { 'x' => { 'size' => 1, 'sise' => 2 } })", "defined type a::d has no parameter sise"),
    ("file { '/x': content => \"a ${text}\", source => '/y' }", "a file cannot have both content and source"),
    ("file { '/x': mode => '0844' }", "the attribute mode of resource type file expected"),
    ("file { '/x': mode => 'rw-r--r--' }", "the attribute mode of resource type file expected"),
    ("file { '/x': recurse => remotely }", "the attribute recurse of resource type file expected"),
    ("class { 'a::h': * => {} }", "class a::h needs the parameter h"),
    ("class { 'a::h': }", "class a::h needs the parameter h"),
    ("a::n(if $text == 'x' { 1 } else { 'two' })", "expected Integer, got String 'two'"),
    ("a::n($text ? { 'x' => 1, default => undef })", "expected Integer, got undef"),
    ("a::n(if $text == 'x' { 1 })", "expected Integer, got undef"),
    ("create_resources('a::d', { 'x' => { 'size' => 1, 'sise' => 2 } })", "defined type a::d has no parameter sise"),
    ("create_resources('a::d', { 'x' => {} })", "defined type a::d needs the parameter size"),
    ("create_resources('a::d', { $title => { 'size' => 1, 'sise' => 2 } })", "defined type a::d has no parameter sise"),
    (
        "create_resources('a::d', { 'x' => { 'size' => 1 }, $title => {} })",
        "defined type a::d needs the parameter size",
    ),
    (
        "create_resources('a::d', { 'x' => {} }, { 'size' => 'big' })",
        "parameter size of defined type a::d expected Integer",
    ),
    ("create_resources('class', { 'a::h' => { 'h' => 5 } })", "the parameter h of class a::h expected Hash"),
    ("notice(inline_epp('<%- | Integer $q | -%><%= $q %>', { 'q' => 'z' }))", "the parameter $q of in this call"),
    ("notice(epp('a/t.epp', { 'port' => 1 } + { 'prot' => 2 }))", "has no parameter $prot"),
    ("n(1)", "unknown function n"),
    ("file { '/x': source => 'puppet:///modules/a/no.conf' }", "'a/no.conf' is not in module a"),
    (
        "file { '/x': source => $color ? { 'red' => 'puppet:///modules/a/red', default => undef } }",
        "'a/red' is not in module a",
    ),
    ("case $text { 'a', CentOS: { notice(1) } default: { notice(2) } }", "CentOS without quotes is a type"),
    ("notice($text ? { CentOS => 1, default => 2 })", "quote it: 'CentOS'"),
    ("if $text == CentOS { notice($text) }", "quote it: 'CentOS'"),
    ("{ 'k' => 1 }.each |String $pair| { notice($pair) }", "the parameter $pair expects String, but is given Tuple"),
    ("{ 'k' => 1 }.reduce('') |$all, Hash $pair| { $all }", "the parameter $pair expects Hash, but is given Tuple"),
    ("Sensitive('x').then |String $clear| { notice($clear) }", "the parameter $clear expects String"),
    ("include a::h\n  class { 'a::h': h => {} }", "class['a::h'] is declared twice"),
    ("notify { 'x': loglevel => 'loud' }", "the attribute loglevel of resource type notify expected"),
    ("cron { 'x': command => '/x', hour => 24 }", "the attribute hour of resource type cron"),
    ("cron { 'x': command => '/x', minute => [0, '60'] }", "the attribute minute of resource type cron"),
    ("cron { 'x': command => '/x', hour => '1,2' }", "the attribute hour of resource type cron"),
    ("cron { 'x': command => '/x', weekday => 'Mo' }", "the attribute weekday of resource type cron"),
    ("cron { 'x': command => '/x', special => 'dayly' }", "the attribute special of resource type cron"),
    ("cron { 'x': command => '/x', special => 'daily', hour => 1 }", "a cron cannot have both special and hour"),
    ("mailalias { 'x': file => '/x', recipient => 'y' }", "a mailalias cannot have both recipient and file"),
    ("file { '/x': source => 'modules/a/x' }", "the attribute source of resource type file"),
    ("file { '/x': source => ['puppet:///modules/a/x', 's3://x'] }", "the attribute source of resource type file"),
    ("file { '/x': content => 5 }", "the attribute content of resource type file"),
    ("file { 'x': ensure => file }", "the title of a file is its path, which has to be absolute"),
    ("file { ['/x', \"y/${text}\"]: ensure => file }", "the title of a file is its path"),
    ("file { '/x': ensure => 'diretory' }", "'diretory' is not what file resources call it"),
    ("file { '/x': ensure => 'installed' }", "'installed' is not what file resources call it"),
    ("package { 'x': ensure => 'lastest' }", "'lastest' is not what package resources call it"),
    ("user { 'x': groups => 'a,b' }", "the attribute groups of resource type user"),
    ("user { 'x': expiry => 'never' }", "the attribute expiry of resource type user"),
    ("group { 'x': gid => 'x' }", "the attribute gid of resource type group"),
    ("host { 'x': ip => '10.0.0.256' }", "the attribute ip of resource type host"),
    ("mount { '/x': options => 'ro, noatime' }", "the attribute options of resource type mount"),
    ("schedule { 'x': range => '22 - 25' }", "the attribute range of resource type schedule"),
    ("tidy { '/x': age => '5 days' }", "the attribute age of resource type tidy"),
    ("ssh_authorized_key { 'x': type => 'rsa', key => 'AAAA' }", "an ssh_authorized_key needs user or target"),
    ("ssh_authorized_key { 'x': user => 'x', key => 'ssh-rsa AAAA' }", "the attribute key of resource type"),
    ("exec { 'systemctl restart x': }", "exec does not find 'systemctl'"),
    ("exec { '/bin/x': unless => \"test -f ${text}\" }", "exec does not find 'test'"),
    ("exec { '/bin/x': creates => 'x' }", "the attribute creates of resource type exec"),
    ("exec { '/bin/x': environment => ['A=b', 'C'] }", "the attribute environment of resource type exec"),
    ("exec { '/bin/x': timeout => '5s' }", "the attribute timeout of resource type exec"),
    ("exec { '/bin/x': umask => 0022 }", "the attribute umask of resource type exec"),
    ("notify { $text: } notify { $text: }", "notify[$text] is declared twice"),
    ("notify { \"x ${text}\": } notify { ['y', \"x ${text}\"]: }", "notify[\"x ${text}\"] is declared twice"),
    ("[$text, $color].each |$x| { notify { $color: message => $x } }", "each turn declares notify[$color] again"),
    ("range(1, 5).each |$x| { notify { ['x', \"y ${x}\"]: } }", "each turn declares notify['x'] again"),
    ("package { 'tool': } service { 'x': require => Package['tools'] }", "did you mean 'tool'?"),
    ("notify { \"${text}: x on y\": } notify { 'y': require => Notify['x on y'] }", "nothing declares notify 'x on y'"),
    ("a::d { 'others': size => 1 } -> A::D['other']", "nothing declares a::d 'other'"),
    ("notify { 'x': require => [Class['a'], Class['A::P']] }", "nothing declares class 'A::P'"),
    ("a::d { 'one two thr': size => 1 } -> A::D['two one three']", "nothing declares a::d 'two one three'"),
    ("if $text == 'x' { $port = 1 } else { $the_port = 2 } notice($port)", "$port has no value here after the branch"),
    (
        "case $text { 'x': { $q = 1 } 'y': { } default: { fail() } } notice($q)",
        "the branch in line 2, which does not set it",
    ),
    ("if $text == 'x' { $q = 1 } elsif $color == 'red' { } else { $q = 2 } notice(\"${q}\")", "$q has no value here"),
    ("unless $text == 'x' { $q = 1 } else { notice(1) } [1].each |$i| { notice($q) }", "$q has no value here"),
    ("if $text == 'x' { if $color == 'red' { $q = 1 } else { notice(1) } notice($q) }", "$q has no value here"),
    ("[1].each |$i, $val| { notice($i, $value) }", "did you mean $val?"),
    (
        "case $text { 'x': { notify { 'a-b': } } default: { notify { 'q': require => Notify['a-b'] } } }",
        "only another branch declares notify 'a-b'",
    ),
    (
        "notify { 'Some-Repo': } notify { 'x': require => Notify['some-repo'], message => 'some-repo' }",
        "did you mean 'Some-Repo'?",
    ),
    (
        "exec { \"/bin/make cert ${text}\": } -> exec { '/x': require => Exec[\"/bin/make certificate ${text}\"] }",
        "did you mean '/bin/make cert ${…}'?",
    ),
    (
        "notify { 'reload the web': } notify { 'x': require => Notify['the web reload'] }",
        "did you mean 'reload the web'?",
    ),
    ("$q = $text ? { 'x' => 1, default => 'two' } a::n($q)", "expected Integer, got String 'two'"),
    ("if $text == 'x' { $q = 1 } else { $q = 'two' } a::n($q)", "expected Integer, got String 'two'"),
    ("case $text { 'x': { $q = 1 } 'y': { $q = [] } default: { fail() } } a::n($q)", "expected Integer, got Array []"),
    ("$q = $color ? { 'red' => 1, default => 'two' } a::n($q)", "expected Integer, got String 'two'"),
    (
        "$q = $text ? { 'x' => '%s %s', default => '%s' } notice(sprintf($q, 1))",
        "the format needs at least 2 arguments",
    ),
    ("if $text == 'x' { $q = 1 } else { fail('y') } $q = 2", "cannot reassign variable $q"),
    ("if $text == 'x' { $q = 1 } else { notice($q) }", "nothing sets the variable $q before this place"),
    ("notice($later) $later = 1", "nothing sets the variable $later before this place"),
    ("[1].each |$i| { $inner = $i } notice($inner)", "nothing sets the variable $inner before this place"),
    ("notice(fact('os.release.major') ? { 7 => 1, default => 2 })", "never matches 7"),
    ("notice($facts.get('is_virtual') == 'true')", "have no value in common"),
    ("notice($facts.dig('os', 'relase'))", "did you mean 'release'?"),
    ("notice(getvar('facts.os.familly'))", "did you mean 'family'?"),
    ("notice(fact('dmi.product_name'))", "did you mean 'product.name'?"),
    ("notice($facts['os']['codename'])", "did you mean 'distro.codename'?"),
    (
        "with($facts['x']) |Variant[String, Array, Integer] $q| { notice($q ? { String => 1, Array => 2 }) }",
        "no option of the selector matches a value of type Integer",
    ),
    ("notice($color ? { /^r/ => 1 })", "no option of the selector matches String 'green'"),
    ("a::n(Sensitive(Sensitive('x')).unwrap)", "expected Integer, got a value of type String"),
    ("a::n($text.upcase)", "expected Integer, got a value of type String"),
    ("a::n(with(1) |$x| { 'a' })", "expected Integer, got a value of type String"),
    ("a::n({ 'q' => { 'r' => 'x' } }.dig('q', 'r'))", "expected Integer, got a value of type String"),
    ("$q = { 'port' => 1 } notice($q['prot'])", "did you mean 'port'?"),
    ("notice(package['nginx'])", "did you mean Package[…]?"),
    ("notice($text['x'])", "expected an Integer as the position in a String, got 'x'"),
    ("$q = { 'port' => 1 } notice($q['port']['x'])", "`[]` cannot use a value of type Integer"),
    ("a::d { 'x': * => { 'size' => 1 } + $facts['x'] + { 'sise' => 2 } }", "defined type a::d has no parameter sise"),
    (
        "$q = $text ? { 'x' => { size => 1 }, default => { sise => 1 } } a::d { 'x': * => $q }",
        "defined type a::d has no parameter sise",
    ),
    (
        "with($facts['x']) |Struct[{ size => Integer, tint => String }] $q| { a::d { 'x': * => $q } }",
        "defined type a::d has no parameter tint",
    ),
    ("with($facts['x']) |Stdlib::Port $q| { a::f($q) }", "expected String, got a value of type Stdlib::Port"),
    ("with(0640) |Stdlib::Filemode $q| { notice($q) }", "the parameter $q expects Stdlib::Filemode"),
    ("notice(bool2str('yes', 'no', $text))", "argument $value of bool2str: expected Boolean, got String 'yes'"),
    ("notice(split(',', $text))", "split searches this text for a pattern"),
    ("notice(regsubst('[.]', $text, ''))", "regsubst searches this text for a pattern"),
    (
        "assert_type(Optional[Integer], lookup('a::other', Optional[String], 'first', undef))",
        "got a value of type Optional[String]",
    ),
    (
        "$v = lookup('a::other', Variant[String, Array[String]], 'first', [])\n  if $v =~ String { notice(1) } else { a::f($v) }",
        "expected String, got a value of type Array[String]",
    ),
    (
        "$v = lookup('a::other', Optional[Array], 'first', [])\n  if !($v =~ Array) { notice(1) } else { a::f($v) }",
        "expected String, got a value of type Array",
    ),
    (
        "$s = lookup('a::other', Struct[{ port => Integer, Optional[prot] => String }], 'first', { 'port' => 1 })\n  notice(epp('a/t.epp', {} + $s))",
        "$s may have the key 'prot'",
    ),
    ("$h = { 'mode' => '0644' }\n  file { '/x': * => $h, mode => '0600' }", "the attribute mode is set twice"),
    (
        "if $text == 'x' { $h = { 'mode' => '0644' } } else { $h = {} }\n  file { '/x': mode => '0600', * => $h }",
        "$h sets it, too",
    ),
    ("[1, 2].each |$x| { $t = \"/a/${text}\" file { $t: content => \"${x}\" } }", "each turn declares file[$t] again"),
    (
        "notify { \"n ${text}\": require => Notify[$color] }\n  notify { $color: require => Notify[\"n ${text}\"] }",
        "dependency cycle: Notify[",
    ),
    (
        "notice($facts['mine'].reduce |$all, $one| { $all + { $one['name'] => 1 } })",
        "without a start value it becomes $all",
    ),
    ("notice($facts['mine'].reduce |$sum, $one| { $x = $one['size'] $sum + $x })", "what the sum begins with"),
    ("notice($facts['mine'] ? { /^a/ => 1, '*' => 2 })", "write `default`"),
    (
        "with($facts['x']) |Optional[Stdlib::Host] $q| { assert_type(Optional[Stdlib::Absolutepath], $q) }",
        "got a value of type Optional[Stdlib::Host]",
    ),
    (
        "exec { '/bin/reload-web': }\n  $h = { 'x' => { 'require' => Exec['/bin/reload_web'] } }",
        "nothing declares exec '/bin/reload_web'",
    ),
    ("notice(split($text, '.'))", "which does not mean the sign itself"),
    ("with($facts['x']) |Optional[Enum['b', 'c']] $q| { notice($q == 'd') }", "`==` is always false"),
    ("with($facts['x']) |Optional[Enum['b', 'c']] $q| { notice($q =~ /^d/) }", "no value of type"),
    ("notice(versioncmp($text, '2') > 1)", "`>` is always false"),
    ("notice($facts['os']['family'] == 'CentOS')", "os.family is 'RedHat' on CentOS"),
    ("notice(getvar('a::h::g'))", "class a::h sets no variable $g"),
];

/// A function in Ruby with types of its own.
const LOCAL: (&str, &str) = (
    "modules/a/lib/puppet/functions/a/local.rb",
    "Puppet::Functions.create_function(:'a::local') do\n  local_types do\n    # Of an hour.\n    type 'Minute = Integer[0, 59]'\n    \
     type \"Word   = Enum['nightly', 'noon', 'evening']\"\n  end\n\n  dispatch :at do\n    param 'Word', :word\n    \
     optional_param 'Minute', :minute\n    return_type 'Tuple[Integer, Minute]'\n  end\n\n  \
     def at(word, minute = 0)\n    [1, minute]\n  end\nend\n",
);

/// A function in Ruby with a type of a module that is not there.
const FAR: (&str, &str) = (
    "modules/a/lib/puppet/functions/a/far.rb",
    "Puppet::Functions.create_function(:'a::far') do\n  dispatch :far do\n    required_param 'Elsewhere::Address', :x\n    \
     required_param 'Integer', :y\n    return_type 'Elsewhere::Address'\n  end\n\n  def far(x, y)\n    x\n  end\nend\n",
);

/// A resource type in Ruby.
const THING: (&str, &str) = (
    "modules/a/lib/puppet/type/a_thing.rb",
    "Puppet::Type.newtype(:a_thing) do\n  @doc = \"That's a thing\"\n  ensurable\n  newparam(:name, namevar: true)\n  \
     newparam(:mode) do\n    newvalues(:fast, 'slow', /^x\\d+$/)\n    aliasvalue(:quick, :fast)\n  end\n  \
     newproperty(:list, array_matching: :all) do\n    newvalues(:a, :b)\n  end\n  \
     newparam(:flag, boolean: true, parent: Puppet::Parameter::Boolean) do\n    defaultto true\n  end\n  \
     newparam(:level) do\n    newvalues('1', '2')\n  end\n  newproperty(:own) do\n    newvalues(:a)\n    \
     validate { |value| true }\n  end\nend\n",
);

/// A resource type of the Resource API.
const PORT: (&str, &str) = (
    "modules/a/lib/puppet/type/a_port.rb",
    "require 'puppet/resource_api'\n\nPuppet::ResourceApi.register_type(\n  name: 'a_port',\n  attributes: {\n    \
     name: { type: 'String', desc: 'The {name', behaviour: :namevar },\n    # The number.\n    number: {\n      \
     type: 'Optional[Integer[1, 65535]]',\n      desc: <<DESC,\nThat's it: }\nDESC\n    },\n  },\n)\n",
);

/// What `puppet generate types` writes.
const MADE: (&str, &str) = (
    ".resource_types/a_made.pp",
    "Puppet::Resource::ResourceType3.new(\n  'a_made',\n  [\n    Puppet::Resource::Param(Integer, 'size')\n  ],\n  [\n    \
     Puppet::Resource::Param(Any, 'name', true)\n  ],\n  {},\n  true,\n  false)\n",
);

#[test]
fn mistakes_in_bodies_are_found() {
    for (at, (body, expected)) in ALONE.iter().enumerate() {
        let class = format!("class a(String $text, Enum['red', 'green'] $color) {{\n  {body}\n}}\n");
        let files = [
            ("environment.conf", ""),
            ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
            (
                "data/common.yaml",
                "elsewhere::number: many\na::text: x\na::color: red\nelsewhere::rows: [{port: 80}, {prot: 90}]\nelsewhere::tree: {leaf: x}\n",
            ),
            ("modules/a/manifests/init.pp", &*class),
            ("modules/a/manifests/h.pp", "class a::h(Hash[String, Integer] $h) { }\n"),
            ("modules/a/functions/f.pp", "function a::f(String $x) >> String { $x }\n"),
            ("modules/a/functions/n.pp", "function a::n(Integer $x) { $x }\n"),
            ("modules/a/manifests/d.pp", "define a::d(Integer $size) { }\n"),
            ("modules/a/manifests/p.pp", "# @api private\nclass a::p { }\n"),
            ("modules/a/templates/t.epp", "<%- | Integer $port | -%>\n<%= $port %>\n"),
            THING,
            PORT,
            MADE,
            LOCAL,
            FAR,
            (
                "modules/a/manifests/s.pp",
                "define a::s(Array[Struct[{ one => Integer, Optional[two] => Variant[String, Array[String]] }]] $s) { }\n",
            ),
        ];
        let all = findings(&format!("alone-{at}"), &files);
        let line = u64::try_from(class.lines().count() - 1).expect("a few lines");
        let says = |text: &Json| text.to_string().contains(Json::from(*expected).to_string().trim_matches('"'));
        let is_hit = |finding: &&Json| finding["line"] == line && (says(&finding["error"]) || says(&finding["help"]));
        assert!(all.iter().any(|finding| is_hit(&finding)), "{body}: {expected}\n{all:#?}");
        assert_eq!(all.len(), 1, "{body}: {all:#?}");
    }
}

#[test]
fn a_selector_has_an_option_for_each_operating_system_of_the_module() {
    let class = "class a {\n  notice($facts['os']['family'] ? { 'redhat' => 1 })\n  notice($facts['os']['name'] ? { /./ => 1 })\n  \
                 notice($facts['os']['family'] ? { 'Suse' => 1, default => 2 })\n  \
                 if $facts['kernel'] == 'Linux' { notice($facts['os']['family'] ? { 'Suse' => 1 }) }\n}\n";
    let files = [
        ("environment.conf", ""),
        (
            "modules/a/metadata.json",
            r#"{"operatingsystem_support": [{"operatingsystem": "CentOS"}, {"operatingsystem": "SLES"}]}"#,
        ),
        ("modules/a/manifests/init.pp", class),
    ];
    let all = findings("systems", &files);
    let said: Vec<_> = all.iter().map(|one| (one["error"].as_str(), one["line"].as_u64())).collect();
    assert_eq!(said, [(Some("no option of the selector matches String 'Suse'"), Some(2))]);
}

#[test]
fn the_puppetfile_lists_the_modules_of_all_classes_and_types() {
    let class =
        "class a {\n  include b\n  include c\n  c::site { 'x': }\n  include pe_repo\n  notice(b::f(1), d::f(1))\n}\n";
    let files =
        |puppetfile| [("environment.conf", ""), ("Puppetfile", puppetfile), ("modules/a/manifests/init.pp", class)];
    let all = findings("puppetfile", &files("mod 'other/b'\n# mod 'other/c'\n"));
    let said: Vec<_> = all.iter().map(|one| (one["error"].as_str(), one["line"].as_u64())).collect();
    let messages = ["unknown class c: there is no module c", "unknown resource type c::site", "unknown function d::f"];
    let expected = messages.into_iter().map(Some).zip([3, 4, 6].map(Some)).collect::<Vec<_>>();
    assert_eq!(said, expected);
    assert_eq!(findings("puppetfile-all", &files("mod 'other/b'\nmod 'other/c'\nmod 'other/d'\n")), Vec::<Json>::new());
}

#[test]
fn what_r10k_refuses_in_a_puppetfile_is_found() {
    let said = |puppetfile: &str| {
        let all = findings("puppetfile", &[("Puppetfile", puppetfile), ("manifests/site.pp", "")]);
        let said = all.iter().map(|one| format!("{}: {}", one["line"], one["error"].as_str().expect("a message")));
        said.collect::<Vec<_>>().join("; ")
    };
    for right in [
        "forge 'https://forge.puppet.com'\nmoduledir 'vendor'\nmod 'a/b', '1.0.0' # mod 'a/b'\nmod \"a/c\"\n",
        "mod 'b',\n  :git => \"https://x/#{'y'}\",\n  # the newest\n  branch: 'main'\nmod('c', :latest)\nmod 'd', local: true\n",
        "if ENV['TEST']\n  mod 'a/b', '1.0.0'\nelse\n  mod 'a/b', '2.0.0'\nend\n",
        "mod 'a', git: ENV['URL'] + '/a', ref: 'x'\n%w[b c].each { |name| mod \"a/#{name}\", '1' }\n",
    ] {
        assert_eq!(said(right), "", "{right}");
    }
    for (wrong, expected) in [
        ("mod 'a/b' '1.0.0'\n", "1: expected a comma before '1.0.0'"),
        ("mod 'b',\n  git: 'x'\n  tag: 'y'\nmod 'c'\n", "3: expected a comma before tag:"),
        ("mod 'b', :local => true :git => 'x'\n", "1: expected a comma before :git"),
        ("mod 'a/b', '1'\nmod 'c-b', '2'\n", "2: the module b is listed twice"),
        ("mod 'b', git: 'x', comit: 'y'\n", "1: r10k has no option comit"),
    ] {
        assert_eq!(said(wrong), expected, "{wrong}");
    }
}

#[test]
fn no_data_of_a_module_outside_the_puppetfile_is_looked_up() {
    let files = |puppetfile| {
        [
            ("environment.conf", ""),
            ("Puppetfile", puppetfile),
            ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
            ("data/common.yaml", "a::x: \"%{lookup('b::y')}\"\n"),
            ("modules/a/manifests/init.pp", "class a(String $x) { }\n"),
        ]
    };
    let all = findings("key-outside", &files("mod 'other/c'\n"));
    let said: Vec<_> = all.iter().map(|one| one["error"].as_str()).collect();
    assert_eq!(said, [Some("no data has the key 'b::y'")]);
    assert_eq!(findings("key-inside", &files("mod 'other/b'\n")), Vec::<Json>::new());
}

#[test]
fn the_name_of_a_host_has_no_dot_and_that_of_a_system_no_slash() {
    let paths = [
        ("trusted.hostname", 2),
        ("facts.networking.hostname", 2),
        ("trusted.certname", 1),
        ("::os.release.major", 1),
        ("trusted.extensions.pp_role", 0),
        ("facts.cloud.hostname", 0),
    ];
    for (path, unread) in paths {
        let levels = format!("version: 5\nhierarchy:\n  - name: nodes\n    path: \"nodes/%{{{path}}}.yaml\"\n");
        let files = [
            ("environment.conf", ""),
            ("hiera.yaml", &*levels),
            ("data/nodes/web.yaml", "a::x: 1\n"),
            ("data/nodes/db.example.org.yaml", "a::x: 2\n"),
            ("data/nodes/test/db.yaml", "a::x: 3\n"),
            ("modules/a/manifests/init.pp", "class a(Integer $x) { }\n"),
        ];
        let all = findings("hosts", &files);
        assert_eq!(all.len(), unread, "{path}: {all:#?}");
        assert!(all.iter().all(|one| one["error"] == "no level of hiera.yaml reads this file"), "{path}: {all:#?}");
    }
}

#[test]
#[cfg(unix)]
fn a_level_may_read_a_file_through_a_symbolic_link() {
    let levels = "version: 5\nhierarchy:\n  - name: systems\n    path: \"%{os.family}/%{os.name}.yaml\"\n";
    let files = [
        ("environment.conf", ""),
        ("hiera.yaml", levels),
        ("data/shared.yaml", "a::x: 1\n"),
        ("data/other.yaml", "a::y: 1\n"),
        ("data/debian/debian.yaml", "a::z: 1\n"),
        ("modules/a/manifests/init.pp", "class a(Integer $x, Integer $y, Integer $z) { }\n"),
    ];
    let folder = Folder::new("linked-data", &files);
    std::os::unix::fs::symlink("../shared.yaml", folder.path().join("data/debian/ubuntu.yaml")).expect("a link");
    let run = folder.run(&["check", "--format", "jsonl"]);
    assert_eq!(run.out.lines().count(), 1, "{}", run.out);
    assert!(run.out.contains("data/other.yaml"), "{}", run.out);
}

#[test]
fn a_key_that_is_like_a_parameter_of_its_class_is_unknown_though_a_level_cannot_be_read() {
    let levels =
        "version: 5\nhierarchy:\n  - name: secret\n    lookup_key: a::vault\n  - name: common\n    path: common.yaml\n";
    let common =
        "a::x: \"%{lookup('a::domain')}\"\na::y: \"%{lookup('a::password')}\"\na::z: \"%{lookup('a::word')}\"\n";
    let class = "class a(String $x, String $y, String $z, String $ipa_domain = 'd', $spoken = lookup('a::word')) {\n  \
                 notice($x, $y, $z, $ipa_domain, $spoken)\n}\n";
    let vault = "Puppet::Functions.create_function(:'a::vault') do\n  dispatch :vault do\n    param 'String', :key\n    \
                 param 'Hash', :options\n    param 'Puppet::LookupContext', :context\n  end\n  def vault(key, options, context)\n  end\nend\n";
    let files = [
        ("hiera.yaml", levels),
        ("data/common.yaml", common),
        ("modules/a/manifests/init.pp", class),
        ("modules/a/lib/puppet/functions/a/vault.rb", vault),
    ];
    let all = findings("like-a-parameter", &files);
    let said: Vec<_> = all.iter().map(|one| (one["error"].as_str(), one["line"].as_u64())).collect();
    assert_eq!(said, [(Some("no data has the key 'a::domain', and a no such parameter"), Some(1))]);
}

#[test]
fn values_that_are_merged_fit_the_merge_strategy() {
    let common = "lookup_options:\n  a::x: {merge: hash}\n  a::y: {merge: hash}\na::x: [1]\na::y: {b: 1}\n";
    let files = [
        ("hiera.yaml", "version: 5\nhierarchy:\n  - name: all\n    paths: [other.yaml, common.yaml]\n"),
        ("data/common.yaml", common),
        ("data/other.yaml", "a::x: [2]\na::y: {c: 1}\n"),
        ("modules/a/manifests/init.pp", "class a($x, $y) { notice($x, $y) }\n"),
    ];
    let all = findings("merged", &files);
    let said: Vec<_> = all.iter().map(|one| (one["error"].as_str(), one["line"].as_u64())).collect();
    let message = "cannot merge the values of 'a::x': expected a Hash for the merge strategy hash, got Array [2]";
    assert_eq!(said, [(Some(message), Some(2))]);
}

#[test]
fn a_branch_sets_all_default_values_of_another_class() {
    let params = "class a::params {\n  case $facts['os']['family'] {\n    'RedHat': { $one = 1 $two = 2 $three = 3 $four = 4 }\n    \
                  'Debian': { $one = 1 $tow = 2 $three = 3 $four = 4 }\n    default: { fail('no') }\n  }\n}\n";
    for two in ["Integer $two = $a::params::two", "$two = $three ? { 3 => $a::params::two, default => undef }"] {
        let class = format!(
            "class a(\n  Integer $one = $a::params::one,\n  {two},\n  $three = $a::params::three,\n  \
             Integer $four = $a::params::four,\n) inherits a::params {{ }}\n"
        );
        let files = [
            ("environment.conf", ""),
            ("modules/a/manifests/params.pp", params),
            ("modules/a/manifests/init.pp", &*class),
        ];
        let all = findings("params", &files);
        let said: Vec<_> = all.iter().map(|one| (one["error"].as_str(), one["line"].as_u64())).collect();
        let message = "the branch at modules/a/manifests/params.pp:4 does not set $a::params::two";
        assert_eq!(said, [(Some(message), Some(3))], "{two}");
    }
}

#[test]
fn a_branch_that_sets_all_but_one_of_many_variables_forgot_it() {
    let class =
        "class a(\n  Integer $one = $a::params::one,\n  String $four = $a::params::four,\n) inherits a::params { }\n";
    let said = |second: &str| {
        let params = format!(
            "class a::params {{\n  case $facts['os']['family'] {{\n    'RedHat': {{ $one = 1 $two = 2 $three = 3 $four = '4' }}\n    \
             default: {{ {second} }}\n  }}\n}}\n"
        );
        let files = [
            ("environment.conf", ""),
            ("modules/a/manifests/params.pp", &*params),
            ("modules/a/manifests/init.pp", class),
        ];
        let all = findings("params-few", &files);
        all.iter().map(|one| format!("{}: {}", one["line"], one["error"])).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        said("$one = 1 $two = 2 $three = 3"),
        "3: \"the branch at modules/a/manifests/params.pp:4 does not set $a::params::four\""
    );
    for right in ["$one = 1 $two = 2 $three = 3 $four = '5'", "$one = 1 $two = 2 $four = '5'", "$two = 2 $three = 3"] {
        assert_eq!(said(right), "", "{right}");
    }
}

#[test]
fn the_classes_in_a_chain_are_included() {
    let said = |body: &str, data: &str| {
        let files = [
            ("environment.conf", ""),
            (
                "hiera.yaml",
                "version: 5\nhierarchy:\n  - name: c\n    path: c.yaml\n  - name: far\n    lookup_key: vault\n",
            ),
            ("data/c.yaml", data),
            ("modules/a/manifests/init.pp", &*format!("class a {{\n  include a::b\n  {body}\n}}\n")),
            ("modules/a/manifests/b.pp", "class a::b { }\n"),
            ("modules/a/manifests/c.pp", "class a::c { }\n"),
            ("modules/d/manifests/e.pp", "class d::e { }\n"),
        ];
        let all = findings("chained", &files);
        let all = all.iter().filter(|one| one["issue"] == "UNKNOWN_RESOURCE");
        all.map(|one| format!("{}: {}", one["line"], one["error"])).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(said("Class['a::b'] -> Class['a::c']", "{}\n"), "3: \"nothing declares class 'a::c'\"");
    for (right, data) in [
        ("contain a::c\n  Class['a::b'] -> Class['a::c']", "{}\n"),
        // The classes of a node may be in data, and those of another module anywhere.
        ("Class['a::b'] -> Class['a::c']", "classes: ['a::c']\n"),
        ("Class['a::b'] -> Class['d::e']", "{}\n"),
    ] {
        assert_eq!(said(right, data), "", "{right}");
    }
}

#[test]
fn the_words_of_a_title_are_in_the_order_of_the_declaration() {
    let said = |title: &str| {
        let reference = format!("class a::b {{\n  notify {{ 'x': require => Exec['{title}'] }}\n}}\n");
        let files = [
            ("environment.conf", ""),
            ("modules/a/manifests/init.pp", "class a {\n  exec { 'create key for web user': path => '/bin' }\n}\n"),
            ("modules/a/manifests/b.pp", &*reference),
        ];
        findings("reordered", &files).iter().map(|one| one["help"].to_string()).collect::<Vec<_>>().concat()
    };
    assert_eq!(said("create key for user web"), "[\"did you mean 'create key for web user'?\"]");
    assert_eq!(said("create key for mail user"), "");
    assert_eq!(said("create key for web user"), "");
}

#[test]
fn variables_of_templates_in_erb_are_those_of_the_class() {
    let class = "class a(String $user_name) {\n  notice(template('a/t.erb'))\n}\n";
    let files = [
        ("environment.conf", ""),
        ("modules/a/manifests/init.pp", class),
        (
            "modules/a/templates/t.erb",
            "me@user_nama\n<% @x = 1 -%>\n<%= @user_nama %> <%= @x %> <%= @kernel %>\n<% if @username and @other -%>x<% end -%>\n<%= @user || 'x' %>\n",
        ),
    ];
    let all = findings("erb", &files);
    let said: Vec<_> = all.iter().map(|one| (one["error"].as_str(), one["line"].as_u64())).collect();
    let mistakes = [("nothing sets the variable @user_nama", 3), ("nothing sets the variable @username", 4)];
    assert_eq!(said, mistakes.map(|(message, line)| (Some(message), Some(line))));
}

#[test]
fn names_in_templates_are_those_of_classes_functions_and_facts() {
    let said = |template: &str| {
        let class = "class a(String $user) {\n  $hostname = 'h'\n  notice(template('a/s.erb', 'a/t.erb'))\n}\n";
        let files = [
            ("environment.conf", ""),
            ("modules/a/manifests/init.pp", class),
            ("modules/a/manifests/b.pp", "class a::b(Integer $port) { }\n"),
            ("modules/a/templates/s.erb", ""),
            ("modules/a/templates/t.erb", &format!("scope['a::none']\n{template}\n")),
        ];
        let all = findings("names-erb", &files);
        all.iter().map(|one| format!("{}: {}", one["line"], one["error"])).collect::<Vec<_>>().join("\n")
    };
    for right in [
        "<%= scope['a::b::port'] %><%= scope.lookupvar(\"::a::b::port\") %><%= scope['user'] %><%= scope[\"a::b::#{x}\"] %>",
        "<%# scope['a::b::none'] %><% # scope['a::b::none'] -%>",
        "<% if scope.has_variable?('a::b::none') %><%= scope['a::b::none'] %><% end %>",
        "<%= scope.call_function('split', ['a', 'b']) %><%= scope.function_template(['a/s.erb']) %><%= @hostname %>",
    ] {
        assert_eq!(said(right), "", "{right}");
    }
    for (wrong, expected) in [
        ("<%= scope['a::b::prot'] %>", "class a::b sets no variable $prot"),
        ("<% x = scope.lookupvar('::a::bb::port') %>", "unknown class a::bb"),
        ("<%= scope.lookupvar(\"hostnam\") %>", "nothing sets the variable hostnam"),
        ("<%= scope.lookupvar('::osfamily') %>", "osfamily is a legacy fact"),
        ("<%= @osfamily %>", "osfamily is a legacy fact"),
        ("<%= scope.call_function('versioncomp', ['1', '2']) %>", "unknown function versioncomp"),
        ("<%= scope.function_versioncomp(['1', '2']) %>", "unknown function versioncomp"),
    ] {
        assert!(said(wrong).starts_with(&format!("2: \"{expected}")), "{wrong}: {}", said(wrong));
    }
}

#[test]
fn what_data_give_a_parameter_fits_where_it_goes() {
    let said = |data: &str| {
        let class = "class a(Hash $h, Array $l, Hash $t, Hash $m, Hash $c = {}, Hash $d = {}, Hash $o = {}) {\n  \
                     $h.each |String $k, String $v| { notice($k, $v) }\n  \
                     map($l) |String $x| { $x }\n  notice(epp('a/t.epp', $t))\n  \
                     $m.each |String $k, String $v| { notice($k, $v) }\n  cron { 'x': * => $c }\n  \
                     $d.each |$k, $v| { cron { $k: * => $v } }\n  create_resources('a::d', $d)\n  \
                     $all = lookup('a::all', Hash)\n  $all.each |$k, $v| { a::d { $k: * => $v } }\n  \
                     if $t['port'] == 1 { cron { 'y': * => $o } } else { a::d { 'z': * => $o } }\n  \
                     lookup('a::two').each |$k, $v| { if $k == 'x' { cron { $k: * => $v } } }\n  \
                     create_resources('a::d', lookup('a::two', { 'merge' => 'deep' }))\n}\n";
        let merged = "class a::m(Hash $d = {}, Hash $e = {}, Hash $f = {}) {\n  \
                      unless empty($d) { create_resources(cron, $d, $e) }\n  \
                      $f.each |$k, Hash $v| { cron { $k: * => $v } }\n  \
                      if $f and $f['x'] { create_resources('a::d', $f) }\n}\n";
        // What is merged is in two levels.
        let merged_data = if data.contains("'x'") { "a::t: {port: 1}\n" } else { "" };
        let more = format!("a::all: {{}}\na::two: {{y: {{hours: 1}}}}\na::o: {{minute: 1}}\n{merged_data}");
        let files = [
            ("environment.conf", ""),
            ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    paths: [common.yaml, more.yaml]\n"),
            ("data/common.yaml", data),
            ("data/more.yaml", &*more),
            ("modules/a/manifests/init.pp", class),
            ("modules/a/manifests/m.pp", merged),
            ("modules/a/templates/t.epp", "<%- | Integer $port, $host = 'h' | -%><%= $port %><%= $host %>"),
            ("modules/a/manifests/d.pp", "define a::d(Integer $hour = 1) { }\n"),
        ];
        let all = findings("data-in-body", &files);
        all.iter()
            .map(|one| format!("{}: {} {}", one["line"], one["error"], one["help"]))
            .collect::<Vec<_>>()
            .join("\n")
    };
    for right in [
        "a::h: {x: '1'}\na::l: ['a']\na::t: {port: 80}\n",
        "a::h: {x: '%{facts.kernel}'}\na::l: []\na::t: {host: x, port: 1}\n",
        "lookup_options:\n  a::m: {convert_to: [Hash]}\n  a::t: {merge: hash}\na::m: [[x, 1]]\na::t: {host: 'x'}\n",
        "a::c: {command: /x, hour: 3}\na::d: {x: {hour: 3}}\na::all: {y: {hour: 4, tag: z}}\n",
        "lookup_options:\n  a::all: {merge: unique}\na::all: {x: {hours: 1}}\na::m::d: {x: '%{alias(\"a::o\")}'}\n",
        "lookup_options:\n  a::t: {merge: deep}\n  a::m::d: {merge: {strategy: deep, knockout_prefix: '-'}}\n\
         a::t: {host: 'x'}\na::m::d: {x: {hour: 1, minuts: '-'}}\na::m::e: {minute: '%{facts.x}', hour: 'ENC[x]'}\n",
        "a::m::d: {x: '%{alias(\"a::o\")}'}\na::m::f: {x: {hour: '%{alias(\"a::o\")}', '%{facts.x}': 1}}\n",
    ] {
        assert_eq!(said(right), "", "{right}");
    }
    for (wrong, expected) in [
        ("a::h: {x: 1}\n", "2: \"the parameter $v expected String, got Integer 1"),
        ("a::h: {1: x}\n", "2: \"the parameter $k expected String, got Integer 1"),
        ("a::l: ['a', true]\n", "3: \"the parameter $x expected String, got Boolean true"),
        ("a::t: {port: x}\n", "4: \"the parameter $port of modules/a/templates/t.epp expected Integer"),
        ("a::t: {prt: 1, port: 1}\n", "4: \"the template modules/a/templates/t.epp has no parameter $prt"),
        ("a::t: {}\n", "4: \"the template modules/a/templates/t.epp needs the parameter $port"),
        (
            "lookup_options:\n  a::t: {merge: hash}\na::t: {host: x}\n",
            "4: \"the template modules/a/templates/t.epp needs the parameter $port",
        ),
        ("a::c: {minutes: 3}\n", "6: \"resource type cron has no parameter minutes\" [\"did you mean minute?"),
        ("a::c: {hour: 30}\n", "6: \"the attribute hour of resource type cron expected"),
        ("a::d: {x: {command: y}}\n", "8: \"defined type a::d has no parameter command"),
        ("a::d: {x: {hour: 1, mnth: 2}}\n", "7: \"resource type cron has no parameter mnth"),
        ("a::all: {x: {hours: 1}}\n", "10: \"defined type a::d has no parameter hours\" [\"did you mean hour?"),
        (
            "lookup_options: {'^a::.*': {merge: hash}}\na::c: {minuts: 3}\n",
            "6: \"resource type cron has no parameter minuts",
        ),
        ("a::m::d: {x: {minuts: 3}}\n", "2: \"resource type cron has no parameter minuts"),
        ("a::m::d: {x: {hour: 3}}\na::m::e: {minute: 99}\n", "2: \"the attribute minute of resource type cron"),
        ("a::m::f: {x: {minute: '%{facts.x}', hour: 99}}\n", "3: \"the attribute hour of resource type cron"),
        ("a::m::f: {x: }\n", "3: \"the parameter $v expected Hash, got undef"),
        (
            "lookup_options: {'^a::.*': {merge: deep}}\na::m::f: {x: {hour: 1}, y: {hour: 99}}\n",
            "3: \"the attribute hour of resource type cron",
        ),
    ] {
        assert!(said(wrong).starts_with(expected), "{wrong}: {}", said(wrong));
    }
}

#[test]
fn what_no_data_sets_and_what_nothing_replaces_is_found() {
    let class = "class a(Optional[Array[Struct[{name => String}]]] $all = [], Scalar $size = 'many') {\n  \
                 include(lookup('classes', Array, 'unique'))\n  if $facts['x'] {\n    a::d { 'd': size => $size }\n  }\n  \
                 $all.flatten.each |$one| { notice($one['nam']) }\n  notice(epp('a/t.epp', { 'port' => 1 }))\n}\n";
    let files = [
        ("environment.conf", ""),
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - name: all\n    paths: ['nodes/%{trusted.certname}.yaml', common.yaml]\n",
        ),
        ("data/common.yaml", "classes: [a]\na::d::x: ENC[PKCS7,abc]\n"),
        ("data/nodes/n.yaml", "class: [a]\nclasses: [a, 'a-${facts.os.name}']\n"),
        ("modules/a/manifests/init.pp", class),
        ("modules/a/manifests/d.pp", "define a::d(Integer $size) { }\n"),
        ("modules/a/templates/t.epp", "<%= ' --port=${port}' -%>\n"),
    ];
    let all = findings("unset-data", &files);
    let said: Vec<String> = all.iter().map(|one| format!("{} {} {}", one["line"], one["error"], one["help"])).collect();
    let expected = [
        "the level of hiera.yaml that reads this file does not decrypt it",
        "did you mean classes?",
        "`${facts.…}` is not replaced in Hiera data",
        "this is the default of the parameter",
        "has no key 'nam'",
        "`${port}` is not replaced",
    ];
    for part in expected {
        assert!(said.iter().any(|one| one.contains(part)), "{part}: {said:#?}");
    }
    assert_eq!(said.len(), expected.len() + 1, "{said:#?}");
}

#[test]
fn templates_without_parameters_see_what_they_are_given() {
    let said = |call: &str| {
        let class = format!("class a(String $user) {{\n  $here = 'h'\n  $t = {call}\n  notice($t)\n}}\n");
        let files = [
            ("environment.conf", ""),
            ("manifests/site.pp", "$top = 1\n"),
            ("modules/a/manifests/init.pp", &*class),
            ("modules/a/templates/top.epp", "<%= $top %><%= $facts['kernel'] %><%= $a::user %>"),
            ("modules/a/templates/here.epp", "<% [1].each |$x| { %><%= $x %><%= $here %><% } %>"),
            ("modules/a/templates/test.epp", "<% if defined('$here') { %><%= $here %><% } %>"),
        ];
        let all = findings("free", &files);
        all.iter()
            .map(|one| format!("{}: {} {}", one["line"], one["error"], one["help"]))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let more = "inline_epp('<%= $here %><%= $user %><%= $x %>', { 'x' => 1 })";
    for right in ["epp('a/top.epp')", "epp('a/here.epp', { 'here' => 1 })", "epp('a/test.epp', {})", more] {
        assert_eq!(said(right), "", "{right}");
    }
    for (wrong, expected) in [
        ("epp('a/here.epp')", "here.epp:1 uses $here, which the call does not pass"),
        ("epp('a/here.epp', {})", "add {'here' => …}"),
        ("epp('a/here.epp', { 'heres' => 1 })", "the call passes 'heres'"),
        ("epp('a/here.epp', { 'x' => 1, 'place' => 1 })", "add {'here' => …}"),
        ("inline_epp('<%= $hree %>')", "nothing sets the variable $hree"),
        ("inline_epp('<%- | $x | -%><%= $x %><%= $hree %>', { 'x' => 1 })", "did you mean $here?"),
        ("inline_template('<%= @hree %>')", "nothing sets the variable @hree"),
        ("inline_template(\"${user} <%= @hree %>\")", "nothing sets the variable @hree"),
        ("inline_template(@(END))\n    <%= @hree %>\n    | END", "nothing sets the variable @hree"),
        ("template('a/here.erb', 'a/top.epp')", "'a/here.erb' is not in module a"),
    ] {
        let line = if wrong.contains("END") { "4: " } else { "3: " };
        assert!(said(wrong).starts_with(line) && said(wrong).contains(expected), "{wrong}: {}", said(wrong));
    }
}

#[test]
fn mistakes_in_templates_functions_and_data_are_found() {
    let of_file = |file: &str, text: &str, expected: &str| {
        let class = "class a(String $text) {\n  notice(a::f(true), epp('a/t.epp'))\n}\n";
        let mut files = vec![
            ("environment.conf", ""),
            ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
            ("data/common.yaml", "a::text: x\n"),
            ("manifests/site.pp", "include a\n"),
            ("modules/a/hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
            ("modules/a/data/common.yaml", "{}\n"),
            ("modules/a/manifests/init.pp", class),
            ("modules/a/functions/f.pp", "function a::f(Boolean $x) >> String {\n  if $x { 'a' } else { 'b' }\n}\n"),
            ("modules/a/templates/t.epp", "<%- | String $x = 'a' | -%>\n<%= $x %>\n"),
            ("modules/a/manifests/d.pp", "define a::d() { }\n"),
            ("modules/a/types/e.pp", "type A::E = String\n"),
        ];
        let name = format!("alone-{}", file.replace('/', "-"));
        assert_eq!(findings(&name, &files), Vec::<Json>::new());
        files.retain(|(name, _)| *name != file);
        files.push((file, text));
        let all = findings(&name, &files);
        let is_hit = |finding: &Json| finding["error"].as_str().is_some_and(|text| text.contains(expected));
        assert!(all.len() == 1 && is_hit(&all[0]), "{expected}\n{all:#?}");
        all[0].clone()
    };
    let function = "function a::f(Boolean $x) >> String {\n  if $x { 'a' } else { 5 }\n}\n";
    of_file("modules/a/functions/f.pp", function, "the result of a::f expected String, got Integer 5");
    let template = "<%- | String $x = 5 | -%>\n<%= $x %>\n";
    of_file("modules/a/templates/t.epp", template, "the default of $x expected String, got Integer 5");
    let silent = "<%- | String $x = 'a' | -%>\n<% if $x { %><% $x %>b<% } %>\n";
    of_file("modules/a/templates/t.epp", silent, "the value of `$x` is never used");
    let wrong = "function a::g(Boolean $x = true, String $y) { $y }\n";
    of_file("modules/a/functions/g.pp", wrong, "the required parameter $y is after the optional $x");
    let partial = "function a::f(Boolean $x) >> String {\n  if $x { 'a' }\n}\n";
    let undef = of_file("modules/a/functions/f.pp", partial, "the result of a::f expected String, got undef");
    assert_eq!(undef["severity"], "warning");
    let mapped =
        "function a::f(Boolean $x) >> Array[Integer, 1] {\n  if $x { [1].map |$n| { \"${n}\" } } else { [2] }\n}\n";
    of_file("modules/a/functions/f.pp", mapped, "the result of a::f expected Array[Integer, 1]");
    of_file("modules/a/manifests/d.pp", "define a::d($tag) { }\n", "tag is a metaparameter");
    let ruby = |body: &str| format!("Puppet::Functions.create_function(:'a::r') do\n{body}  def run(*) = 1\nend\n");
    let dispatch = |name: &str, rest: &str| ruby(&format!("  dispatch :{name} do\n{rest}  end\n"));
    let of_ruby = |text: &str, expected: &str| {
        of_file("modules/a/lib/puppet/functions/a/r.rb", text, expected);
    };
    of_ruby(&dispatch("ran", ""), "the function has no method ran");
    of_ruby(&dispatch("run", "    param 'Strng', :x\n"), "Strng is neither a type nor an alias");
    of_ruby(&dispatch("run", "    param 'Array[String', :x\n"), "expected");
    let late = dispatch("run", "    optional_param 'String', :x\n    param 'String', :y\n");
    of_ruby(&late, "a required parameter is after an optional one");
    let levels = "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n  - name: os\n    path: \"%{fact.os.name}.yaml\"\n";
    of_file("hiera.yaml", levels, "no variable fact is known");
    let early = "function a::g(Integer *$x, Boolean $y = true) { $y }\n";
    of_file("modules/a/functions/g.pp", early, "`*$x` must be the last parameter");
    of_file("data/common.yaml", "a::text: \"b %{lookups('c')}\"\n", "calls lookups, which is not a Hiera function");
    of_file("modules/a/metadata.json", "{\"version\": \"0.2\"}\n", "'0.2' is not a semantic version");
    of_file("modules/a/metadata.json", "{\"name\" \"a\"}\n", "expected");
    of_file("modules/a/metadata.json", "{\"name\": \"a\"}\n", "the name 'a' does not say whose module it is");
    of_file("data/common.yaml", "a::text: ~\n", "leaves the required parameter $text without a value");
    let levels =
        "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n  - name: more\n    path: moer.yaml\n";
    of_file("hiera.yaml", levels, "the file data/moer.yaml does not exist");
    let backend = "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n    data_hash: ";
    of_file("hiera.yaml", &format!("{backend}yaml_dta\n"), "unknown function yaml_dta");
    of_file("hiera.yaml", &format!("{backend}a::from_vault\n"), "unknown function a::from_vault");
    of_file("hiera.yaml", &format!("{backend}eyaml_lookup_key\n"), "eyaml_lookup_key is not a data_hash function");
    of_file("data/common.yaml", "a::text: x\nmtod: hello\n", "nothing reads the key 'mtod'");
    of_file("data/comon.yaml", "a::text: x\n", "no level of hiera.yaml reads this file");
    of_file("data/common.yaml", "{}\n", "class a needs the parameter text, and no data has a value");
    let beside = "a::text: x\nlookup_options:\n  a::text:\n    merge: deep\n    knockout_prefix: '--'\n";
    let ignored = of_file("data/common.yaml", beside, "Puppet ignores knockout_prefix beside merge");
    assert_eq!(ignored["severity"], "warning");
    let metadata = "{\"name\": \"me-a\", \"requirements\": [{\"name\": \"openvox\", \
                    \"version_requirement\": \">= 8.0.0, < 9.0.0\"}]}\n";
    of_file("modules/a/metadata.json", metadata, "the version of openvox: '>= 8.0.0, < 9.0.0' is not a version range");
    let empty = "{\"name\": \"me-a\", \"requirements\": [{\"name\": \"puppet\", \
                 \"version_requirement\": \">= 8.0.0 < 7.0.0\"}]}\n";
    of_file("modules/a/metadata.json", empty, "the version of puppet: '>= 8.0.0 < 7.0.0' has no version in it");
    of_file("modules/a/types/d.pp", "type A::D = String\n", "the defined type a::d hides the type alias");
    let foreign = "a::text: x\nb::text: y\n";
    of_file("modules/a/data/common.yaml", foreign, "Puppet ignores the key 'b::text' in the data of a module");
}

#[test]
fn definitions_that_nothing_uses_are_found_in_a_control_repository() {
    let files = [
        ("environment.conf", ""),
        ("manifests/site.pp", "# include a::spare\nnode default { include a }\n"),
        (
            "modules/a/manifests/init.pp",
            "class a {\n  a::used { 'x': size => a::size(), require => Class['a::spare'], before => Class['a'] }\n}\n",
        ),
        ("modules/a/manifests/spare.pp", "# @example\n#   include a::spare\nclass a::spare { }\n"),
        ("modules/a/manifests/used.pp", "define a::used($size) { }\n"),
        ("modules/a/functions/size.pp", "function a::size() { 1 }\n"),
        ("modules/a/functions/idle.pp", "function a::idle() { 1 }\n"),
    ];
    let folder = Folder::new("unused-definitions", &files);
    let run = folder.run(&["check", "--lint", "--format", "jsonl"]);
    let texts: Vec<Json> = run.out.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    let texts: Vec<&str> = texts.iter().filter_map(|one| one["error"].as_str()).collect();
    let expected = [
        "nothing in the project uses a::idle",
        "nothing declares class 'a::spare'",
        "nothing in the project includes a::spare",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn the_name_of_a_key_is_shown_though_its_value_says_the_same() {
    let files = [
        ("environment.conf", ""),
        ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
        ("data/common.yaml", "a::token: token\nlookup_options:\n  a::token:\n    convert_to: Sensitive\n"),
        ("modules/a/manifests/init.pp", "class a(Sensitive[Integer] $token) { }\n"),
        ("manifests/site.pp", "include a\n"),
    ];
    let all = findings("public-keys", &files);
    let (text, help) = (all[0]["error"].to_string(), all[0]["help"].to_string());
    assert!(text.contains("'a::token'") && help.contains("$token of class a"), "{all:#?}");
    assert!(!text.contains("String 'token'"), "{all:#?}");
}

#[test]
fn keys_that_the_data_of_a_module_reads_are_set_or_parameters() {
    let said = |data: &str| {
        let files = [
            ("metadata.json", "{\"name\": \"me-web\", \"version\": \"1.0.0\", \"dependencies\": []}"),
            (
                "hiera.yaml",
                "version: 5\nhierarchy:\n  - name: os\n    path: \"os/%{facts.os.name}.yaml\"\n  - name: common\n    path: common.yaml\n",
            ),
            ("data/common.yaml", data),
            ("manifests/init.pp", "class web(String $user, String $owner = 'x', String $home = 'y') { }\n"),
        ];
        findings("own-data", &files)
            .iter()
            .map(|one| format!("{}: {}", one["line"], one["error"]))
            .collect::<Vec<_>>()
            .concat()
    };
    // The user may set parameters, the keys of other modules, and what no class of the module is named in.
    for right in ["web::owner", "web::user", "other::x", "web::nosuch::x", "web::user.0", "plain"] {
        assert_eq!(said(&format!("web::user: x\nweb::home: \"%{{lookup('{right}')}}\"\n")), "", "{right}");
    }
    let wrong = said("web::user: x\nweb::home: \"%{alias('web::group')}\"\n");
    assert_eq!(wrong, "2: \"no data has the key 'web::group', and web no such parameter\"");
}

#[test]
fn what_puppet_accepts_is_not_reported() {
    for (at, (what, files)) in SOUND.iter().enumerate() {
        let all = [&[("environment.conf", "")], *files].concat();
        assert_eq!(findings(&format!("sound-{at}"), &all), Vec::<Json>::new(), "{what}");
    }
}

/// A module whose class cannot be read is there nevertheless.
#[test]
fn a_module_that_cannot_be_read_is_not_called_missing() {
    let files = [
        ("metadata.json", r#"{"name": "me-web"}"#),
        ("manifests/init.pp", "class web { ) }\n"),
        ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
        ("data/common.yaml", "web::port: 80\n"),
    ];
    let run = Folder::new("unreadable", &files).run(&["check"]);
    assert!(run.out.contains("not checked: 1 key without a class\n"), "{}", run.out);
    assert!(!run.out.contains("missing module") && !run.out.contains("--modulepath"), "{}", run.out);
}

#[test]
fn planted_mistakes_are_found() {
    let mut missed = String::new();
    let (mut found, mut with_advice) = (0, 0);
    for (at, (file, from, to, expected)) in PLANTED.iter().enumerate() {
        let clean = CLEAN.iter().find(|(name, _)| name == file).expect("the file is part of the repository").1;
        let start = clean.find(from).unwrap_or_else(|| panic!("{from} is in {file}"));
        let planted = clean.replacen(from, to, 1);
        let lines = start_line(clean, start) - 1..=start_line(&planted, start + to.len()) + 1;
        let files: Vec<(&str, &str)> =
            CLEAN.iter().map(|(name, text)| (*name, if name == file { &*planted } else { text })).collect();
        let all = findings(&format!("planted-{at}"), &files);
        let hit = all.iter().find(|finding| {
            let is_here = finding["source"].as_str().is_some_and(|source| source.ends_with(file));
            let line = finding["line"].as_u64().and_then(|line| usize::try_from(line).ok()).unwrap_or(0);
            is_here && lines.contains(&line) && finding["error"].as_str().is_some_and(|text| text.contains(expected))
        });
        match hit {
            Some(hit) => {
                found += 1;
                with_advice += usize::from(hit["help"].as_array().is_some_and(|help| !help.is_empty()));
            }
            None => {
                let texts: Vec<String> =
                    all.iter().map(|one| format!("{}:{} {}", one["source"], one["line"], one["error"])).collect();
                let _ = writeln!(missed, "{file}: {from:?} -> {to:?}: {expected:?} is not in {texts:#?}");
            }
        }
    }
    println!("{found} of {} found, {with_advice} with advice", PLANTED.len());
    assert_eq!(missed, "", "{found} of {} found", PLANTED.len());
}

/// The number of the line that a byte is in, from 1.
fn start_line(text: &str, at: usize) -> usize {
    text[..at.min(text.len())].matches('\n').count() + 1
}

#[test]
fn the_example_of_every_check_has_its_finding() {
    for issue in pcore::session::issues::CHECK_ISSUES.iter().filter(|issue| !issue.example.is_empty()) {
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("check-example.pp");
        std::fs::write(&path, issue.example).unwrap();
        let run = super::program::pcore(&["check", "--json", path.to_str().unwrap()], b"");
        assert!(run.out.contains(&format!("\"issue\":\"{}\"", issue.code)), "{}: {}", issue.code, run.out);
    }
}
