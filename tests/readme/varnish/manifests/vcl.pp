# The parameter that data/common.yaml misspells, as a released module did.
class varnish::vcl (
  Enum['4', '4.1'] $vcl_version = '4',
) {
}
