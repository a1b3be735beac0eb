import { InvalidArgumentError, Option } from 'commander';
import type { ShownSecret } from '../effects/webhooks/endpoints.js';
import { DatabaseUnavailableError } from '../ground/db/availability.js';
import type { OpenDatabase } from '../ground/db/database.js';
import { OperatorError } from '../ground/operator-error.js';
import type { CreatedProject } from '../resources/projects/projects.js';
import type { Service } from '../resources/service.js';

/**
 * Opens the service that the environment configures, migrates the database, runs a function, and closes the service.
 * Modules are imported on demand, because loading them takes most of a command's time and help needs none of them.
 */
export async function withService(act: (service: Service, database: OpenDatabase) => Promise<void>): Promise<void> {
  const [{ readConfig }, { explainDatabase }, { createSender }, { createLog }, { openService }] = await Promise.all([
    import('../server/config.js'),
    import('../server/explain-database.js'),
    import('../ground/messages/sender.js'),
    import('../server/log.js'),
    import('../server/open-service.js'),
  ]);
  const config = readConfig(process.env);
  const sender = createSender(config);
  try {
    const { service, database } = await openService(config, { log: createLog('silent'), sender, wait: false });
    await act(service, database).finally(() => database.close());
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    const explained = explainDatabase(config.database, error);
    if (explained instanceof OperatorError) throw explained;
    throw new OperatorError('The database is unreachable. Try again when it is available.', { cause: error });
  } finally {
    sender.close();
  }
}

/** Option for the project. The first start creates the default one. */
export const projectOption = () => new Option('--project <name or id>', 'project').default('default');

/** Option for one of the project's worlds. */
export const modeOption = () => new Option('--mode <mode>', 'live or test world').choices(['live', 'test']);

/** Parses an option that is a number, 0 or more. */
export function parseHours(text: string): number {
  const hours = Number(text);
  if (!text.trim() || !Number.isFinite(hours) || hours < 0) {
    throw new InvalidArgumentError('It must be a number of hours, 0 or more.');
  }
  return hours;
}

/** Returns a parser of an option that is a whole number within bounds. */
export function parseWhole(lowest: number, highest: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (text.trim() !== '' && Number.isInteger(number) && number >= lowest && number <= highest) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${lowest} to ${highest}.`);
  };
}

/** Parses an argument that is JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It is not valid JSON. Strings need double quotes, such as \'"enforce"\'.');
  }
}

/** Parses an option that is a time, such as `2026-01-02` (UTC) or `2026-01-02T03:04:05Z`. */
export function parseTime(text: string): Date {
  const time = /^\d{4}-\d{2}-\d{2}(T.*(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? new Date(text) : undefined;
  if (!time || Number.isNaN(time.getTime()) || !isDate(text.slice(0, 10))) {
    throw new InvalidArgumentError('It must be a time, such as 2026-01-02 or 2026-01-02T03:04:05Z.');
  }
  return time;
}

/** Returns whether a date exists: `Date` takes 30 February as 2 March. */
function isDate(text: string): boolean {
  return new Date(text).toISOString().startsWith(text);
}

/** Describes a new project with its keys. */
export function describeCreated({ project, keys }: CreatedProject): string {
  return [
    `Created the project "${project.name}" (${project.id}). Its keys are shown only once:`,
    `  live, secret       ${keys.live.secret}`,
    `  live, publishable  ${keys.live.publishable}`,
    `  test, secret       ${keys.test.secret}`,
    `  test, publishable  ${keys.test.publishable}`,
  ].join('\n');
}

/** Describes a new webhook endpoint with its secret. */
export function describeEndpointSecret({ id, secret }: ShownSecret): string {
  return `Created the webhook endpoint ${id}. Its secret is shown only once:\n  ${secret}`;
}

/** Describes the link to become the first administrator. */
export function describeAdminLink(url: string): string {
  return `The dashboard has no administrator yet. Open this link to become one. It works once, within an hour:\n  ${url}`;
}
