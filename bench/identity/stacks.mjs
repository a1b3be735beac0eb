// Measures what integrity shows of the stacks that drive browsers, each as shipped, and of browsers without a driver.
//   node identity/stacks.mjs [--only PATTERN] [--undriven ROUNDS] [--from FILE]
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse, readIntegrity } from '../../dist/fingerprint.js';
import { formatTable } from '../cost/table.mjs';
import { provenance } from '../provenance.mjs';
import { within, withScreen } from './spoofers/by-hand.mjs';
import { others } from './stacks/others.mjs';
import { startServer } from './stacks/page.mjs';
import { stacks } from './stacks/stacks.mjs';
import { undrivenRuns } from './stacks/undriven.mjs';

/** @typedef {{ name: string, headless: boolean, fingerprint?: string, facts?: object, events?: object[], error?: string }} Run */

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    undriven: { type: 'string', default: '0' },
    from: { type: 'string' },
  },
});
/** @type {{ measured?: import('../provenance.mjs').Provenance, driven: Run[], others: Run[], undriven: Run[] }} */
const result = values.from ? JSON.parse(await readFile(values.from, 'utf8')) : await measure();
if (result.driven.length)
  console.log(`${formatTable(drivenTable(result.driven), { markdown: true, measured: result.measured })}\n`);
const inWindows = [...result.driven, ...result.others].filter(({ headless, events }) => !headless && events);
if (inWindows.length)
  console.log(`${formatTable(behaviourTable(inWindows), { markdown: true, measured: result.measured })}\n`);
if (result.undriven.length)
  console.log(formatTable(undrivenTable(result.undriven), { markdown: true, measured: result.measured }));
process.exit();

async function measure() {
  const server = await startServer();
  const measured = { driven: [], others: [], undriven: [] };
  const isChosen = ({ name }) => new RegExp(values.only, 'i').test(name);
  await withScreen(async (display) => {
    const manager = spawn('openbox', { env: { ...process.env, DISPLAY: display }, stdio: 'ignore' });
    manager.on('error', () => console.error('openbox is not installed: windows stay as they are.'));
    if (values.undriven === '0') {
      for (const stack of stacks.filter(isChosen)) {
        for (const headless of [true, false]) measured.driven.push(await drive(server, stack, headless, display));
      }
      for (const stack of others.filter(isChosen)) measured.others.push(await drive(server, stack, false, display));
    }
    const rounds = Array.from({ length: Number(values.undriven) }, () => undrivenRuns.filter(isChosen)).flat();
    const readNext = async () => {
      for (let run = rounds.shift(); run; run = rounds.shift()) {
        const id = `u${rounds.length}`;
        const { name, parameters, read } = run;
        const { fingerprint, error } = await read(server.url(id, parameters), display, server.reading(id)).catch(
          (reason) => ({ error: String(reason) }),
        );
        measured.undriven.push({ name, headless: false, fingerprint, error });
        console.error(rounds.length, name, bitsOf({ fingerprint, error }));
      }
    };
    await Promise.all([readNext(), readNext()]);
    manager.kill();
  });
  await server.close();
  const folder = new URL('results/', import.meta.url);
  await mkdir(folder, { recursive: true });
  const file = new URL(`stacks-${new Date().toISOString().replace(/[:.]/g, '-')}.json`, folder);
  await writeFile(file, JSON.stringify({ measured: provenance(), ...measured }));
  console.error(`All readings are in ${file.pathname}.`);
  return measured;
}

/**
 * Opens the page with a stack, waits for its reading, and has the stack fill in the form.
 *
 * @param {import('./stacks/page.mjs').StacksServer} server
 * @param {import('./stacks/stacks.mjs').Stack} stack
 * @param {boolean} headless
 * @param {string} display
 * @returns {Promise<Run>}
 */
async function drive(server, { name, open }, headless, display) {
  const id = `${name}-${headless}`.replace(/\W+/g, '-');
  const home = await mkdtemp(join(tmpdir(), 'whorl-stack-'));
  console.error(name, headless ? 'headless' : 'in a window');
  const [reading, events] = [server.reading(id), server.events(id)];
  const run = { name, headless };
  /** @type {import('./stacks/stacks.mjs').Page | undefined} */
  let page;
  try {
    page = await within(90_000, name, open(server.url(id), { headless, display, home }));
    const read = await within(60_000, 'The reading', reading);
    Object.assign(run, read);
    await within(60_000, 'The form', page.fill(read));
    Object.assign(run, { events: await within(60_000, 'The events', events) });
  } catch (error) {
    console.error(String(error));
    Object.assign(run, { error: String(error) });
  }
  await within(20_000, 'Closing', page?.close() ?? Promise.resolve()).catch((error) => console.error(String(error)));
  await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }).catch(() => {});
  return run;
}

/** Returns the bits that a run sets. @param {{ fingerprint?: string | undefined, error?: string }} run */
function bitsOf({ fingerprint, error } = {}) {
  const parsed = fingerprint ? parse(fingerprint) : undefined;
  return parsed ? readIntegrity(parsed.integrity).join(' ') || 'nothing' : (error ?? '–');
}

/** @param {Run[]} runs */
function drivenTable(runs) {
  const names = [...new Set(runs.map(({ name }) => name))];
  const bits = (/** @type {string} */ name, /** @type {boolean} */ headless) =>
    bitsOf(runs.find((run) => run.name === name && run.headless === headless));
  return [['stack', 'headless', 'in a window'], ...names.map((name) => [name, bits(name, true), bits(name, false)])];
}

/** Returns aggregates of the events: what a page could keep without content. @param {Run[]} runs */
function behaviourTable(runs) {
  const rows = runs.map(({ name, events, facts }) => {
    const of = (/** @type {string} */ type) => events.filter((event) => event.type === type && event.isTrusted);
    const presses = of('pointerdown').filter(({ pointerType }) => pointerType === 'mouse');
    const isWhole = (/** @type {number} */ value) => Math.abs(value - Math.round(value)) < 0.01;
    const counts = [
      presses.length,
      presses.filter(({ pressure }) => pressure === 0).length,
      presses.filter(({ clientX, clientY }) => ![clientX, clientY].every((at) => isWhole(at * facts.ratio))).length,
      presses.filter(({ offCentre }) => offCentre < 1).length,
      of('pointermove').length,
      Math.max(0, of('input').length - of('keydown').filter(({ key }) => key === 'char').length),
    ];
    return [name, ...counts.map(String)];
  });
  const heading = [
    'presses',
    'without pressure',
    'between pixels',
    'at the centre',
    'moves',
    'characters without a key',
  ];
  return [['in a window', ...heading], ...rows];
}

/** @param {Run[]} runs */
function undrivenTable(runs) {
  const kinds = [...new Set(runs.map((run) => `${run.name}\0${bitsOf(run)}`))].sort();
  const rows = kinds.map((kind) => [
    ...kind.split('\0'),
    String(runs.filter((run) => `${run.name}\0${bitsOf(run)}` === kind).length),
  ]);
  return [['without a driver', 'integrity', 'runs'], ...rows];
}
