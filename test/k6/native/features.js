/**
 * What both players must do alike: a scenario of one user, or of few. Addresses, redirects, texts and random values are compared
 * without k6, by k6/native/vectors.
 * @typedef {object} Feature
 * @property {string} name
 * @property {string} requests TOML: [[scenarios.s.requests]]; {other} is the address of a second server, a named host
 * @property {string} [load] TOML of the scenario; one iteration of one user unless given
 * @property {Record<string, string>} [files] of the spec's folder; {other} as above
 * @property {Record<string, string>} [env] by -e
 * @property {boolean} [unordered] the order of requests and their connections depend on time
 * @property {boolean} [apart] bytes on the wire are not compared
 * @property {boolean} [onTheWire] it is about messages and connections: compared by HTTP/2 too
 * @property {boolean} [http2] by HTTPS, from servers that offer HTTP/2; bytes on the wire are not compared
 * @property {boolean} [open] only how many iterations were due is compared: on a busy machine some are dropped
 * @property {boolean} [drawn] which requests are sent is drawn: only what is of all together is compared
 * @property {boolean} [timed] how much is counted depends on time: it runs alone
 * @property {boolean} [counts] only counts are compared: connections, or what was sent, depend on time
 */

const request = (/** @type {string} */ text) => `[[scenarios.s.requests]]\n${text}\n`;
const all = (/** @type {string[]} */ ...texts) => texts.map(request).join('');

/** @type {Feature[]} */
export const features = [
  {
    name: 'methods',
    onTheWire: true,
    requests: all(
      'get = "/a"',
      'head = "/a"',
      'options = "/a"',
      'post = "/a"',
      'put = "/a"',
      'patch = "/a"',
      'delete = "/a"',
    ),
  },
  {
    name: 'bodies',
    onTheWire: true,
    files: { 'b.bin': 'file \u0001\n' },
    requests: all(
      'post = "/a"\nbody = "text"',
      'post = "/a"\nbody = ""',
      'put = "/a"\nbody = { json = { a = 1, b = [true, "x"], c = "ü" } }',
      'patch = "/a"\nbody = { form = { "a b" = "c&d", e = ["1", "2"], f = "ü/~" } }',
      'post = "/a"\nbody = { bytes = "10kB" }',
      'post = "/a"\nbody = { file = "b.bin" }',
      'delete = "/a"\nbody = "gone"',
      'get = "/a"\nbody = "asked"',
      'post = "/a"\nbody = { text = "<a/>", type = "application/xml" }',
      'post = "/a"\nbody = "own"\nheaders = { content-type = "text/own" }',
    ),
  },
  {
    name: 'types of columns',
    files: { 'b.csv': 'id,price,new,text\n7,1.50,true,7\n-3e2,0,false,x\n' },
    load: 'executor = "per-vu-iterations"\niterations = 2\nrows = { file = "b.csv", types = { id = "number", price = "number", new = "boolean" } }',
    requests: all(
      'post = "/a"\nbody = { json = { id = "${row.id}", all = "${row.id} ${row.price}", new = "${row.new}", text = "${row.text}" } }\nexpect = { json = { id = "${row.price}", new = "${row.new}" } }',
      'get = "/a/${row.id}"\nquery = { price = "${row.price}", new = "${row.new}" }\nname = "item"',
    ),
  },
  {
    name: 'queries',
    onTheWire: true,
    requests: all(
      'get = "/a?x=1"\nquery = { q = "a b&c", list = ["1", "ü"], n = 2 }',
      'get = "/a b/ü?x=a%20b#part"',
      'get = "/a/%7Eb;c=d,e"\nname = "signs"',
    ),
  },
  {
    name: 'headers',
    requests: all(
      'get = "/a"\nheaders = { x-b = "2", X-A = " 1 ", accept = "text/html", x-empty = "", x-utf = "ü" }',
      'get = "/a"\nheaders = { Host = "other.example", User-Agent = "me/1.0" }',
      'get = "/a"\nheaders = { cookie = "a=1", Content-Length = "5" }',
    ),
  },
  { name: 'user agent', load: 'executor = "per-vu-iterations"\nuser_agent = "me/1.0"', requests: all('get = "/a"') },
  {
    name: 'rows in order',
    files: { 'r.csv': 'id,path,text\n1,/b?x=1,"a ""b"" c"\n2,c d/e?f,ü\n3,@scope/name,&=+\n' },
    load: 'executor = "per-vu-iterations"\niterations = 5\nrows = { file = "r.csv" }',
    requests: all(
      'get = "${row.path}"',
      'get = "/p/${row.path}?q=${row.text}"',
      'post = "/a"\nbody = { json = { id = "${row.id}", note = "is ${row.text}" } }\nheaders = { x-row = "${row.id}" }',
      'post = "/a"\nbody = { form = { t = "${row.text}" } }',
    ),
  },
  {
    name: 'rows with types',
    files: {
      'r.jsonl':
        '{"n": 1.50, "b": true, "s": "x\\n\\"y\\"", "o": {"k": [1, 2.0]}, "big": 1e21, "z": null}\n{"n": -0.000001, "b": false, "s": "", "o": [], "big": 1e-7}\n',
    },
    load: 'executor = "per-vu-iterations"\niterations = 2\nrows = { file = "r.jsonl" }',
    requests: all(
      'post = "/a"\nbody = { json = { n = "${row.n}", b = "${row.b}", s = "${row.s}", o = "${row.o}", big = "${row.big}", in = "<${row.n}|${row.b}|${row.s}|${row.big}|${row.z}>" } }',
      'get = "/a/${row.n}/${row.b}/${row.big}?o=${row.o}"',
    ),
  },
  {
    name: 'rows of several files',
    files: { 'users.csv': 'user\na\nb\n', 'items.jsonl': '{"item": 1}\n{"item": 2}\n{"item": 3}\n' },
    load: 'executor = "per-vu-iterations"\niterations = 4\nrows = [{ file = "users.csv" }, { file = "items.jsonl" }]',
    requests: all('post = "/a/${row.user}"\nbody = { json = { item = "${row.item}", of = "${row.user}" } }'),
  },
  {
    name: 'once per user',
    apart: true,
    unordered: true,
    load: 'executor = "per-vu-iterations"\nvus = 2\niterations = 3\ncookies = "user"',
    requests: all(
      'get = "/things"\nonce_per_user = true\ncapture = { token = { header = "x-token" } }\ngroup = "login"',
      'get = "/session"\nonce_per_user = true\ngroup = "login"',
      'get = "/a"\nheaders = { x-token = "${captured.token}" }\ncapture = { never = { regex = "." } }',
      'get = "/b/${captured.never}"',
    ),
  },
  {
    name: 'once per user, and others by weight',
    drawn: true,
    load: 'executor = "per-vu-iterations"\nvus = 2\niterations = 20',
    requests: all(
      'get = "/things"\nonce_per_user = true\ncapture = { token = { header = "x-token" } }',
      'get = "/a"\nweight = 1\nheaders = { x-token = "${captured.token}" }',
      'get = "/b"\nweight = 3\nheaders = { x-token = "${captured.token}" }',
    ),
  },
  {
    name: 'what fails once per user is tried again',
    load: 'executor = "per-vu-iterations"\niterations = 3',
    requests: all('get = "/status/500"\nonce_per_user = true', 'get = "/never"'),
  },
  {
    name: 'line breaks in a row',
    onTheWire: true,
    files: { 'r.jsonl': '{"p": "/a\\r\\nX-Evil: 1", "h": "a\\r\\nX-Evil: 1", "c": "x\\r\\ny"}\n' },
    load: 'executor = "per-vu-iterations"\nrows = { file = "r.jsonl" }',
    requests: all('get = "${row.p}"', 'get = "/a"\nheaders = { x-h = "${row.h}" }', 'get = "/b/${row.c}?q=${row.h}"'),
  },
  {
    name: 'captures',
    requests: all(
      'get = "/things"\ncapture = { id = { json = "id" }, price = { json = "price" }, user = { json = "user" }, tags = { json = "tags" }, token = { header = "x-token" }, seat = { cookie = "seat" }, ticket = { regex = "ticket=([^;]+);" }, all = { regex = "ticket=[a-z]+" }, to = { header = "location" } }',
      'get = "${captured.to}"',
      'get = "/a/${captured.id}/${captured.ticket}?t=${captured.ticket}"\nheaders = { x-token = "${captured.token}", x-seat = "${captured.seat}" }',
      'post = "/a"\nbody = { json = { id = "${captured.id}", price = "${captured.price}", user = "${captured.user}", tags = "${captured.tags}", text = "${captured.user} ${captured.all}" } }',
    ),
  },
  {
    name: 'null to capture',
    requests: all('get = "/things"\ncapture = { id = { json = "none" } }', 'get = "/never/${captured.id}"'),
  },
  {
    name: 'expectations that are met',
    onTheWire: true,
    requests: all(
      'get = "/things"\nexpect = { status = 200, headers = { content-type = "application/json", x-token = { matches = "^t-\\\\d+$" } }, body = "ticket", json = { id = 7, "user.name" = "Ada", price = 1.5 } }',
      'get = "/text"\nexpect = { body = { matches = "ticket=(\\\\w+)/\\\\d{3}" } }',
      'get = "/status/404"\nexpect = { status = [404, 410] }',
      'get = "/gzip"\nexpect = { json = { packed = true } }',
      'get = "/chunks"\nexpect = { body = "one,two" }',
    ),
  },
  {
    name: 'expectations that are not',
    requests: all(
      'get = "/things"\nname = "header"\nexpect = { headers = { x-token = "other" } }',
      'get = "/things"\nname = "missing"\nexpect = { headers = { x-none = "1" } }',
      'get = "/things"\nname = "body"\nexpect = { body = "nowhere" }',
      'get = "/things"\nname = "pattern"\nexpect = { body = { matches = "^nowhere" } }',
      'get = "/things"\nname = "json"\nexpect = { json = { id = "7" } }',
      'get = "/things"\nname = "no path"\nexpect = { json = { "user.age" = 1 } }',
      'get = "/text"\nname = "no JSON"\nexpect = { json = { id = 1 } }',
      'get = "/status/500"',
      'get = "/a"\nname = "200 unexpected"\nexpect = { status = 404 }',
    ),
  },
  {
    name: 'redirects',
    onTheWire: true,
    requests: all(
      'get = "/to/a"',
      'post = "/to/b"\nbody = "posted"\nheaders = { x-a = "1" }',
      'post = "/keep"\nbody = "kept"',
      'put = "/to/c"\nbody = { json = 1 }',
      'head = "/to/d"',
      'get = "/cookie"',
      'get = "/after"',
    ),
  },
  {
    name: 'cookies of an iteration',
    onTheWire: true,
    load: 'executor = "per-vu-iterations"\niterations = 2',
    requests: all('get = "/before"', 'get = "/session"', 'get = "/after"\nheaders = { cookie = "own=1" }'),
  },
  {
    name: 'a connection for all',
    onTheWire: true,
    load: 'executor = "per-vu-iterations"\niterations = 3',
    requests: all('get = "/a"', 'get = "/b"'),
  },
  {
    name: 'a connection an iteration',
    onTheWire: true,
    apart: true,
    load: 'executor = "per-vu-iterations"\niterations = 3\nconnections = "iteration"',
    requests: all('get = "/a"', 'get = "/b"'),
  },
  {
    name: 'a connection a request',
    onTheWire: true,
    apart: true,
    load: 'executor = "per-vu-iterations"\niterations = 2\nconnections = "request"',
    requests: all('get = "/a"', 'post = "/b"\nbody = "x"\nheaders = { z = "1" }'),
  },
  {
    name: 'a connection that the server closes',
    apart: true,
    load: 'executor = "per-vu-iterations"\niterations = 2',
    requests: all('get = "/closing"', 'get = "/a"'),
  },
  { name: 'no answer', onTheWire: true, requests: all('post = "/drop"\nbody = "x"', 'get = "/a"') },
  {
    name: 'an answer that is cut off',
    onTheWire: true,
    requests: all('get = "/half"', 'get = "/half"\nname = "read"\nexpect = { body = "x" }', 'get = "/a"'),
  },
  {
    name: 'a connection that is reset amid an answer',
    requests: all(
      'get = "/a"',
      'get = "/reset"',
      'get = "/reset"\nname = "read"\nexpect = { body = "x" }',
      'get = "/a"',
    ),
  },
  // the first is sent before its time is up, however busy the machine is, and answered long after
  {
    name: 'timeouts',
    onTheWire: true,
    requests: all('get = "/slow/600000"\ntimeout = "3s"', 'get = "/slow/10"\ntimeout = "30s"'),
  },
  { name: 'nobody there', onTheWire: true, requests: all('get = "http://127.0.0.1:1/a"', 'get = "/a"') },
  {
    name: 'large JSON, of which the first 300 kB are described',
    onTheWire: true,
    load: 'executor = "per-vu-iterations"\niterations = 12',
    requests: all('get = "/json/60000"'),
  },
  {
    name: 'answers that are none',
    requests: all(
      ...['chunk', 'longchunk', 'garbage', 'status', 'lengths', 'negative', 'nocolon'].map(
        (kind) => `post = "/raw/${kind}"`,
      ),
      'get = "/a"',
    ),
  },
  {
    name: 'strange answers',
    unordered: true, // the server ends each connection after a while
    apart: true,
    requests: all(
      ...['header', 'twice', 'hints', 'old'].map(
        (kind) => `get = "/raw/${kind}"\nexpect = { body = { matches = "^(ok|until the end)$" } }`,
      ),
      'get = "/raw/folded"\nexpect = { headers = { x-a = "a b" } }',
      'get = "/a"',
    ),
  },
  {
    name: 'a body without end',
    onTheWire: true,
    requests: all(
      'get = "/a"', // opens a connection, which on a busy machine may take longer than the others have
      'get = "/endless"\ntimeout = "1s"',
      'get = "/endless"\nname = "read"\ntimeout = "1s"\nexpect = { body = "y" }',
      'get = "/trickle"',
    ),
  },
  {
    name: 'no TLS, and no such host',
    onTheWire: true,
    counts: true,
    apart: true,
    requests: all('get = "https://127.0.0.1:1/a"', 'get = "http://nowhere.invalid/a"', 'get = "/a"'),
  },
  {
    name: 'groups',
    onTheWire: true,
    load: 'executor = "per-vu-iterations"\niterations = 2',
    requests: all(
      'get = "/a"\ngroup = "g"\nthink = "50ms"',
      'get = "/b"\ngroup = "g"',
      'get = "/c"',
      'get = "/d"\ngroup = "h"',
    ),
  },
  {
    name: 'users told apart',
    onTheWire: true,
    unordered: true,
    load: 'executor = "per-vu-iterations"\nvus = 2\niterations = 3\nper_user = true',
    requests: all('get = "/a"', 'get = "/drop"'),
  },
  {
    name: 'shared-iterations',
    counts: true,
    load: 'executor = "shared-iterations"\nvus = 4\niterations = 23',
    requests: all('get = "/a"'),
  },
  {
    name: 'per-vu-iterations',
    counts: true,
    load: 'executor = "per-vu-iterations"\nvus = 4\niterations = 6',
    requests: all('get = "/a"'),
  },
  {
    name: 'constant-arrival-rate',
    timed: true,
    open: true,
    load: 'executor = "constant-arrival-rate"\nrate = 50\nduration = "1s"\npreAllocatedVUs = 5',
    requests: all('get = "/a"'),
  },
  {
    name: 'ramping-arrival-rate',
    timed: true,
    open: true,
    load: 'executor = "ramping-arrival-rate"\nstartRate = 10\nstages = [{ duration = "1s", target = 50 }, { duration = "0s", target = 20 }, { duration = "1s", target = 20 }]\npreAllocatedVUs = 5',
    requests: all('get = "/a"'),
  },
  {
    name: 'constant-vus',
    timed: true,
    counts: true,
    load: 'executor = "constant-vus"\nvus = 3\nduration = "2s"',
    requests: all('get = "/slow/1500"'),
  },
  {
    name: 'ramping-vus',
    timed: true,
    counts: true,
    load: 'executor = "ramping-vus"\nstartVUs = 1\nstages = [{ duration = "0s", target = 3 }, { duration = "2s", target = 3 }, { duration = "0s", target = 0 }]\ngracefulRampDown = "0s"',
    requests: all('get = "/slow/1300"'),
  },
];
