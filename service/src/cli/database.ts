import type { Command } from 'commander';
import { withService } from './with-service.js';

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('Migrate the database, and exit. "start" does the same.')
    .action(() => withService(async () => console.log('The database is up to date.')));
}

const doneOnServer =
  'The tables were rewritten. Your PostgreSQL server manages the log and the backups: see docs/erasure.md.';

export function addCompactCommand(program: Command): void {
  program
    .command('compact')
    .description('Rewrite the tables, so that their files contain no deleted data. Other processes wait meanwhile.')
    .action(() =>
      withService(async ({ db }) => {
        const { compact } = await import('../db/vacuum.js');
        const isWhole = await compact(db);
        console.log(isWhole ? 'The tables were rewritten, and the old log was deleted.' : doneOnServer);
      }),
    );
}
