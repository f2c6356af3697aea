# frozen_string_literal: true

# The programs about the language itself, as one would write them in Ruby.
#
#     ruby native.rb PROGRAM      a line of JSON for each line of the standard input: one evaluation

require 'json'

def arith_reduce
  total = (1..100_000).reduce(0) { |memo, i| (memo * 31 + i) % 1_000_003 }
  "arith_reduce #{total}"
end

def map_filter
  squares = (1..30_000).map { |i| i * i % 1009 }
  thirds = squares.select { |x| (x % 3).zero? }
  total = thirds.reduce(0) { |memo, x| (memo * 7 + x) % 1_000_003 }
  "map_filter #{thirds.length} #{total}"
end

def hash_access
  table = (0..999).to_h { |i| ["k#{i}", { 'a' => [i, i * 2, i * 3], 'b' => { 'c' => i % 17 } }] }
  total = (1..15_000).reduce(0) do |memo, i|
    entry = table["k#{i % 1000}"]
    value = entry['a'][i % 3] + entry['b']['c']
    (memo * 31 + value) % 1_000_003
  end
  "hash_access #{total}"
end

def interpolation
  tlds = %w[example test invalid]
  total = (1..20_000).reduce(0) do |memo, i|
    n = i % 97
    text = "host-#{i}.rack#{n}.#{tlds[i % 3]}:#{n + 1}/#{tlds[n % 3].length}"
    (memo * 31 + text.length) % 1_000_003
  end
  "interpolation #{total}"
end

def cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

program = ARGV.fetch(0)
exit unless %w[arith_reduce map_filter hash_access interpolation].include?(program)
$stdout.sync = true
$stdin.each_line do
  before = cpu
  result = send(program)
  puts JSON.generate('result' => [result], 'seconds' => cpu - before)
end
