function web::data(Hash $options, Puppet::LookupContext $context) {
  { 'web::greeting' => 'Hello', 'web::module' => $context.module_name }
}
