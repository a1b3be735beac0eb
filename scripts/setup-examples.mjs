// Installs the packages of the examples that are not installed with the repository.
//   node scripts/setup-examples.mjs [--optional]     with --optional, a missing package is only a warning
import { installExample, isExampleInstalled, separateExamples } from './example-packages.mjs';

for (const name of separateExamples) if (!isExampleInstalled(name)) installExample(name);
const missing = separateExamples.filter((name) => !isExampleInstalled(name));
if (missing.length) {
  const folders = missing.map((name) => `examples/${name}`).join(' and ');
  console.warn(
    `Missing: packages of ${folders}. Run npm ci there. The tests of these examples are skipped without them.`,
  );
  if (!process.argv.includes('--optional')) process.exitCode = 1;
} else {
  console.log(`Found the packages of the examples: ${separateExamples.join(', ')}.`);
}
