// Which libraries recognise a browser after an update: one triangle each, with a cell for every two builds.

const cell = 15;
const across = 4;
const margin = { left: 34, top: 44, right: 18, bottom: 30 };

/**
 * @typedef {{ name: string, isSame: (verdict: import('./judge.mjs').Verdict) => boolean | undefined }} Column
 */

/**
 * @param {readonly import('./judge.mjs').Verdict[]} upgrades Every pair, the older build first.
 * @param {readonly Column[]} columns
 * @returns {string} SVG.
 */
export function drawUpgrades(upgrades, columns) {
  const ids = [...new Set(upgrades.flatMap(({ a, b }) => [a, b]))];
  const side = ids.length * cell;
  const panel = { width: margin.left + side + margin.right, height: margin.top + side + margin.bottom };
  const [width, height] = [across * panel.width, Math.ceil(columns.length / across) * panel.height];
  const panels = columns.map(({ name, isSame }, index) => {
    const [x, y] = [
      (index % across) * panel.width + margin.left,
      Math.floor(index / across) * panel.height + margin.top,
    ];
    const kept = upgrades.filter((verdict) => isSame(verdict) === true).length;
    return `<g transform="translate(${x} ${y})">
<text class="name" y="-22">${name}</text><text y="-7">the same in ${kept} of ${upgrades.length}</text>
${upgrades.map((verdict) => drawCell(ids.indexOf(verdict.a), ids.indexOf(verdict.b), isSame(verdict) === true)).join('')}
${ids.map((id, at) => drawLabels(id, at, ids.length)).join('')}
</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Which pairs of Chromium builds each library identifies as one browser">
<style>
text { font: 10px system-ui, sans-serif; fill: #667 }
.name { font-weight: 600; font-size: 12px; fill: #223 }
.kept { fill: #0a8f7a } .new { fill: #e3e6ea }
@media (prefers-color-scheme: dark) { text { fill: #99a } .name { fill: #eef } .new { fill: #3a3f47 } .kept { fill: #2cc4aa } }
</style>
${panels.join('\n')}
</svg>
`;
}

/** @param {number} older @param {number} newer @param {boolean} kept */
function drawCell(older, newer, kept) {
  const [x, y] = [older * cell, (newer - 1) * cell];
  return `<rect class="${kept ? 'kept' : 'new'}" x="${x}" y="${y}" width="${cell - 2}" height="${cell - 2}" rx="2"/>`;
}

/** The newer build at the left, the older one below. @param {string} id @param {number} at @param {number} count */
function drawLabels(id, at, count) {
  const short = id.replace('build ', '').replace('system', 'now');
  const left = at > 0 ? `<text x="-4" y="${at * cell - 4}" text-anchor="end">${short}</text>` : '';
  const below =
    at < count - 1
      ? `<text transform="translate(${at * cell + 10} ${(count - 1) * cell + 3}) rotate(-90)" text-anchor="end">${short}</text>`
      : '';
  return left + below;
}
