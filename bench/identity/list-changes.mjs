/** The changes of the list of cases, newest first. Whoever adds, removes or changes a case adds a row with the reason. */
const changes = [
  [
    '2026-11-24',
    '5 added: 4, 8 and 16 cores in Firefox, 4 cores in WebKit, and Firefox on another machine in Berlin',
    'They had been removed on 23 November, 41 minutes after they were added, without a word. In Firefox the cores had not changed, because it reads them from a file that the simulation did not replace. It does now. WebKit reports 4 cores for both machines: a real pair that whorl takes for one device, so removing it was wrong. Firefox with 4 cores is one too, because whorl reads two classes. Only these five were run anew; the other rows are of the run of the same day.',
  ],
  [
    '2026-11-23',
    '2 added: llvmpipe with OpenGL 4.5 (another device), a driver of OpenGL 3.3 alone (ambiguous)',
    'WebGL 2 is read since then.',
  ],
  [
    '2026-11-23',
    '5 removed: those that were put back on 24 November. `memoryFrom8` may change on plain http.',
    'No reason was given. The new facet needs a secure context, as `memory` does.',
  ],
  [
    '2026-11-23',
    '50 of another device added (from 19 to 69)',
    'More numbers of cores, memory sizes, renderers, touch points and systems.',
  ],
  ['2026-11-21', 'the first list', ''],
];

/** Returns the changes as a table of Markdown. */
export function listChanges() {
  return ['| date | change | reason |', '|---|---|---|', ...changes.map((row) => `| ${row.join(' | ')} |`)].join('\n');
}
