# The examples of "The Type Hierarchy and Scalars" (2014), as a snippet file: `pcore transcripts/hierarchy_2014.pp`
# prints the value of each. The comments are the article's. A `;` keeps a line apart
# from the next where that starts with `/` or `-`, which would divide or subtract.

'hello' =~ String  # true
'123'   =~ String  # true
'123'   =~ Numeric # false
123     =~ Numeric # true
1       =~ Float   # false
1.0     =~ Float   # true
1       =~ Integer # true
1.0     =~ Integer; # false
/.*/    =~ Regexp  # true
'.*'    =~ Regexp  # false
true    =~ Boolean # true
false   =~ Boolean # true
'true'  =~ Boolean # false

1     =~ Integer[0,10];      # true
-1    =~ Integer[0,10]       # false
100   =~ Integer[0]          # true
100   =~ Integer[0, default] # true

1.0     =~ Float[0,10];      # true
-1.0    =~ Float[0,10]       # false
100.0   =~ Float[0]          # true
100.0   =~ Float[0, default] # true

Integer[1,10].each |$val| { notice $val }

'abc'   =~ String      # true
'abc'   =~ String[1]   # true, it is >= 1 in length
'abc'   =~ String[1,4] # true, it is between 1 and 4 in length
''      =~ String[1,4] # false
'abcde' =~ String[1,4] # false, longer than 4

$colors = [blue, red, green, yellow, white, black]

'blue'      =~ Enum[$colors]   # true
'red'       =~ Enum[$colors]   # true
'pink'      =~ Enum[$colors]   # false
'deep-blue' =~ Enum[$colors]   # false

# The article uses the name `$colors` again; a variable is set once.
$patterns = [blue, red, green, /yellow/, /^white$/, black]

'blue'       =~ Pattern[$patterns]   # true
'red'        =~ Pattern[$patterns]   # true
'pink'       =~ Pattern[$patterns]   # false
'deep-blue'  =~ Pattern[$patterns]   # true
'ocean-blue' =~ Pattern[$patterns]   # true
'blueish'    =~ Pattern[$patterns]   # true
'whiteish'   =~ Pattern[$patterns]   # false (the regexp was anchored with ^$)
'sky-color'  =~ Pattern[$patterns];  # false (it is a type system, what did you expect)

/.*/ =~ Regexp         # true, it is a regular expression

$prefix = 'http://myorg.com'
$var = 'http://myorg.com/index.html'
$var =~ Regexp("${prefix}/index.html")
