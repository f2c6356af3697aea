//! Tests of `check::ruby`, of which it is a module.

use super::*;

#[test]
fn signatures_are_read_from_dispatch_blocks() {
    let text = "Puppet::Functions.create_function(:'a::b') do\n  # Docs\n  dispatch :one do\n    param 'Integer', :x\n    \
                optional_param \"String[1]\", :y # why\n    repeated_param 'Any', :z\n    return_type 'Array'\n  end\n\n  \
                dispatch :two do\n    required_block_param\n  end\n  def one(x)\n  end\nend\n";
    let expected = ["(Integer $x, String[1] $y = undef, Any *$z) >> Array", "(Callable &$block)"];
    assert_eq!(signatures_in_ruby(text), Some(expected.map(str::to_owned).to_vec()));
    assert_eq!(signatures_in_ruby("def f(x)\nend"), None);
    assert_eq!(signatures_in_ruby("dispatch :a do\n  param TYPE, :x\n  end"), None);
}
