#!/bin/sh
# Backs up the service's PostgreSQL database into a new file. The service can run meanwhile.
#   DATABASE_URL=postgresql://… deploy/backup.sh whorl.dump
# The file does not contain the master secret (WHORL_SECRET): back that up separately.
set -eu
file=${1:?'Usage: backup.sh <file>'}
: "${DATABASE_URL:?Set DATABASE_URL.}"
if [ -e "$file" ]; then
  echo "$file already exists: choose another name." >&2
  exit 1
fi
umask 077
pg_dump --dbname="$DATABASE_URL" --format=custom --no-owner --no-privileges --file="$file.part"
pg_restore --list "$file.part" > /dev/null
mv "$file.part" "$file"
