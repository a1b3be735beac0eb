import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Command, CommanderError } from 'commander';
import { OperatorError } from '../ground/operator-error.js';
import { addAddressCommands } from './addresses.js';
import { addAlertCommands } from './alerts.js';
import { addAuditCommand } from './audit.js';
import { addCompactCommand, addDistributeCommand, addMigrateCommand, addMoveCommand } from './database.js';
import { addKeyCommands } from './keys.js';
import { addListCommands } from './lists.js';
import { addMcpCommand } from './mcp.js';
import { addMemberCommands } from './members.js';
import { addProjectCommands } from './project.js';
import { DriftFound } from './project-file.js';
import { addSecretCommands } from './secrets.js';
import { addSettingsCommands } from './settings.js';
import { addStartCommand } from './start.js';
import { addStudyCommand } from './study.js';
import { addUserCommands } from './users.js';
import { addWebhookCommands } from './webhooks.js';

const exitCodes = { done: 0, failed: 1, misused: 2, drift: 3 } as const;

const HELP = `
All commands read the same environment variables (docs/operating.md). With DATABASE_URL, they can run while the service
is running. Without it, they use the embedded database in DATA_FOLDER, which only one process can open: stop the service
first. "addresses" uses no database.

Exit codes: 0 success, 1 failure, 2 invalid usage, 3 "project apply --dry-run" found changes.`;

/**
 * Runs a command line and returns the exit code. Results are printed to standard output, errors to standard error.
 */
export async function runCommand(args: readonly string[]): Promise<number> {
  const requireOutput = watchOutput();
  const program = new Command('whorl-service')
    .description('The service behind Whorl: evaluations with verdicts, devices, users and challenges by code.')
    .version(versionOfPackage())
    .addHelpText('after', HELP)
    .showHelpAfterError('(--help shows usage)')
    .exitOverride();
  addStartCommand(program);
  addMigrateCommand(program);
  addCompactCommand(program);
  addMoveCommand(program);
  addDistributeCommand(program);
  addProjectCommands(program);
  addKeyCommands(program);
  addSecretCommands(program);
  addSettingsCommands(program);
  addWebhookCommands(program);
  addAlertCommands(program);
  addUserCommands(program);
  addAddressCommands(program);
  addListCommands(program);
  addMemberCommands(program);
  addAuditCommand(program);
  addStudyCommand(program);
  addMcpCommand(program);
  inheritSettings(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    await requireOutput();
    return exitCodes.done;
  } catch (error) {
    // Commander has printed the error. Its exit code 0 is for help and version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.misused;
    if (error instanceof DriftFound) return exitCodes.drift;
    console.error(error instanceof OperatorError ? error.message : error);
    return exitCodes.failed;
  }
}

/**
 * Returns a function that throws if the output could not be written, which the console ignores: otherwise, a command would
 * succeed whose output is not in its file because the disk is full. A pipe whose reader has ended, such as head(1), is no
 * error.
 */
function watchOutput(): () => Promise<void> {
  let failure: NodeJS.ErrnoException | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failure ??= error;
  });
  return async () => {
    // The error of the last line follows it.
    await nextTurn();
    if (failure) throw new OperatorError(`The output cannot be written (${failure.code}).`, { cause: failure });
  };
}

/** Applies the program's error handling to commands that were created separately. */
function inheritSettings(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent);
    inheritSettings(command);
  }
}

function versionOfPackage(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version }: { version: unknown } = JSON.parse(text);
  return String(version);
}
