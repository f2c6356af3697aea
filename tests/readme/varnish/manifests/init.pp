# Varnish, as far as the README needs it.
class varnish (
  Boolean    $add_repo,
  Integer[1] $version,
) {
  contain varnish::vcl
}
