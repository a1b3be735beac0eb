import { spawn } from 'node:child_process';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { provenanceLine } from '../provenance.mjs';

const bench = fileURLToPath(new URL('../', import.meta.url));

/**
 * Runs a step in a process of its own. Its output is also kept in `<folder>/<step>.md`, its progress in `<step>.log`.
 *
 * @param {import('./steps.mjs').Step} step
 * @param {{ folder: string, markdown: boolean | undefined, limitMinutes: number }} options
 * @returns {Promise<{ outcome: string, output: string }>} `outcome`: "done", or why it is not.
 */
export async function runStep({ name, command, options = [] }, { folder, markdown, limitMinutes }) {
  const all = [...options, ...(markdown ? ['--markdown'] : [])];
  const call = ['run', '--silent', '--prefix', bench, command, '--', ...all];
  // A group of its own, so that the limit also stops the browsers and databases that it started.
  const child = spawn('npm', call, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const stop = () => child.pid !== undefined && process.kill(-child.pid, 'SIGTERM');
  process.once('SIGINT', stop).once('SIGTERM', stop);
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    stop();
  }, limitMinutes * 60_000);
  let printed = '';
  child.stdout.on('data', (part) => {
    printed += part;
  });
  child.stderr.pipe(createWriteStream(join(folder, `${name}.log`)));
  child.stderr.pipe(process.stderr, { end: false });
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (status, signal) => resolve(signal ?? status));
  });
  clearTimeout(limit);
  process.off('SIGINT', stop).off('SIGTERM', stop);
  const outcome = isLate ? `stopped after ${limitMinutes} minutes` : code === 0 ? 'done' : `failed: ${code}`;
  const shown = `npm run --silent --prefix bench ${[command, ...(all.length ? ['--', ...all] : [])].join(' ')}`;
  const output = `\`${shown}\`: ${outcome}. ${provenanceLine()}\n\n${printed.trim()}\n`;
  writeFileSync(join(folder, `${name}.md`), output);
  return { outcome, output };
}
