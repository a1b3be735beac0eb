// Finds or installs the PostgreSQL that the service's tests run on, and PgBouncer.
//   node scripts/setup-postgresql.mjs [--optional]     with --optional, a missing PostgreSQL is only a warning
import { installPackages } from './apt.mjs';
import { findPostgresql } from './find-postgresql.mjs';
import { pgbouncerVersion } from './pgbouncer.mjs';

main();

function main() {
  const missing = [...(findPostgresql() ? [] : ['postgresql']), ...(pgbouncerVersion() ? [] : ['pgbouncer'])];
  if (missing.length > 0) {
    console.log(`Not installed yet: ${missing.join(', ')}.`);
    installPackages([() => missing]);
  }
  const folder = findPostgresql();
  const version = pgbouncerVersion();
  if (folder && version) console.log(`Found PostgreSQL in ${folder}, and PgBouncer ${version}.`);
  else giveUp();
}

function giveUp() {
  const sentence =
    'Missing: PostgreSQL 14 or newer, or PgBouncer. Install them manually (on Debian: postgresql, pgbouncer).';
  if (process.argv.includes('--optional')) {
    console.warn(`Warning: ${sentence} The service's tests that need them are skipped.`);
    return;
  }
  console.error(sentence);
  process.exitCode = 1;
}
