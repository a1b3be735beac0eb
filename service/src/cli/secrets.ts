import type { Command } from 'commander';
import type { ResealOptions, TableCounts } from '../effects/secrets/reseal.js';
import { OperatorError } from '../ground/operator-error.js';
import { withService } from './with-service.js';

const progressMs = 2000;

export function addSecretCommands(program: Command): void {
  const secrets = program.command('secrets').description('Replace the master secret (docs/operating.md).');
  secrets
    .command('reseal')
    .description(
      'Encrypt all data with WHORL_SECRET, so that WHORL_SECRET_PREVIOUS can be removed. Services may keep running. ' +
        'If it is interrupted, run it again.',
    )
    .action(() =>
      withService(async (service) => {
        const { resealAll } = await import('../effects/secrets/reseal.js');
        const counts = await resealAll(service, reportProgress());
        console.log(describeCounts(counts));
        const unreadable = counts.filter((count) => count.unreadable > 0);
        if (unreadable.length > 0) throw new OperatorError(describeUnreadable(unreadable));
      }),
    );
}

/** Prints progress every few seconds. */
function reportProgress(): ResealOptions {
  let nextAt = performance.now() + progressMs;
  const print = (line: string) => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + progressMs;
    console.log(line);
  };
  return {
    onProgress: ({ table, resealed }) => print(`${table}: ${resealed} rows so far`),
    onWait: (table, rows) => print(`${table}: waiting for ${rows} rows that another transaction has locked`),
  };
}

function describeCounts(counts: readonly TableCounts[]): string {
  const resealed = counts.filter((count) => count.resealed > 0);
  const lines = resealed.map((count) => `${count.table}: ${count.resealed} rows resealed`);
  const isComplete = counts.every(({ unreadable }) => unreadable === 0);
  if (!isComplete) return lines.join('\n');
  const end = 'All data is encrypted with WHORL_SECRET. WHORL_SECRET_PREVIOUS can be removed.';
  return [...(lines.length > 0 ? lines : ['Nothing to reseal.']), end].join('\n');
}

function describeUnreadable(counts: readonly TableCounts[]): string {
  const rows = counts
    .map(({ table, unreadable, unreadableIds: ids }) => {
      const shown = ids.length > 0 ? ` (${ids.join(', ')}${unreadable > ids.length ? ', …' : ''})` : '';
      return `${table}: ${unreadable}${shown}`;
    })
    .join('; ');
  return (
    `Neither WHORL_SECRET nor WHORL_SECRET_PREVIOUS can decrypt these rows: ${rows}. ` +
    'Set WHORL_SECRET_PREVIOUS to the secret that they were encrypted with, and run this again.'
  );
}
