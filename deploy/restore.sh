#!/bin/sh
# Restores a backup into an empty PostgreSQL database, and checks that the service can use it with its master secret.
#   DATABASE_URL=postgresql://whorl@db.internal/rehearsal PGPASSFILE=… WHORL_SECRET=… deploy/restore.sh whorl.dump
# Rehearse it with a database of its own. Needs whorl-service and the client programs of PostgreSQL.
set -eu
file=${1:?'Usage: restore.sh <file>'}
: "${DATABASE_URL:?Set DATABASE_URL.}" "${WHORL_SECRET:?Set WHORL_SECRET to the secret of the backup.}"
case $DATABASE_URL in
  *://*:*@* | *[?\&]password=*)
    echo 'DATABASE_URL contains a password, which other users of this machine could see among the processes.' >&2
    echo 'Put it into a file (https://www.postgresql.org/docs/current/libpq-pgpass.html), and set PGPASSFILE.' >&2
    exit 1
    ;;
esac
query() {
  psql --dbname="$DATABASE_URL" --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --command="$1"
}
tables=$(query "select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')")
if [ "$tables" -ne 0 ]; then
  echo "The database is not empty: it has $tables tables. Create an empty one." >&2
  exit 1
fi
pg_restore --dbname="$DATABASE_URL" --no-owner --no-privileges --exit-on-error --single-transaction "$file"
query analyze
# Fails if the master secret is another one, or this version is older than the backup.
whorl-service project list
query "select format('%s users, %s devices, %s evaluations, the newest at %s',
  (select count(*) from users), (select count(*) from devices), count(*), coalesce(max(created_at)::text, 'no time'))
  from evaluations"
