# frozen_string_literal: true

# Built by `.ci/package gem`, which copies the program into libexec and sets the version and the platform. Without a program the
# gem is of the platform `ruby`, and uses the `pcore` in PATH.
Gem::Specification.new do |spec|
  spec.name = 'pcore'
  spec.version = ENV.fetch('PCORE_VERSION') { File.read("#{__dir__}/../../Cargo.toml")[/^version = "(.+)"/, 1] }
  spec.platform = ENV.fetch('PCORE_GEM_PLATFORM', Gem::Platform::RUBY)
  spec.summary = "Puppet's type system as one program: a checker for modules and Hiera data, and a prompt"
  spec.description = 'Checks Puppet modules, templates and Hiera data against the types of parameters, explains mismatches, ' \
                     'and repairs them. With a rake task, and a class that checks Ruby values against Puppet types.'
  spec.authors = ['The pcore maintainers']
  spec.licenses = %w[MIT Apache-2.0]
  spec.required_ruby_version = '>= 2.7'
  spec.files = Dir.chdir(__dir__) do
    Dir['{exe,lib,libexec,man,completions}/**/*', 'README.md', 'LICENSE-*', 'THIRD-PARTY.md'].select { |path| File.file?(path) }
  end
  spec.bindir = 'exe'
  spec.executables = ['pcore']
  spec.metadata = { 'rubygems_mfa_required' => 'true' }
end
