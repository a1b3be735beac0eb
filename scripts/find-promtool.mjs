import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder into which setup-promtool.mjs unpacks the package of Prometheus. */
export const promtoolFolder = fileURLToPath(new URL('../node_modules/.cache/whorl-promtool', import.meta.url));

/**
 * Returns the command that runs promtool, or undefined if there is none.
 *
 * @returns {string | undefined}
 */
export function findPromtool() {
  const commands = ['promtool', join(promtoolFolder, 'usr/bin/promtool')];
  return commands.find((command) => spawnSync(command, ['--version']).status === 0);
}
