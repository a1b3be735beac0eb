// Finds or downloads promtool, which checks the alert rules of deploy/prometheus.
//   node scripts/setup-promtool.mjs [--optional]     with --optional, a missing promtool is only a warning
import { unpackPackage } from './apt.mjs';
import { findPromtool, promtoolFolder } from './find-promtool.mjs';

if (!findPromtool()) unpackPackage('prometheus', promtoolFolder);
const command = findPromtool();
if (command) {
  console.log(`Found promtool: ${command}.`);
} else {
  console.warn('Missing: promtool. Install it manually (on Debian: prometheus). Its tests are skipped without it.');
  if (!process.argv.includes('--optional')) process.exitCode = 1;
}
