# Asks an installed Puppet: one JSON object per line in (`id`, `code`), one out.
#
# Answers have `ok`, `value` (the %p string of the last value), `type`, `notices`, and after a failure `issue`, `error` and
# `line`. PUPPET_LIB names the lib folder of another Puppet, STRICT the strictness (default: error).
$LOAD_PATH.unshift(ENV['PUPPET_LIB']) if ENV['PUPPET_LIB']
require 'json'
require 'tmpdir'
require 'timeout'
require 'puppet'
require 'puppet_pal'

HOME = Dir.mktmpdir
at_exit { FileUtils.remove_entry(HOME) }
Puppet.initialize_settings(['--confdir', HOME, '--vardir', HOME])
STRICT = (ENV['STRICT'] || 'error').to_sym
Puppet[:strict_variables] = true

$notices = []
Puppet::Util::Log.newdesttype(:collected) do
  match 'Array'
  def initialize(_); end
  def handle(message)
    $notices << message.message.to_s if message.level == :notice
  end
end
Puppet::Util::Log.newdestination($notices)
Puppet::Util::Log.level = :notice

# Puppet has no %p of these types: write what constructs the value.
class Puppet::Pops::Types::StringConverter
  def string_PSensitiveType(type, value, formats, level)
    %i[s p].include?(get_format(type, formats).format) ? 'Sensitive [value redacted]' : string_PAnyType(type, value, formats, level)
  end
  %w[Timespan Timestamp SemVer SemVerRange].each do |name|
    define_method("string_P#{name}Type") do |type, value, formats, level|
      next "#{name}(#{puppet_quote(value.to_s)})" if get_format(type, formats).format == :p
      string_PAnyType(type, value, formats, level)
    end
  end
end

def answer(code)
  Timeout.timeout(10) do
    Puppet::Pal.in_tmp_environment('differential', modulepath: [], facts: {}) do |context|
      context.with_catalog_compiler do |compiler|
        Puppet[:strict] = STRICT
        value = compiler.evaluate_string(code, '/program.pp')
        text = Puppet::Pops::Types::StringConverter.convert(value, '%p')
        { ok: true, value: text, type: Puppet::Pops::Types::TypeCalculator.infer_set(value).to_s }
      end
    end
  end
rescue Exception => error
  raise if error.is_a?(Interrupt)
  issue = error.respond_to?(:issue_code) ? error.issue_code : nil
  line = error.respond_to?(:line) ? error.line : nil
  { ok: false, issue: issue, error: error.message, line: line, class: error.class.name }
end

$stdout.sync = true
$stdin.each_line do |line|
  request = JSON.parse(line)
  $notices.clear
  puts JSON.generate({ id: request['id'] }.merge(answer(request['code'])).merge(notices: $notices))
end
