import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onPostgresql } from './stage.mjs';

const lastsMs = 6000;
const directions = { forwards: '+86400', backwards: '-86400' };
const none = '+0';

/** @type {readonly import('./scenarios.mjs').Scenario[]} */
export const clockScenarios = [
  jump('forwards', [0, 1, 2], 'The clock of all jumps a day forwards, and back'),
  jump('backwards', [0, 1, 2], 'The clock of all jumps a day backwards, and forth'),
  jump('forwards', [1], 'The clock of one of three is a day ahead, then right'),
];

/**
 * @param {keyof typeof directions} direction @param {readonly number[]} which Of the processes.
 * @param {string} name @returns {import('./scenarios.mjs').Scenario}
 */
function jump(direction, which, name) {
  return {
    name,
    async run({ cluster, newFolder, tell }) {
      const library = findLibrary();
      if (!library) {
        tell('Skipped: libfaketime is not installed (Debian: faketime).');
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
      for (const index of [0, 1, 2]) writeFileSync(fileOf(index), `${none}\n`);
      return onPostgresql({ name, cluster, setting: { environmentOf } }, async () => {
        set(directions[direction]);
        await pause(lastsMs);
        set(none);
        if (direction === 'forwards') return { over: performance.now() };
        const note = 'What was kept by the clock of the day before was a day old afterwards, and was forgotten.';
        return { over: performance.now(), forgets: true, note };
      });
    },
  };
}

function findLibrary() {
  const roots = ['/usr/lib', ...readdirSync('/usr/lib').map((name) => join('/usr/lib', name))];
  return roots.map((root) => join(root, 'faketime/libfaketime.so.1')).find((path) => existsSync(path));
}
