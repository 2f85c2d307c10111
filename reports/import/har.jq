# A HAR recording of a browser as requests of one host: what is sent, without what is secret or the browser's own.

# headers that change what a service answers, and identify no person; of all others only the names are given
def _kept: ["accept", "accept-language", "content-type", "range", "soapaction", "prefer", "x-requested-with"];
def _of_browsers:
  test("^(:.*|sec-.*|host|connection|user-agent|accept-encoding|content-length|referer|origin|dnt|pragma|cache-control|priority|te|upgrade-insecure-requests|if-none-match|if-modified-since)$");

# names whose values are put into the environment in place of the spec
def _is_secret: test("token|secret|passw|pwd|auth|session|api_?-?key|^key$|signature|^sig$|csrf|xsrf|credential|jwt|otp|^pin$"; "i");
def _variable: "HAR_" + (ascii_upcase | gsub("[^A-Z0-9]+"; "_"));
def _placeholder: "${env." + _variable + "}";

# what is literal in a spec: "${" begins a placeholder there
def _literal: gsub("[$][{]"; "$${");

def _url:
  capture("^(?<origin>https?://[^/?#]+)(?<path>/[^?#]*)?([?](?<query>[^#]*))?"; "i")
  | .origin |= (ascii_downcase | sub("^(?<scheme>https?://)[^/@]*@"; "\(.scheme)")) | .path |= (. // "/");

def _query:
  split("&") | map((index("=")) as $at
    | if $at != null and (.[:$at] | _is_secret) then .[:$at] + "=" + (.[:$at] | _placeholder) else _literal end)
  | join("&");

# any JSON => the same without what is secret by its name
def _hidden:
  if type == "object" then with_entries(if (.key | _is_secret) and (.value | type == "string" or type == "number")
      then .value = (.key | _placeholder) else .value |= _hidden end)
  elif type == "array" then map(_hidden)
  elif type == "string" then _literal
  else .
  end;

# postData => { body } | { left: why }
def _body:
  (.mimeType // "" | ascii_downcase) as $type
  | if . == null then {}
    elif (.text // "") == "" and (.params // []) == [] then (if .is_there then { left: "its body is not in the recording" } else {} end)
    elif $type | test("multipart|octet-stream") then { left: "a body of \($type | split(";")[0])" }
    elif ($type | contains("x-www-form-urlencoded")) and (.params // []) != [] then
      { body: { form: (.params | map({ key: .name,
          value: (if .name | _is_secret then .name | _placeholder else .value // "" | _literal end) }) | from_entries) } }
    elif ($type | contains("x-www-form-urlencoded")) then { body: { text: (.text | _query), type: $type } }
    elif $type | contains("json") then
      (.text | try (fromjson | _hidden
        # TOML has no null
        | if any(..; . == null) then { body: { text: tojson, type: $type } } else { body: { json: . } } end)
          catch { left: "a body that says it is JSON and is not" })
    elif .text | _is_secret then { left: "a body with something that looks like a secret" }
    else { body: { text: (.text | _literal), type: $type } }
    end;

def _is_static:
  (.request.url | test("[.](css|js|mjs|map|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|otf|mp4|webm)([?#]|$)"; "i"))
  or (.response.content.mimeType // "" | test("^(image|font|video|audio)/|css|javascript"; "i"));

def _ms: (.startedDateTime | (.[:19] + "Z" | fromdate) * 1000 + ((capture("[.](?<f>[0-9]{1,3})").f // "0") + "00" | .[:3] | tonumber));

# entry => why it is not a request here; null: it is one
def _left($origin; $statics):
  if .request.url | test("^https?://"; "i") | not then "of another scheme"
  elif (.request.url | _url.origin) != $origin then "to \(.request.url | _url.origin | sub("^https?://"; ""))"
  elif .request.method | test("^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$") | not then "\(.request.method) requests"
  elif (.response.status // 0) == 0 then "without a response (blocked or cut off)"
  elif ($statics | not) and _is_static then "static"
  else null
  end;

def _request:
  (.request.url | _url) as $url
  | ((.request.bodySize // 0) > 0) as $is_there
  | (.request.postData | if . then .is_there = $is_there else . end | _body) as $body
  | (.request.headers // []) as $headers
  | { method: (.request.method | ascii_downcase),
      path: (($url.path | _literal) + (if $url.query then "?" + ($url.query | _query) else "" end)),
      headers: ($headers | map(select((.name | ascii_downcase) as $name | _kept | index($name)))
        | map(select(($body.body != null and (.name | ascii_downcase) == "content-type") | not))
        | map(select((.name | ascii_downcase) == "accept" and .value == "*/*" | not))
        | map({ key: .name, value: (.value | _literal) }) | from_entries),
      status: .response.status, body: $body.body, left: $body.left, from_ms: _ms, to_ms: (_ms + ([.time // 0, 0] | max)) };

# how long nothing was under way after each: the pauses of who was recorded, where they are a tenth of a second or more
def _with_pauses:
  . as $all
  | [range(length) as $i
    | $all[$i]
    | .think_ms = (if $i + 1 < ($all | length) then $all[$i + 1].from_ms - ([$all[:$i + 1][].to_ms] | max) else 0 end)
    | .think_ms |= (if . >= 100 then (. / 100 | round) * 100 else 0 end)
    | del(.from_ms, .to_ms)];

# recording => { origin, requests, left: { why: count }, headers: [names left out], variables: [names] } | a problem
def requests($statics):
  (.log.entries | map(select(.request.url | type == "string"))) as $entries
  | ([$entries[].request.url | select(test("^https?://"; "i")) | _url.origin][0]) as $origin
  | if $origin == null then { problem: { line: null, text: "has no HTTP request" } }
    else ($entries | map(. + { why: _left($origin; $statics) })) as $sorted
    | ($sorted | map(select(.why == null))) as $kept
    | ($kept | sort_by(_ms) | map(_request) | _with_pauses) as $requests
    | { origin: $origin, requests: $requests,
        left: ($sorted | map(.why | values) | group_by(.) | map({ key: .[0], value: length }) | from_entries),
        headers: ([$kept[].request.headers[]?.name | ascii_downcase | select(_of_browsers | not)] | unique | . - _kept),
        variables: ([$requests | tojson | scan("[$][{]env[.](HAR_[A-Z0-9_]+)[}]") | .[0]] | unique) }
    end;
