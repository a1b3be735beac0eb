import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { OperatorError } from '../ground/operator-error.js';
import { parseWhole, withService } from './with-service.js';

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
      withService(async (_service, { withSession }) => {
        const { compact } = await import('../ground/db/vacuum.js');
        const isWhole = await withSession(compact);
        console.log(isWhole ? 'The tables were rewritten, and the old log was deleted.' : doneOnServer);
      }),
    );
}

interface DistributeArguments {
  readonly shards: number;
  readonly dryRun: boolean;
}

export function addDistributeCommand(program: Command): void {
  program
    .command('distribute')
    .description(
      'Distribute the tables over the nodes of a Citus cluster, by project (docs/scaling.md). The database is locked ' +
        'meanwhile. Tables that are distributed already stay as they are.',
    )
    .addOption(
      new Option('--shards <number>', 'parts of each table, the first time').default(32).argParser(parseWhole(1, 1024)),
    )
    .option('--dry-run', 'check, and list what would change', false)
    .action(({ shards, dryRun }: DistributeArguments) =>
      withService(async (service, { kind, withSession }) => {
        if (kind === 'embedded') {
          throw new OperatorError('The embedded database cannot be distributed. Set DATABASE_URL to a Citus cluster.');
        }
        const [{ distribute }, { recordAudit }] = await Promise.all([
          import('../ground/db/distribution/distribute.js'),
          import('../resources/audit/audit.js'),
        ]);
        const report = (line: string) => console.log(line);
        const changed = await withSession((db) => distribute(db, { shards, dryRun, report }));
        if (changed > 0 && !dryRun) {
          const details = { tables: changed, shards };
          await recordAudit(service.db, service, { kind: 'tables_distributed', details });
        }
        const left = dryRun ? `${changed} tables would change.` : `Distributed ${changed} tables.`;
        console.log(changed === 0 ? 'All tables are distributed.' : left);
      }),
    );
}

interface MoveArguments {
  readonly to: string;
  readonly batchRows: number;
}

export function addMoveCommand(program: Command): void {
  program
    .command('move')
    .description(
      'Copy the embedded database in DATA_FOLDER to an empty PostgreSQL database, and compare both. Stop the service ' +
        'first. A move that was interrupted continues when it is run again.',
    )
    .addOption(
      new Option('--to <url>', 'postgresql://user:password@host/database, without a pooler in between')
        .env('DATABASE_URL')
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--batch-rows <number>', 'rows that are copied at a time')
        .default(1000)
        .argParser(parseWhole(1, 10_000)),
    )
    .action(move);
}

async function move({ to: url, batchRows }: MoveArguments): Promise<void> {
  const [{ readConfig }, { openDatabase }, { explainPostgresql }, { moveDatabase }] = await Promise.all([
    import('../server/config.js'),
    import('../ground/db/database.js'),
    import('../ground/db/database-problem.js'),
    import('../ground/db/move.js'),
  ]);
  // Not an error of the option, which would print the password.
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol)) {
    throw new OperatorError('--to must be an address that begins with postgresql://.');
  }
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('DATABASE_'));
  const { dataFolder: folder, secret } = readConfig(Object.fromEntries(others));
  if (!existsSync(join(folder, 'database'))) {
    throw new OperatorError(`${folder} contains no embedded database: set DATA_FOLDER to the folder of the service.`);
  }
  const from = await openDatabase({ kind: 'embedded', folder });
  try {
    const to = await openDatabase({ kind: 'postgresql', url, poolSize: 1 });
    const report = (line: string) => console.log(line);
    const rows = await moveDatabase({ from: from.db, to: to.db, batchRows, report })
      .catch((error: unknown) => {
        throw explainPostgresql(url, error);
      })
      .finally(() => to.close());
    const usedSecret = secret === undefined ? `the content of the file ${join(folder, 'secret')}` : 'the same value';
    console.log(
      `Moved ${rows} rows. Both databases are equal. Set DATABASE_URL, set WHORL_SECRET to ${usedSecret}, and start the ` +
        'service. Do not start it without DATABASE_URL again.',
    );
  } finally {
    await from.close();
  }
}
