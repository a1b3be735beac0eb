import { provenanceLine } from '../provenance.mjs';

/**
 * Returns a table as text, with aligned columns, the first one to the left, and below it where its figures come from.
 *
 * @param {readonly (readonly string[])[]} lines The heading first.
 * @param {{ markdown: boolean, measured?: import('../provenance.mjs').Provenance }} options `measured`: default: by this
 *   process.
 */
export function formatTable(lines, { markdown, measured }) {
  return `${alignCells(lines, markdown)}\n\n${provenanceLine(measured)}`;
}

/** Returns a table as text, likewise. @param {readonly (readonly string[])[]} lines @param {boolean} markdown */
export function alignCells(lines, markdown) {
  const [heading = [], ...body] = lines;
  if (markdown) {
    const rule = heading.map((_, index) => (index ? '---:' : '---'));
    return [heading, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  }
  const widths = heading.map((_, index) => Math.max(...lines.map((cells) => cells[index]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, index) => (index ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/**
 * Formats a number: whole numbers with thousands separators, others with significant digits only. @param {number |
 * undefined} value
 */
export function formatNumber(value) {
  if (value === undefined || Number.isNaN(value)) return '';
  if (Number.isInteger(value)) return value.toLocaleString('en-GB');
  return value.toFixed(value < 10 ? 1 : 0);
}
