// Fits service/src/evaluation/rules/risk/weights.ts to simulated people other than those of the comparison. Usage: node fit.mjs
// [people] [seed]. Build the service before, and again afterwards.
import { readFileSync, writeFileSync } from 'node:fs';
import { collect, fitFull, fitGeneral, groups, tableOf, training, weighted } from './fitting.mjs';
import { traceOf } from './trace.mjs';

const trace = traceOf({
  people: Number(process.argv[2] ?? training.people),
  seed: Number(process.argv[3] ?? training.seed),
});
const general = fitGeneral(weighted(collect(trace, 'default')));
const table = tableOf(fitFull(weighted(collect(trace, 'full')), general));

const blocks = groups.map((group) => {
  const lines = Object.entries(table[group]).map(([name, value]) => `    ${name}: ${value},`);
  return `  ${group}: {\n${lines.join('\n')}\n  },`;
});
const text = [`  offset: ${table.offset},`, ...blocks].join('\n');
const file = new URL('../../service/src/evaluation/rules/risk/weights.ts', import.meta.url);
writeFileSync(file, readFileSync(file, 'utf8').replace(/(export const weights = \{\n)[\s\S]*?\n\};/, `$1${text}\n};`));
console.log(text);
