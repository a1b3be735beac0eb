import { StartError } from '../start-error.js';
import { startCommand } from './run.js';

/** Runs a command of the service to its end, and answers what it said. @throws StartError with what it said instead. */
export async function command(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<string> {
  const { code, output, errors } = await startCommand(args, environment).outcome;
  if (code !== 0) throw new StartError(`whorl-service ${args.slice(0, 2).join(' ')} failed: ${errors.trim()}`);
  return output;
}
