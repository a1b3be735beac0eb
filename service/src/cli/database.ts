import type { Command } from 'commander';
import { withService } from './with-service.js';

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('Bring the tables up to date, and end. Starting does the same.')
    .action(() => withService(async () => console.log('The tables are up to date.')));
}

const ofServer =
  'The tables are rewritten. The log and the backups are your PostgreSQL server’s: docs/erasure.md says what to do there.';

export function addCompactCommand(program: Command): void {
  program
    .command('compact')
    .description(
      'Rewrite the tables, so that nothing of what was deleted is left in their files. Others wait meanwhile.',
    )
    .action(() =>
      withService(async ({ db }) => {
        const { compact } = await import('../db/vacuum.js');
        const isWhole = await compact(db);
        console.log(isWhole ? 'The tables are rewritten, and the log before that is gone.' : ofServer);
      }),
    );
}
