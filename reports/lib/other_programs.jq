# Which programs took the CPU time of this machine that was not ours? Of what findings.jq reads: { run, asked }.
import "lib/numbers" as numbers;
import "lib/text" as text;

# What is named took at least this share of what others took.
def _least: 0.2;

# Databases and servers, which an application may need: what the kernel calls them, of at most 15 characters.
def _servers:
  "^(postgres|postmaster|mysqld|mariadbd|mongod|redis-server|valkey-server|memcached|clickhouse.*|cockroach|influxd|neo4j|etcd"
  + "|beam\\.smp|rabbitmq.*|nats-server|nginx|haproxy|envoy|caddy|httpd|apache2|traefik|php-fpm.*|elasticsearch|opensearch|minio|java)$";

# => [{ name, share }] of all of the machine's CPU time while rounds lasted, those that used the most first
def shares:
  (.run.fingerprint.cores // 1) as $cores
  | [.asked[]?[]?.end | select(.others and .started and .ended)]
  | (map(.ended - .started) | add // 0) as $ms
  | if $ms > 0 then [.[].others[]] else [] end
  | group_by(.name)
  | map({ name: (.[0].name | text::plain), share: ((map(.cpu_ms) | add) / $ms / $cores) })
  | sort_by(-.share);

# [{ name, share }]; $others: the share that all of them kept busy => { named: ", most of it postgres (41 %)", hint }, both "" where it is
# not known
def named($others):
  [(map(select(.share >= _least * $others)) | .[:2])[]] as $most
  | ($most | map("\(.name) (\(.share | numbers::percent))") | join(" and ")) as $list
  | [$most[].name | select(test(_servers))] as $servers
  | { named: (if $most == [] then ""
        elif ($most | map(.share) | add) >= $others / 2 then ", most of it \($list)"
        else ", some of it \($list)" end),
      hint: (if $servers == [] then "" else " Is \($servers[0]) a part of the system? Declare it as a service." end) };
