import * as whorl from '../../dist/fingerprint.js';
import { judgeCases, judgeUpgrades } from './judge.mjs';
import { peerNames } from './libraries.mjs';

/**
 * @typedef {{ title: string, verdicts: import('./judge.mjs').Verdict[], right: 'same' | 'different' | 'either' }} Block
 * @typedef {{ name: string, says: (verdict: import('./judge.mjs').Verdict) => boolean | undefined }} Column
 */

/** Who is asked whether it is the same device. @type {Column[]} */
const columns = [
  { name: 'whorl, hardware group', says: ({ hardware }) => hardware },
  { name: 'whorl, compare in a project', says: ({ confidence }) => confidence.project >= 0.5 },
  { name: 'whorl, compare with last', says: ({ confidence }) => confidence.userWithLast >= 0.5 },
  ...peerNames.map((name) => ({
    name,
    says: (/** @type {import('./judge.mjs').Verdict} */ { kept }) => kept[name],
  })),
];

/**
 * Prints who was right how often, and every case where whorl was not.
 *
 * @param {import('./main.mjs').Results} results
 * @param {{ markdown: boolean }} options
 */
export function report(results, { markdown }) {
  const blocks = blocksOf(results);
  const rows = blocks.map(({ title, verdicts, right }) => [
    `${title} (${verdicts.length})`,
    ...columns.map(({ says }) => countRight(verdicts, right, says)),
  ]);
  console.log(`\n${toTable([['', ...columns.map(({ name }) => name)], ...rows])}\n`);
  const cases = blocks.flatMap(({ title, verdicts, right }) => verdicts.map((verdict) => ({ title, right, verdict })));
  const shown = markdown ? cases.filter(({ title }) => !title.startsWith('any two')) : cases.filter(isWorthALook);
  const head = ['case', 'moved', 'no longer, or newly, readable', 'hardware', 'confidence in a project', 'with last'];
  const peersHead = markdown ? peerNames : [];
  const lines = shown.map(({ verdict }) => [
    `${verdict.a} → ${verdict.b}`,
    marked(verdict.moved, verdict),
    marked(verdict.lost, verdict),
    verdict.hardware ? 'same' : 'different',
    toText(verdict.confidence.project),
    toText(verdict.confidence.userWithLast),
    ...peersHead.map((name) => ({ true: 'same', false: 'new', undefined: 'none' })[`${verdict.kept[name]}`] ?? ''),
  ]);
  if (lines.length) console.log(`${toTable([[...head, ...peersHead], ...lines])}\n`);
  for (const { id, reason } of results.leftOut) console.log(`left out: ${id}: ${reason}`);
}

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
    { title: 'ambiguous: said to be the same', verdicts: ofKind('ambiguous'), right: 'either' },
    { title: 'look-alikes: said to be the same', verdicts: ofKind('lookalike'), right: 'either' },
  ];
  return blocks.filter(({ verdicts }) => verdicts.length > 0);
}

/** @param {Block['verdicts']} verdicts @param {Block['right']} right @param {Column['says']} says */
function countRight(verdicts, right, says) {
  const answers = verdicts.map(says);
  const wanted = right !== 'different';
  const count = answers.filter((answer) => answer === wanted).length;
  const none = answers.filter((answer) => answer === undefined).length;
  return `${count}/${verdicts.length}${none ? ` (${none} without a hash)` : ''}`;
}

/** @param {{ right: string, verdict: import('./judge.mjs').Verdict }} each */
function isWorthALook({ right, verdict: { hardware, unlisted, confidence } }) {
  if (right === 'either') return true;
  if (right === 'different') return hardware || confidence.project >= 0.5;
  return !hardware || unlisted.length > 0 || confidence.userWithLast < 0.5;
}

/** What a case does not list is marked. @param {string[]} names @param {import('./judge.mjs').Verdict} verdict */
function marked(names, { unlisted }) {
  return names.map((name) => (unlisted.includes(name) ? `${name}!` : name)).join(' ');
}

/** @param {number} confidence */
function toText(confidence) {
  return confidence > 0.9999 ? '>0.9999' : confidence < 0.0001 ? '<0.0001' : confidence.toFixed(4);
}

/** @param {string[][]} rows The first is the head. */
function toTable(rows) {
  const [head = [], ...rest] = rows.map((row) => `| ${row.join(' | ')} |`);
  return [head, `|${rows[0]?.map(() => '---|').join('')}`, ...rest].join('\n');
}
