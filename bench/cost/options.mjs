import { parseArgs } from 'node:util';

/** Reads the options of the commands of this folder. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      loads: { type: 'string', default: '15' },
      only: { type: 'string' },
      markdown: { type: 'boolean', default: false },
    },
  });
  const loads = Number(values.loads);
  if (!Number.isInteger(loads) || loads < 1) throw new Error('--loads must be a whole number above 0.');
  return { loads, only: values.only, markdown: values.markdown };
}
