// Finds or installs the languages in which the tests run the samples of docs/other-languages.md.
//   node scripts/setup-languages.mjs [--optional]     with --optional, a missing language is only a warning
import { installPackages, succeeds } from './apt.mjs';

/** Go, Ruby and Java are used if they are there, and not installed. */
const needed = [
  { title: 'Python 3 with PyJWT', packages: ['python3', 'python3-jwt', 'python3-cryptography'], works: hasPython },
  { title: 'PHP 8', packages: ['php-cli'], works: () => succeeds('php', ['--version']) },
  { title: 'curl, jq and openssl', packages: ['curl', 'jq', 'openssl'], works: hasTools },
];

const absent = needed.filter(({ works }) => !works());
if (absent.length) {
  console.log(`Not installed yet: ${absent.map(({ title }) => title).join('; ')}.`);
  installPackages(
    absent.map(
      ({ packages }) =>
        () =>
          packages,
    ),
  );
}
const missing = needed.filter(({ works }) => !works()).map(({ title }) => title);
if (!missing.length) console.log(`Found ${needed.map(({ title }) => title).join('; ')}.`);
else if (process.argv.includes('--optional'))
  console.warn(`Warning: missing ${missing.join('; ')}. Tests are skipped.`);
else {
  console.error(`Missing: ${missing.join('; ')}. Install them manually.`);
  process.exitCode = 1;
}

function hasPython() {
  return ['/usr/bin/python3', 'python3'].some((program) => succeeds(program, ['-c', 'import jwt, cryptography']));
}

function hasTools() {
  return ['curl', 'jq', 'openssl'].every((program) =>
    succeeds(program, [program === 'openssl' ? 'version' : '--version']),
  );
}
