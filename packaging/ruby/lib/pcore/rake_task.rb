# frozen_string_literal: true

require 'pcore'
require 'rake'
require 'rake/tasklib'

module Pcore
  # Two tasks: `rake pcore` checks the module that the Rakefile is in, and `rake pcore:fix` repairs what can be repaired in one way
  # only. `require 'pcore/rake_task'` defines them; a line in the Rakefile changes them:
  #
  #     Pcore::RakeTask.new { |task| task.options = %w[--lint --baseline known.json] }
  class RakeTask < ::Rake::TaskLib
    # The files and folders to check; empty for the whole project.
    attr_accessor :paths
    # Further arguments of `pcore check`, which `pcore check --help` lists.
    attr_accessor :options

    def initialize(name = :pcore)
      super()
      @paths = []
      @options = []
      yield self if block_given?
      define(name, 'Check manifests, templates and Hiera data with pcore')
      define("#{name}:fix", 'Repair what pcore check can repair in one way only', '--fix')
    end

    private

    def define(name, description, *more)
      ::Rake::Task[name].clear if ::Rake::Task.task_defined?(name)
      desc description
      task(name) do
        command = [Pcore.program, 'check', *more, *options, *paths]
        system(*command) || abort("rake #{name}: pcore check has found errors")
      end
    end
  end
end

Pcore::RakeTask.new
