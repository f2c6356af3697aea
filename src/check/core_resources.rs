//! The attributes of Puppet's core resource types.
//!
//! Source: Puppet reference, "Resource types"; the list is that of OpenVox 8.26.2 and its core modules, written by
//! `.ci/core-resources.rb`.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::attributes::{Attribute, Rule};
use crate::types::Type;

/// A line for each type. After `=` are all permitted values; after `:` is a type.
const TYPES: &str = "\
file: backup checksum checksum_value content ctime ensure force=false|no|true|yes group ignore links=follow|manage max_files mode:Mode mtime owner path provider purge=false|no|true|yes recurse=false|remote|true recurselimit replace=false|no|true|yes selinux_ignore_defaults=false|true selrange selrole seltype seluser show_diff=false|no|true|yes source source_permissions=ignore|use|use_when_creating sourceselect=all|first staging_location target type validate_cmd validate_replacement
package: adminfile allow_virtual=false|no|true|yes allowcdrom=false|true category command configfiles=keep|replace description enable_only ensure environment flavor install_only=false|no|true|yes install_options instance mark=hold|none name package_settings platform provider reinstall_on_refresh=false|true responsefile root source status uninstall_options vendor
service: binary control enable=delayed|false|manual|mask|true ensure=false|running|stopped|true flags hasrestart=false|true hasstatus=false|true logonaccount logonpassword manifest name path pattern provider restart start status stop timeout
user: allowdupe=false|no|true|yes attribute_membership=inclusive|minimum attributes auth_membership=inclusive|minimum auths comment ensure=absent|present|role expiry forcelocal=false|no|true|yes gid groups home ia_load_module iterations key_membership=inclusive|minimum keys loginclass managehome=false|no|true|yes membership=inclusive|minimum name password password_max_age password_min_age password_warn_days profile_membership=inclusive|minimum profiles project provider purge_ssh_keys role_membership=inclusive|minimum roles salt shell system=false|no|true|yes uid
group: allowdupe=false|no|true|yes attribute_membership=inclusive|minimum attributes auth_membership=false|no|true|yes ensure=absent|present forcelocal=false|no|true|yes gid ia_load_module members name provider system=false|no|true|yes
exec: command creates cwd environment group logoutput=false|on_failure|true onlyif path provider refresh refreshonly=false|true returns timeout tries try_sleep umask unless user
notify: message name withpath=false|true
cron: command ensure=absent|present environment hour minute month monthday name provider special target user weekday
host: comment ensure=absent|present host_aliases ip name provider target
mount: atboot blockdevice device dump ensure=absent|defined|mounted|present|unmounted fstype name options pass provider remounts=false|true target
filebucket: name path port server
schedule: name period=daily|hourly|monthly|never|weekly periodmatch=distance|number range repeat weekday
stage: name
tidy: age backup matches max_files path recurse rmdirs=false|no|true|yes size type=atime|ctime|mtime
resources: name purge unless_system_user unless_uid
mailalias: ensure=absent|present file name provider recipient target
selboolean: name persistent=false|true provider value=false|off|on|true
selmodule: ensure=absent|present name provider selmoduledir selmodulepath syncversion=false|true
ssh_authorized_key: drop_privileges=false|no|true|yes ensure=absent|present key name options provider target type=dsa|ecdsa-sha2-nistp256|ecdsa-sha2-nistp256-cert-v01@openssh.com|ecdsa-sha2-nistp384|ecdsa-sha2-nistp384-cert-v01@openssh.com|ecdsa-sha2-nistp521|ecdsa-sha2-nistp521-cert-v01@openssh.com|ecdsa-sk|ed25519|ed25519-sk|rsa|sk-ecdsa-sha2-nistp256@openssh.com|sk-ssh-ed25519@openssh.com|ssh-dss|ssh-dss-cert-v01@openssh.com|ssh-ed25519|ssh-ed25519-cert-v01@openssh.com|ssh-rsa|ssh-rsa-cert-v01@openssh.com user
sshkey: ensure=absent|present host_aliases key name provider target type=dsa|ecdsa-sha2-nistp256|ecdsa-sha2-nistp384|ecdsa-sha2-nistp521|ecdsa-sk|ed25519|ed25519-sk|rsa|sk-ecdsa-sha2-nistp256@openssh.com|sk-ssh-ed25519@openssh.com|ssh-dss|ssh-ed25519|ssh-rsa
yumrepo: assumeyes bandwidth baseurl cost deltarpm_metadata_percentage deltarpm_percentage descr enabled enablegroups ensure=absent|present exclude failovermethod gpgcakey gpgcheck gpgkey http_caching include includepkgs keepalive keepcache metadata_expire metalink minrate mirrorlist mirrorlist_expire module_hotfixes name password payload_gpgcheck priority protect provider proxy proxy_password proxy_username repo_gpgcheck retries s3_enabled skip_if_unavailable sslcacert sslclientcert sslclientkey sslverify target throttle timeout username
";

/// What the mode of a file may be: octal or symbolic.
const MODE: &str = r"Pattern[/^0?[0-7]{1,4}$/, /^([ugoa]*[-=+][-=+rstwxXugo]*)(,[ugoa]*[-=+][-=+rstwxXugo]*)*$/]";

fn table() -> &'static FxHashMap<&'static str, Arc<[Attribute]>> {
    // Work that is interrupted here starts again: a `LazyLock` would not.
    static TABLE: OnceLock<FxHashMap<&'static str, Arc<[Attribute]>>> = OnceLock::new();
    let type_of = |name| if name == "Mode" { MODE.parse().ok() } else { Type::named(name) };
    let attribute = |text: &'static str| {
        let (name, words) = text.split_once('=').unwrap_or((text, ""));
        let (name, type_) = name.split_once(':').unwrap_or((name, ""));
        let words: Vec<_> = words.split('|').filter(|word| !word.is_empty()).map(Into::into).collect();
        let listed = || (!words.is_empty()).then(|| Rule::of_values(&words, Vec::new(), false));
        Attribute { name: name.into(), rule: type_of(type_).map(Rule::of_type).or_else(listed) }
    };
    TABLE.get_or_init(|| {
        let rows = TYPES.lines().filter_map(|line| line.split_once(": "));
        rows.map(|(name, list)| (name, list.split(' ').map(attribute).collect())).collect()
    })
}

/// The attributes of the core resource type of that name in lower case; `None` if it is not one.
pub(super) fn attributes(type_name: &str) -> Option<&'static Arc<[Attribute]>> {
    table().get(type_name)
}

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    table().keys().copied()
}
