# frozen_string_literal: true

# Evaluates a program several times with the Puppet that is installed, and prints a line of JSON. Only the body counts:
# Puppet is loaded, the text read and its types are defined before the clock starts.
#
#     ruby puppet.rb RUNS FILE.pp

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

def measured(compiler, path, warm_ups, runs)
  program = compiler.parse_file(path)
  loaders = Puppet.lookup(:loaders)
  loaders.instantiate_definitions(program, loaders.public_environment_loader)
  scope = compiler.send(:topscope)
  body = Puppet::Pops::Parser::EvaluatingParser.new
  seconds = Array.new(warm_ups + runs) do
    NOTICES.clear
    before = cpu
    scope.with_guarded_scope do
      scope.new_ephemeral(true)
      body.evaluate(scope, program)
    end
    cpu - before
  end
  seconds.drop(warm_ups).sort[runs / 2]
end

runs = ARGV.fetch(0).to_i
path = File.expand_path(ARGV.fetch(1))
Dir.mktmpdir do |settings|
  Puppet.initialize_settings(['--confdir', settings, '--vardir', settings])
  Puppet[:strict] = :error
  Puppet::Util::Log.newdestination(:collected)
  Puppet::Util::Log.level = :notice
  Puppet::Pal.in_tmp_environment('compare', modulepath: [], facts: {}) do |environment|
    environment.with_script_compiler do |compiler|
      median = measured(compiler, path, 1, runs)
      puts JSON.generate('file' => File.basename(path, '.pp'), 'result' => NOTICES, 'version' => Puppet.version,
                         'cpu_seconds' => { 'median' => median })
    end
  end
end
