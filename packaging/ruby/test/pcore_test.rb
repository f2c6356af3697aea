# frozen_string_literal: true

# `PCORE_PROGRAM=target/debug/pcore ruby -Ipackaging/ruby/lib packaging/ruby/test/pcore_test.rb`; `.ci/run` does.
require 'fileutils'
require 'minitest/autorun'
require 'pcore'
require 'rbconfig'
require 'tmpdir'

ENV['PCORE_PROGRAM'] &&= File.expand_path(ENV['PCORE_PROGRAM'])

class PcoreTest < Minitest::Test
  def test_a_value_matches
    assert Pcore.match?(8080, 'Integer[1, 65535]')
    assert_equal [], Pcore.check({ 'name' => 'web', port: 80 }, 'Struct[{name => String[1], port => Integer}]').messages
  end

  def test_a_mismatch_is_explained
    verdict = Pcore.check('80', 'Integer[1, 65535]')
    refute verdict.match?
    assert_equal "expected Integer[1, 65535], got String '80'; Integer('80') would match", verdict.to_s
  end

  def test_mismatches_in_parts_have_their_paths
    verdict = Pcore.check({ 'ports' => [80, "it's"] }, 'Struct[{ports => Array[Integer], name => String}]')
    assert_equal ["missing key 'name' of type String", "['ports'][1]: expected Integer, got String 'it\\'s'"], verdict.messages.sort.reverse
    assert_equal [%w[name], ['ports', 1]], verdict.reasons.map { |reason| reason['path'] }.sort_by(&:size)
  end

  def test_values_of_ruby_are_written_as_puppet_code
    values = { nil => 'undef', :default => 'default', :sym => "'sym'", 'a\\b' => "'a\\\\b'", 1.5 => '1.5', [1, { 'a' => true }] => "[1, {'a' => true}]" }
    values.each { |value, code| assert_equal code, Pcore.literal(value) }
    Pcore::Session.open do |session|
      text = "€ '\\' \" \n $x"
      assert session.match?([text], "Array[Enum[#{Pcore.literal(text)}]]")
    end
    assert_raises(Pcore::Error) { Pcore.literal(Object.new) }
    assert_raises(Pcore::Error) { Pcore.literal(Float::NAN) }
  end

  def test_a_session_answers_many_questions
    Pcore::Session.open(preamble: 'type Port = Integer[1, 65535]') do |session|
      assert session.match?(443, 'Port')
      refute session.match?(0, 'Port')
      reply = session.eval('notice(1) [1, 2].map |$n| { $n * 2 }')
      assert_equal ['[2, 4]', ['1']], [reply.value, reply.notices]
    end
  end

  def test_errors_have_a_code
    Pcore::Session.open do |session|
      error = assert_raises(Pcore::Error) { session.eval('$missing') }
      assert_equal ['UNKNOWN_VARIABLE', 1], [error.issue, error.line]
      assert_raises(Pcore::Error) { session.check(1, 'Strng') }
      assert session.match?(1, 'Integer'), 'an error does not end the session'
    end
  end

  def test_a_session_that_has_ended
    session = Pcore::Session.open
    session.close
    assert_raises(Pcore::Error) { session.match?(1, 'Integer') }
  end

  def test_the_script_passes_arguments_and_the_exit_status
    out, status = Open3.capture2(RbConfig.ruby, "-I#{__dir__}/../lib", "#{__dir__}/../exe/pcore", '--exit-status', '-e', '1 =~ String')
    assert_equal ["false\n", 1], [out, status.exitstatus]
  end

  def test_the_rake_tasks_check_and_repair_a_module
    Dir.mktmpdir do |folder|
      FileUtils.mkdir_p(["#{folder}/manifests", "#{folder}/data"])
      File.write("#{folder}/metadata.json", '{"name": "acme-web", "version": "1.0.0", "dependencies": []}')
      File.write("#{folder}/manifests/init.pp", "class web(Integer $port) { }\n")
      File.write("#{folder}/hiera.yaml", "---\nversion: 5\nhierarchy: [{name: common, path: common.yaml}]\n")
      File.write("#{folder}/data/common.yaml", "web::port: '80'\n")
      File.write("#{folder}/Rakefile", "require 'pcore/rake_task'\n")
      assert_match(/\['web::port'\]: expected Integer, got String '80'/, rake(folder, 'pcore', 1))
      rake(folder, 'pcore:fix', 0)
      assert_equal "web::port: 80\n", File.read("#{folder}/data/common.yaml")
      rake(folder, 'pcore', 0)
      File.write("#{folder}/Rakefile", "require 'pcore/rake_task'\nPcore::RakeTask.new { |task| task.options = ['--format', 'jsonl'] }\n")
      File.write("#{folder}/data/common.yaml", "web::port: a\n")
      assert_equal 1, rake(folder, 'pcore', 1).lines.count { |line| line.start_with?('{') }
    end
  end

  private

  def rake(folder, task, status)
    command = [RbConfig.ruby, "-I#{File.expand_path('../lib', __dir__)}", '-S', 'rake', task]
    out, ended = Open3.capture2e(*command, chdir: folder)
    assert_equal status, ended.exitstatus, out
    out
  end
end
