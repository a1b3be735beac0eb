import type { Command } from 'commander';
import { withService } from './with-service.js';

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('Bring the tables up to date, and end. Starting does the same.')
    .action(() => withService(async () => console.log('The tables are up to date.')));
}
