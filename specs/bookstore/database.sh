#!/bin/sh
# PostgreSQL as a service of the environment:
#
#   sh database.sh create <folder>          a new, empty cluster; <folder>/pgpass has its user's random password
#   sh database.sh start <folder> <port>    in the foreground; SIGINT ends it cleanly without waiting for its clients
set -eu

# Debian keeps PostgreSQL's programs out of PATH, in a folder for each version: the newest is taken.
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
if [ ! -x "$bin/initdb" ]; then
  echo 'database.sh: there is no PostgreSQL in /usr/lib/postgresql: apt-get install postgresql' >&2
  exit 1
fi

action=$1
folder=$2

# PostgreSQL refuses to be root. Started as root it is the user that Debian's package made, which may still pass through
# folders that only root can enter (the repository may be in one). Setpriv becomes the program: signals reach it.
unprivileged() {
  if [ "$(id -u)" -eq 0 ]; then
    exec setpriv --reuid=postgres --regid=postgres --init-groups \
      --inh-caps=+dac_override --ambient-caps=+dac_override "$@"
  fi
  exec "$@"
}

case $action in
  create)
    umask 077
    rm -rf "$folder"
    mkdir -p "$folder"
    password=$(head -c 18 /dev/urandom | base64)
    echo "$password" >"$folder/password"
    echo "127.0.0.1:*:*:bookstore:$password" >"$folder/pgpass"
    if [ "$(id -u)" -eq 0 ]; then
      chown -R postgres:postgres "$folder"
    fi
    unprivileged "$bin/initdb" --pgdata="$folder/data" --username=bookstore --pwfile="$folder/password" \
      --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 --no-sync
    ;;
  start)
    unprivileged "$bin/postgres" -D "$folder/data" -p "$3" \
      -c listen_addresses=127.0.0.1 -c unix_socket_directories=
    ;;
esac
