# The word for a verdict. A case passes that goes beyond its system's capacity as its spec expects: nothing is wrong with it, but it
# did not cope with the load either, and is not to be read as if it did. site/assets/js/shown-verdict.js is the same for pages; its
# test reads both.

# case of a comparison, or record => is it beyond its capacity, as expected? A duet's lane of saturation always is: there it says
# nothing of the case.
def is_saturated:
  .verdict == "pass"
  and (.comparison.kind // "sessions") == "sessions"
  and any(.findings[]?; .level == "info" and (.id == "saturated" or .id == "unfinished"));

# case of a comparison, or record => was not all sent that was due?
def falls_short: any(.findings[]?; .id == "saturated");

# case of a comparison, or record => "saturated", or its verdict
def shown_verdict: if is_saturated then "saturated" else .verdict end;
