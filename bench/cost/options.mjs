import { parseArgs } from 'node:util';

/** The options of both commands. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      loads: { type: 'string', default: '15' },
      cold: { type: 'boolean', default: false },
      markdown: { type: 'boolean', default: false },
    },
  });
  const loads = Number(values.loads);
  if (!Number.isInteger(loads) || loads < 1) throw new Error('--loads must be a whole number above 0.');
  return { loads, cold: values.cold, markdown: values.markdown };
}
