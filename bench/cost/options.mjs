import { parseArgs } from 'node:util';

/**
 * Reads the options of the commands of this folder. `also`: other builds of whorl's script-tag file, as LABEL=PATH.
 * `pages`: the names of the only pages to load, separated by commas. Only `cost` has these two.
 */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      loads: { type: 'string', default: '15' },
      only: { type: 'string' },
      markdown: { type: 'boolean', default: false },
      also: { type: 'string', multiple: true, default: [] },
      pages: { type: 'string' },
    },
  });
  const loads = Number(values.loads);
  if (!Number.isInteger(loads) || loads < 1) throw new Error('--loads must be a whole number above 0.');
  const also = values.also.map((build) => {
    const [label = '', path = ''] = build.split('=');
    return { label, path };
  });
  return { loads, only: values.only, markdown: values.markdown, also, pages: values.pages?.split(',') };
}
