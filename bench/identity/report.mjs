import * as whorl from '../../dist/fingerprint.js';
import { provenanceLine } from '../provenance.mjs';
import { judgeCases, judgeUpgrades } from './judge.mjs';
import { peerNames } from './libraries.mjs';

/**
 * @typedef {import('./judge.mjs').Verdict} Verdict
 * @typedef {{ title: string, verdicts: Verdict[], right: 'same' | 'different' | 'either' }} Block
 * @typedef {{ name: string, isSame: (verdict: Verdict) => boolean | undefined }} Column
 */

/** The compared methods. @type {readonly Column[]} */
export const columns = [
  { name: 'whorl, string', isSame: ({ string }) => string },
  { name: 'whorl, hardware group', isSame: ({ hardware }) => hardware },
  { name: 'whorl, compare in a project', isSame: ({ confidence }) => confidence.project >= 0.5 },
  { name: 'whorl, compare with last', isSame: ({ confidence }) => confidence.userWithLast >= 0.5 },
  ...peerNames.map((name) => ({ name, isSame: (/** @type {Verdict} */ { kept }) => kept[name] })),
];

/** @param {import('./main.mjs').Results} results @returns {Block[]} */
export function blocksOf({ outcomes }) {
  const cases = outcomes.map(({ reading, ...each }) => ({
    ...each,
    fingerprint: reading.fingerprint,
    peers: reading.peers,
  }));
  const byReference = judgeCases(cases, whorl);
  const upgrades = judgeUpgrades(cases, whorl);
  const ofKind = (/** @type {string} */ kind) => byReference.filter((verdict) => verdict.kind === kind);
  /** @type {Block[]} */
  const blocks = [
    { title: 'same device', verdicts: ofKind('same'), right: 'same' },
    { title: 'adjacent upgrades', verdicts: upgrades.filter(({ adjacent }) => adjacent), right: 'same' },
    { title: 'any two builds', verdicts: upgrades, right: 'same' },
    { title: 'another device', verdicts: ofKind('different'), right: 'different' },
    { title: 'ambiguous: reported as the same', verdicts: ofKind('ambiguous'), right: 'either' },
    { title: 'look-alikes: reported as the same', verdicts: ofKind('lookalike'), right: 'either' },
  ];
  return blocks.filter(({ verdicts }) => verdicts.length > 0);
}

/** Returns how often each method was correct. @param {readonly Block[]} blocks */
export function summaryOf(blocks) {
  const rows = blocks.map(({ title, verdicts, right }) => [
    `${title} (${verdicts.length})`,
    ...columns.map(({ isSame }) => countCorrect(verdicts, right, isSame)),
  ]);
  return toTable([['', ...columns.map(({ name }) => name)], ...rows]);
}

/**
 * Returns the results case by case. Changes that a case does not list are marked. @param {readonly Verdict[]} verdicts
 * @param {{ withPeers: boolean }} options
 */
export function casesOf(verdicts, { withPeers }) {
  const head = ['case', 'moved', 'readable on one side only', 'hardware', 'confidence in a project', 'with last'];
  const peers = withPeers ? peerNames : [];
  const rows = verdicts.map((verdict) => [
    `${verdict.a} → ${verdict.b}`,
    marked(verdict.moved, verdict),
    marked(verdict.lost, verdict),
    verdict.hardware ? 'same' : 'different',
    toText(verdict.confidence.project),
    toText(verdict.confidence.userWithLast),
    ...peers.map((name) => ({ true: 'same', false: 'new' })[`${verdict.kept[name]}`] ?? 'none'),
  ]);
  return toTable([[...head, ...peers], ...rows]);
}

/** Returns which facets browser updates change. @param {readonly Block[]} blocks */
export function facetsOf(blocks) {
  const ofTitle = (/** @type {string} */ title) => blocks.find((block) => block.title === title)?.verdicts ?? [];
  const [adjacent, any] = [ofTitle('adjacent upgrades'), ofTitle('any two builds')];
  const kept = (/** @type {string} */ name, /** @type {Verdict[]} */ verdicts) =>
    `${verdicts.filter(({ moved, lost }) => !moved.includes(name) && !lost.includes(name)).length}/${verdicts.length}`;
  const rows = whorl.facets.map(({ name, group }) => [group, name, kept(name, adjacent), kept(name, any)]);
  return toTable([['group', 'facet', 'kept over adjacent upgrades', 'kept over any two builds'], ...rows]);
}

/**
 * Prints how often each method was correct, and the notable cases. With Markdown, prints all cases.
 *
 * @param {import('./main.mjs').Results} results
 * @param {{ markdown: boolean }} options
 */
export function report(results, { markdown }) {
  const blocks = blocksOf(results);
  console.log(`\n${summaryOf(blocks)}\n\n${measuredLine(results)}\n`);
  for (const { verdicts, right } of blocks) {
    const shown = markdown ? verdicts : verdicts.filter((verdict) => isNotable(verdict, right));
    if (shown.length) console.log(`${casesOf(shown, { withPeers: markdown })}\n`);
  }
  for (const { id, reason } of results.leftOut) console.log(`skipped: ${id}: ${reason}`);
}

/** Returns where the readings come from. Reports of older runs have only the date. @param {import('./main.mjs').Results} results */
export function measuredLine({ startedAt, measured }) {
  return measured ? provenanceLine(measured) : `Measured on ${startedAt.slice(0, 10)}, commit not recorded.`;
}

/** @param {readonly Verdict[]} verdicts @param {Block['right']} right @param {Column['isSame']} isSame */
function countCorrect(verdicts, right, isSame) {
  const answers = verdicts.map(isSame);
  const count = answers.filter((answer) => answer === (right !== 'different')).length;
  const none = answers.filter((answer) => answer === undefined).length;
  return `${count}/${verdicts.length}${none ? ` (${none} without a hash)` : ''}`;
}

/** @param {Verdict} verdict @param {Block['right']} right */
function isNotable({ hardware, unlisted, confidence }, right) {
  if (right === 'either') return true;
  if (right === 'different') return hardware || confidence.project >= 0.5;
  return !hardware || unlisted.length > 0 || confidence.userWithLast < 0.5;
}

/** @param {readonly string[]} names @param {Verdict} verdict */
function marked(names, { unlisted }) {
  return names.map((name) => (unlisted.includes(name) ? `${name} (!)` : name)).join(', ');
}

/** @param {number} confidence */
function toText(confidence) {
  return confidence > 0.9999 ? '>0.9999' : confidence < 0.0001 ? '<0.0001' : confidence.toFixed(4);
}

/** @param {string[][]} rows The first is the head. */
function toTable(rows) {
  const [head = '', ...rest] = rows.map((row) => `| ${row.join(' | ')} |`);
  return [head, `|${rows[0]?.map(() => '---|').join('')}`, ...rest].join('\n');
}
