// Finds or installs the PostgreSQL that the service's tests run on.
//   node scripts/setup-postgresql.mjs [--optional]     with --optional, a missing PostgreSQL is only a warning
import { installPackages } from './apt.mjs';
import { findPostgresql } from './find-postgresql.mjs';

main();

function main() {
  if (!findPostgresql()) {
    console.log('Not installed yet: PostgreSQL.');
    installPackages([() => ['postgresql']]);
  }
  const folder = findPostgresql();
  if (folder) console.log(`Found PostgreSQL in ${folder}.`);
  else giveUp();
}

function giveUp() {
  const sentence = 'Missing: PostgreSQL 14 or newer. Install it manually (on Debian: postgresql).';
  if (process.argv.includes('--optional')) {
    console.warn(`Warning: ${sentence} The service's tests on PostgreSQL are skipped.`);
    return;
  }
  console.error(sentence);
  process.exitCode = 1;
}
