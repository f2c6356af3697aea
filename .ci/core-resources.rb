# Prints the rows of src/check/core_resources.txt:
#   ruby .ci/core-resources.rb OPENVOX CORE_MODULE…
# with the directories of OpenVox and of its core modules (puppetlabs-cron_core …).
ARGV.map! { |directory| File.expand_path(directory) }
$LOAD_PATH.unshift(*ARGV.map { |directory| File.join(directory, 'lib') })
require 'puppet'
require 'puppet/parameter/boolean'

# Rules that Puppet's code checks by other means than `newvalues`.
FURTHER = { 'user.managehome' => '=false|no|true|yes' }.freeze
FIRST = %w[file package service user group exec notify cron host mount filebucket schedule stage tidy resources].freeze
HIDDEN = %w[component whit].freeze
BASES = [Puppet::Parameter, Puppet::Property].freeze

def attribute(type, attribute)
  key = "#{type.name}.#{attribute.name}"
  collection = attribute.value_collection
  is_plain = BASES.include?(attribute.instance_method(:unsafe_validate).owner)
  return "#{attribute.name}#{FURTHER[key]}" if collection.empty? || !is_plain || !collection.regexes.empty?

  values = collection.values.flat_map { |name| [name, *collection.value(name).aliases] }
  "#{attribute.name}=#{values.map(&:to_s).uniq.sort.join('|')}"
end

names = ARGV.flat_map { |directory| Dir[File.join(directory, 'lib/puppet/type/*.rb')] }
names = names.map { |file| File.basename(file, '.rb') }.uniq - HIDDEN
names = (FIRST & names) + (names - FIRST).sort
names.each do |name|
  type = Puppet::Type.type(name.to_sym)
  attributes = type.properties + type.parameters.map { |parameter| type.paramclass(parameter) }
  puts "#{name}: #{attributes.uniq(&:name).map { |one| attribute(type, one) }.sort.join(' ')}"
end
