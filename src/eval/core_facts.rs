//! The core facts of Facter: the keys of those whose structure is fixed, and what the legacy facts are called today.
//!
//! Source: Facter reference, "Core facts".

use crate::wording::nearest;

/// The keys below a fact, or below one of its parts.
const STRUCTURE: &str = "\
dmi: bios board chassis manufacturer product
dmi.bios: fw_release release_date vendor version
dmi.board: asset_tag manufacturer product serial_number version
dmi.chassis: asset_tag serial_number type version
dmi.product: family name serial_number sku uuid version
memory: swap system
memory.swap: available available_bytes capacity encrypted total total_bytes used used_bytes
memory.system: available available_bytes capacity total total_bytes used used_bytes
networking: dhcp domain fqdn hostname interfaces ip ip6 mac mtu netmask netmask6 network network6 primary scope6
os: architecture distro family hardware lsb macosx name release selinux windows
os.distro: codename description id release specification
os.distro.release: full major minor
os.macosx: build product version
os.release: branch build full major minor patchlevel
os.selinux: config_mode config_policy current_mode enabled enforced policy_version
processors: cores count extensions isa models physicalcount speed threads
system_uptime: days hours seconds uptime
";

/// Legacy facts, which Puppet 8 has only when `include_legacy_facts` is set, each with the fact to use instead.
const LEGACY: &str = "architecture=os.architecture augeasversion=augeas.version bios_release_date=dmi.bios.release_date \
    bios_vendor=dmi.bios.vendor bios_version=dmi.bios.version boardassettag=dmi.board.asset_tag \
    boardmanufacturer=dmi.board.manufacturer boardproductname=dmi.board.product boardserialnumber=dmi.board.serial_number \
    chassisassettag=dmi.chassis.asset_tag chassistype=dmi.chassis.type domain=networking.domain fqdn=networking.fqdn \
    gid=identity.group hardwareisa=processors.isa hardwaremodel=os.hardware hostname=networking.hostname id=identity.user \
    ipaddress=networking.ip ipaddress6=networking.ip6 lsbdistcodename=os.distro.codename \
    lsbdistdescription=os.distro.description lsbdistid=os.distro.id lsbdistrelease=os.distro.release.full \
    lsbmajdistrelease=os.distro.release.major lsbminordistrelease=os.distro.release.minor \
    lsbrelease=os.distro.specification macaddress=networking.mac manufacturer=dmi.manufacturer \
    memoryfree=memory.system.available memorysize=memory.system.total netmask=networking.netmask \
    netmask6=networking.netmask6 network=networking.network network6=networking.network6 operatingsystem=os.name \
    operatingsystemmajrelease=os.release.major operatingsystemrelease=os.release.full osfamily=os.family \
    physicalprocessorcount=processors.physicalcount processorcount=processors.count productname=dmi.product.name \
    rubyplatform=ruby.platform rubysitedir=ruby.sitedir rubyversion=ruby.version selinux=os.selinux.enabled \
    selinux_config_mode=os.selinux.config_mode selinux_config_policy=os.selinux.config_policy \
    selinux_current_mode=os.selinux.current_mode selinux_enforced=os.selinux.enforced \
    selinux_policyversion=os.selinux.policy_version serialnumber=dmi.product.serial_number \
    swapencrypted=memory.swap.encrypted swapfree=memory.swap.available swapsize=memory.swap.total \
    uptime=system_uptime.uptime uptime_days=system_uptime.days uptime_hours=system_uptime.hours \
    uptime_seconds=system_uptime.seconds uuid=dmi.product.uuid xendomains=xen.domains zonename=solaris_zones.current";

/// The types of facts and of their parts, where it is the same everywhere.
const TYPES: &str = "\
Boolean: fips_enabled is_virtual os.selinux.enabled os.selinux.enforced
Integer: memory.system.total_bytes networking.mtu processors.count processors.physicalcount system_uptime.days \
    system_uptime.hours system_uptime.seconds
String: dmi.bios.vendor dmi.bios.version dmi.board.product dmi.manufacturer dmi.product.name dmi.product.uuid kernel \
    kernelmajversion kernelrelease kernelversion networking.domain networking.fqdn networking.hostname networking.ip \
    networking.ip6 networking.mac networking.netmask networking.network networking.primary os.architecture \
    os.distro.codename os.distro.id os.distro.release.full os.distro.release.major os.distro.release.minor os.family \
    os.hardware os.name os.release.full os.release.major os.release.minor ruby.version timezone virtual
";

/// The rows of a table: a name, and the words behind the colon.
fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let rows = table.lines().filter_map(|line| line.split_once(": "));
    rows.map(|(name, words)| (name, words.split(' ').collect()))
}

/// The type of a fact: `Boolean` for `is_virtual`.
pub(crate) fn type_of(path: &str) -> Option<&'static str> {
    let path = today(path).unwrap_or(path);
    rows(TYPES).find(|(_, paths)| paths.contains(&path)).map(|(type_, _)| type_)
}

/// The key that is meant by the last part of a path, if no core fact has it: `family` for `os.familly`, and
/// `product.name` for `dmi.product_name`.
pub(crate) fn meant_key(path: &str) -> Option<String> {
    let (fact, key) = path.rsplit_once('.')?;
    let (_, keys) = rows(STRUCTURE).find(|(name, _)| *name == fact)?;
    if keys.contains(&key) {
        return None;
    }
    let below = rows(STRUCTURE).filter_map(|(name, keys)| Some((name.strip_prefix(fact)?.strip_prefix('.')?, keys)));
    let below = below.flat_map(|(part, keys)| keys.into_iter().map(move |key| format!("{part}.{key}")));
    let is_meant = |path: &String| path.replace('.', "_") == key || path.rsplit('.').next() == Some(key);
    let deeper = below.filter(is_meant).min_by_key(String::len);
    let legacy = || today(key)?.strip_prefix(fact)?.strip_prefix('.');
    deeper.or_else(|| legacy().or_else(|| nearest(key, keys)).map(str::to_owned))
}

/// The fact that is meant by the first part of a path, as of `processor.count`: one with a similar name and the same key.
pub(crate) fn meant_fact(path: &str) -> Option<&'static str> {
    let (fact, key) = path.split_once('.')?;
    let with_key = rows(STRUCTURE).filter(|(_, keys)| keys.contains(&key)).map(|(name, _)| name);
    if rows(STRUCTURE).any(|(name, _)| name == fact) { None } else { nearest(fact, with_key) }
}

/// `$facts['os']['family']` for `osfamily`.
pub(crate) fn instead_of(legacy: &str) -> Option<String> {
    let path = today(legacy)?;
    Some(path.split('.').fold("$facts".to_owned(), |text, key| format!("{text}['{key}']")))
}

/// `os.family` for `osfamily`.
pub(crate) fn today(legacy: &str) -> Option<&'static str> {
    LEGACY.split(' ').find_map(|row| row.strip_prefix(legacy)?.strip_prefix('='))
}

/// The value of `os.family` on operating systems, as `metadata.json` names them.
const FAMILIES: &str = "AIX=AIX AlmaLinux=RedHat Amazon=RedHat Archlinux=Archlinux CentOS=RedHat Darwin=Darwin Debian=Debian \
    Fedora=RedHat FreeBSD=FreeBSD Gentoo=Gentoo OpenBSD=OpenBSD OpenSuSE=Suse OracleLinux=RedHat RedHat=RedHat Rocky=RedHat \
    Scientific=RedHat SLED=Suse SLES=Suse Solaris=Solaris Ubuntu=Debian windows=windows";

/// `RedHat` for `CentOS`.
pub(crate) fn family_of(system: &str) -> Option<&'static str> {
    let mut rows = FAMILIES.split(' ').filter_map(|row| row.split_once('='));
    rows.find(|(name, _)| name.eq_ignore_ascii_case(system)).map(|(_, family)| family)
}
