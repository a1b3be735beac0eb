import { type FileHandle, open } from 'node:fs/promises';
import type { Command } from 'commander';
import type { WorldMode } from '../ground/db/schema/index.js';
import { OperatorError } from '../ground/operator-error.js';
import { fileError } from './files.js';
import { modeOption, projectOption, withService } from './with-service.js';

interface WorldOptions {
  readonly project: string;
  readonly mode: WorldMode;
}

export function addUserCommands(program: Command): void {
  const users = program.command('users').description('Import and erase users.');
  users
    .command('import')
    .description(
      'Create and update users from a file, and print the result of each line. Lines are stored independently. A file ' +
        'can be imported again: users that are already stored do not change.',
    )
    .argument(
      '<file>',
      'one JSON object per line (NDJSON), as in "users" of POST /v2/user/import, or comma-separated values (.csv)',
    )
    .addOption(projectOption())
    .addOption(modeOption().makeOptionMandatory())
    .action(importFile);
  users
    .command('erase')
    .description(
      'Erase the users of a file, for example again after you have restored a backup. A file can be used again: users ' +
        'that do not exist are counted as unknown.',
    )
    .argument('<file>', 'one identifier of a user per line')
    .addOption(projectOption())
    .addOption(modeOption().makeOptionMandatory())
    .action(eraseFile);
}

async function eraseFile(path: string, options: WorldOptions): Promise<void> {
  const file = await openFile(path);
  try {
    await withService(async (service) => {
      const [{ findCommandCaller }, { eraseUsers }] = await Promise.all([
        import('../resources/projects/command-caller.js'),
        import('./erase-users.js'),
      ]);
      const caller = await findCommandCaller(service, options);
      const { erased, unknown } = await eraseUsers(service, caller, file.readLines());
      console.log(`${erased} users erased, ${unknown} unknown.`);
    });
  } finally {
    await file.close();
  }
}

async function importFile(path: string, options: WorldOptions): Promise<void> {
  const file = await openFile(path);
  try {
    await withService(async (service) => {
      const [{ findCommandCaller }, { importRows, readLines }, { readCsv }, { recordImport }] = await Promise.all([
        import('../resources/projects/command-caller.js'),
        import('./import-lines.js'),
        import('./import-csv.js'),
        import('../effects/import/import-users.js'),
      ]);
      const caller = await findCommandCaller(service, options);
      const read = /\.csv$/i.test(path) ? readCsv : readLines;
      const counts = await importRows(service, caller, read(file.readLines()), (line) => console.log(line));
      await recordImport(service, caller, counts, {});
      const { created, updated, unchanged, failed } = counts;
      const total = created + updated + unchanged + failed;
      console.log(`${total} rows: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed.`);
      if (failed === 0) return;
      throw new OperatorError(
        `${failed} rows failed. Correct them and run the import again. Rows that are already stored do not change.`,
      );
    });
  } finally {
    await file.close();
  }
}

/** @throws OperatorError if the file cannot be read. */
async function openFile(path: string): Promise<FileHandle> {
  try {
    const file = await open(path);
    // A folder can be opened, and fails only when it is read.
    if ((await file.stat()).isDirectory()) {
      await file.close();
      throw Object.assign(new Error('It is a folder'), { code: 'EISDIR' });
    }
    return file;
  } catch (cause) {
    throw fileError(path, 'read', cause);
  }
}
