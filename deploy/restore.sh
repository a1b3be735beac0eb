#!/bin/sh
# Restores a backup into an empty PostgreSQL database, and checks that the service can use it with its master secret.
#   DATABASE_URL=postgresql://whorl@db.internal/rehearsal PGPASSFILE=… WHORL_SECRET=… deploy/restore.sh whorl.dump
# Rehearse it with a database of its own. Needs the client programs of PostgreSQL, and the service: whorl-service, or the
# build of this repository (npm ci && npm run build && npm run --workspace service build).
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

# Everything is checked before anything is changed.
for program in psql pg_restore; do
  if ! command -v "$program" > /dev/null; then
    echo "$program was not found. Install the client programs of PostgreSQL." >&2
    exit 1
  fi
done
build=$(dirname "$0")/../service/dist/main.js
if command -v whorl-service > /dev/null; then
  service() { whorl-service "$@"; }
elif [ -e "$build" ]; then
  service() { node "$build" "$@"; }
else
  echo 'The service was not found. Run "npm ci && npm run build && npm run --workspace service build" in the repository.' >&2
  exit 1
fi
if ! pg_restore --list "$file" > /dev/null; then
  echo "$file is not a backup that this version of pg_restore can read." >&2
  exit 1
fi
query() {
  psql --dbname="$DATABASE_URL" --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --command="$1"
}
own="from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition"
tables=$(query "select count(*) $own")
if [ "$tables" -ne 0 ]; then
  echo "The database is not empty: it has $tables tables. Create an empty one." >&2
  exit 1
fi

pg_restore --dbname="$DATABASE_URL" --no-owner --no-privileges --exit-on-error --single-transaction "$file"
# Only the restored tables: PostgreSQL warns about each of its own that this user may not analyse.
query "analyze $(query "select string_agg(format('public.%I', relname), ', ') $own")"
# Fails if the master secret is another one, or this version is older than the backup.
if ! service project list; then
  query "do \$\$ declare name text; begin
    for name in select relname $own loop execute format('drop table public.%I cascade', name); end loop;
    for name in select oid::regprocedure from pg_proc where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
      loop execute format('drop function %s', name); end loop;
  end \$\$"
  echo 'The service cannot use the backup. The database is empty again.' >&2
  exit 1
fi
query "select format('%s users, %s devices, %s evaluations, the newest at %s',
  (select count(*) from users), (select count(*) from devices), count(*), coalesce(max(created_at)::text, 'no time'))
  from evaluations"
