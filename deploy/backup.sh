#!/bin/sh
# Backs up the service's PostgreSQL database into a new file. The service can run meanwhile.
#   DATABASE_URL=postgresql://whorl@db.internal/whorl PGPASSFILE=… deploy/backup.sh whorl.dump
# The file does not contain the master secret (WHORL_SECRET): back that up separately.
set -eu
file=${1:?'Usage: backup.sh <file>'}
: "${DATABASE_URL:?Set DATABASE_URL.}"
case $DATABASE_URL in
  *://*:*@* | *[?\&]password=*)
    echo 'DATABASE_URL contains a password, which other users of this machine could see among the processes.' >&2
    echo 'Put it into a file (https://www.postgresql.org/docs/current/libpq-pgpass.html), and set PGPASSFILE.' >&2
    exit 1
    ;;
esac
for program in pg_dump pg_restore; do
  if ! command -v "$program" > /dev/null; then
    echo "$program was not found. Install the client programs of PostgreSQL." >&2
    exit 1
  fi
done
if [ -e "$file" ]; then
  echo "$file already exists: choose another name." >&2
  exit 1
fi
umask 077
pg_dump --dbname="$DATABASE_URL" --format=custom --no-owner --no-privileges --file="$file.part"
pg_restore --list "$file.part" > /dev/null
mv "$file.part" "$file"
