import { parseArgs } from 'node:util';

/**
 * @typedef {object} Options
 * @property {('postgresql' | 'embedded')[]} databases
 * @property {number} seconds How long each figure is measured.
 * @property {boolean} large
 * @property {boolean} markdown
 */

/** @returns {Options} */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      database: { type: 'string', default: 'both' },
      seconds: { type: 'string', default: '20' },
      large: { type: 'boolean', default: false },
      markdown: { type: 'boolean', default: false },
    },
  });
  const { database, large, markdown } = values;
  const seconds = Number(values.seconds);
  if (!Number.isFinite(seconds) || seconds < 1) throw new Error('--seconds must be a number, at least 1.');
  if (database !== 'postgresql' && database !== 'embedded' && database !== 'both') {
    throw new Error('--database must be postgresql, embedded or both.');
  }
  return { databases: database === 'both' ? ['postgresql', 'embedded'] : [database], seconds, large, markdown };
}
