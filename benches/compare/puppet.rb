# frozen_string_literal: true

# Evaluates a program with the Puppet that is installed: once for each line of the standard input, answered by a line of
# JSON. Only the body counts: Puppet is loaded, the text read and its types are defined before the clock starts.
#
#     ruby puppet.rb FILE.pp

require 'json'
require 'puppet'
require 'puppet_pal'
require 'tmpdir'

NOTICES = []

Puppet::Util::Log.newdesttype(:collected) do
  match(->(target) { target == :collected })

  def initialize(_target); end

  def handle(message) = NOTICES << message.to_s
end

def cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

# Evaluates the body once, and returns the CPU seconds.
def evaluated(scope, body, program)
  NOTICES.clear
  before = cpu
  scope.with_guarded_scope do
    scope.new_ephemeral(true)
    body.evaluate(scope, program)
  end
  cpu - before
end

def take_turns(compiler, path)
  program = compiler.parse_file(path)
  loaders = Puppet.lookup(:loaders)
  loaders.instantiate_definitions(program, loaders.public_environment_loader)
  scope = compiler.send(:topscope)
  body = Puppet::Pops::Parser::EvaluatingParser.new
  $stdin.each_line do
    seconds = evaluated(scope, body, program)
    puts JSON.generate('result' => NOTICES, 'seconds' => seconds)
  end
end

$stdout.sync = true
path = File.expand_path(ARGV.fetch(0))
Dir.mktmpdir do |settings|
  Puppet.initialize_settings(['--confdir', settings, '--vardir', settings])
  Puppet[:strict] = :error
  Puppet::Util::Log.newdestination(:collected)
  Puppet::Util::Log.level = :notice
  Puppet::Pal.in_tmp_environment('compare', modulepath: [], facts: {}) do |environment|
    environment.with_script_compiler { |compiler| take_turns(compiler, path) }
  end
end
