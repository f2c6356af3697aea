# frozen_string_literal: true

require 'json'
require 'open3'

# Puppet's type system, answered by the program `pcore`.
#
#     Pcore.match?(80, 'Integer[1, 65535]')                  # => true
#     Pcore.check('80', 'Integer[1, 65535]').messages
#     # => ["expected Integer[1, 65535], got String '80'; Integer('80') would match"]
#
# Each of these starts a program; a {Pcore::Session} starts one for many questions.
module Pcore
  # An invalid type, a value that Puppet does not have, a program that fails, or a program that cannot be started.
  class Error < StandardError
    # The issue code, such as `UNKNOWN_VARIABLE`, and the line in the code; nil if the error is not one of the code.
    attr_reader :issue, :line

    def initialize(message, issue: nil, line: nil)
      super(message)
      @issue = issue
      @line = line
    end
  end

  # The result of a check: whether the value matches, and if not, why.
  #
  # `messages` are sentences for people; `reasons` are hashes with the keys `kind`, `path`, `pointer`, `expected`, `found` and
  # `suggestions`, as in the responses of `pcore batch`.
  Verdict = Struct.new(:messages, :reasons) do
    def match?
      messages.empty?
    end

    def to_s
      messages.join("\n")
    end
  end

  # The result of an evaluation: the value and its type as Puppet code, and what the code logged.
  Reply = Struct.new(:value, :type, :notices) do
    def to_s
      value
    end
  end

  # Finds the program: that of the variable PCORE_PROGRAM, the one in this gem, or the first in PATH that is not a script.
  def self.program
    inside = [ENV['PCORE_PROGRAM'], *%w[pcore pcore.exe].map { |name| File.expand_path("../libexec/#{name}", __dir__) }]
    in_path = ENV.fetch('PATH', '').split(File::PATH_SEPARATOR).map { |folder| File.join(folder, 'pcore') }
    found = inside.compact.find { |path| File.file?(path) }
    # The script of this gem would call itself.
    found ||= in_path.find { |path| File.file?(path) && File.executable?(path) && File.binread(path, 2) != '#!' }
    found || raise(Error, 'the program is not in this gem, which is not built for this platform, nor in PATH')
  end

  # Checks a Ruby value against a type, and returns a {Verdict}. Options as for {Session#initialize}.
  def self.check(value, type, **options)
    Session.open(**options) { |session| session.check(value, type) }
  end

  # Whether a Ruby value matches a type.
  def self.match?(value, type, **options)
    check(value, type, **options).match?
  end

  # A Ruby value as Puppet code. Symbols are strings, except that `:undef` and `:default` are Puppet's values of that name.
  def self.literal(value)
    case value
    when nil, :undef then 'undef'
    when true, false, Integer, :default then value.to_s
    when Float then value.finite? ? value.to_s : raise(Error, "Puppet has no #{value}")
    when String, Symbol then "'#{value.to_s.gsub(/['\\]/) { |letter| "\\#{letter}" }}'"
    when Array then "[#{value.map { |element| literal(element) }.join(', ')}]"
    when Hash then "{#{value.map { |key, member| "#{literal(key)} => #{literal(member)}" }.join(', ')}}"
    else raise Error, "a #{value.class} has no counterpart in Puppet: expected a string, number, boolean, array, hash or nil"
    end
  end

  # A running `pcore batch`. Questions do not influence each other, may not read files outside of the module path, and end after
  # five seconds.
  class Session
    # Opens a session, and closes it after the block.
    def self.open(**options)
      session = new(**options)
      return session unless block_given?

      begin
        yield session
      ensure
        session.close
      end
    end

    # `modulepath` is a list of folders with modules, whose types and functions can be named; `preamble` is Puppet code that is
    # evaluated before each question, such as type aliases; `strict` is `off`, `warning` or `error`.
    def initialize(modulepath: nil, preamble: nil, strict: 'error')
      @defaults = { strict: strict.to_s, preamble: preamble }.compact
      arguments = modulepath ? ['--modulepath', Array(modulepath).join(':')] : []
      @input, @output, @process = Open3.popen2(Pcore.program, 'batch', *arguments)
      [@input, @output].each { |stream| stream.set_encoding(Encoding::UTF_8) }
      @lock = Mutex.new
    end

    # Checks a Ruby value against a type, and returns a {Verdict}.
    #
    # Raises {Error} if the type is invalid.
    def check(value, type)
      response = ask("$pcore_type = #{type}\n$pcore_value = #{Pcore.literal(value)}\nassert_type($pcore_type, $pcore_value)")
      return Verdict.new([], []) if response['ok']

      reasons = response['reasons'] || raise(error(response))
      # The reasons in the parts of a value are sentences; one for the whole value is the message itself.
      in_parts = reasons.any? { |reason| !reason['path'].empty? || reason.key?('key') }
      Verdict.new(in_parts ? response['help'] : [whole(response['error'], reasons)], reasons)
    end

    # Whether a Ruby value matches a type.
    def match?(value, type)
      check(value, type).match?
    end

    # Evaluates Puppet code, and returns a {Reply}. Raises {Error} if it fails.
    def eval(code)
      response = ask(code)
      raise error(response) unless response['ok']

      Reply.new(*response.values_at('value', 'type', 'notices'))
    end

    def close
      @input.close unless @input.closed?
      @output.close unless @output.closed?
      @process.value
      nil
    end

    private

    def ask(code)
      @lock.synchronize do
        @input.puts(JSON.generate(@defaults.merge(code: code)))
        @input.flush
        line = @output.gets || raise(Error, 'pcore batch has ended')
        JSON.parse(line)
      end
    rescue Errno::EPIPE, IOError => e
      raise Error, "pcore batch has ended: #{e.message}"
    end

    def whole(message, reasons)
      ([message] + reasons.flat_map { |reason| reason['suggestions'] || [] }).join('; ')
    end

    def error(response)
      message = ([response['error']] + (response['help'] || [])).join('; ')
      Error.new(message, issue: response['issue'], line: response['line'])
    end
  end
end
