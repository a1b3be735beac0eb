import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onPostgresql } from './stage.mjs';

const faultDurationMs = 6000;
const directions = { forwards: '+86400', backwards: '-86400' };
const noOffset = '+0';

/** @type {readonly import('./scenarios.mjs').Scenario[]} */
export const clockScenarios = [
  jump('forwards', [0, 1, 2], 'All clocks jump forwards by a day, then back'),
  jump('backwards', [0, 1, 2], 'All clocks jump backwards by a day, then forwards'),
  jump('forwards', [1], 'One of three clocks is a day ahead, then corrected'),
];

/**
 * @param {keyof typeof directions} direction @param {readonly number[]} which Indexes of the processes.
 * @param {string} name @returns {import('./scenarios.mjs').Scenario}
 */
function jump(direction, which, name) {
  return {
    name,
    async run({ cluster, newFolder, logProgress }) {
      const library = findLibrary();
      if (!library) {
        logProgress('Skipped: libfaketime is not installed (Debian: faketime).');
        return undefined;
      }
      const folder = newFolder();
      const fileOf = (/** @type {number} */ index) => join(folder, `clock-${index}`);
      const set = (/** @type {string} */ offset) => {
        for (const index of which) writeFileSync(fileOf(index), `${offset}\n`);
      };
      const environmentOf = (/** @type {number} */ index) => ({
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: fileOf(index),
        FAKETIME_NO_CACHE: '1',
        // Timers continue. Only the wall clock jumps.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      });
      for (const index of [0, 1, 2]) writeFileSync(fileOf(index), `${noOffset}\n`);
      return onPostgresql({ name, cluster, setting: { environmentOf } }, async () => {
        set(directions[direction]);
        await pause(faultDurationMs);
        set(noOffset);
        if (direction === 'forwards') return { endedAt: performance.now() };
        const note = 'Records made while the clock was a day behind were a day old afterwards, and had expired.';
        return { endedAt: performance.now(), expiresResponses: true, note };
      });
    },
  };
}

function findLibrary() {
  const roots = ['/usr/lib', ...readdirSync('/usr/lib').map((name) => join('/usr/lib', name))];
  return roots.map((root) => join(root, 'faketime/libfaketime.so.1')).find((path) => existsSync(path));
}
