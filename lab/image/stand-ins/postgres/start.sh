#!/bin/sh
# A database of POSTGRES_USER with POSTGRES_PASSWORD, as the official image creates it, and the server.
set -eu
chmod 700 "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" >/tmp/password
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "CREATE DATABASE \"$POSTGRES_USER\"" | postgres --single -D "$PGDATA" postgres
fi
exec postgres -c listen_addresses='*'
