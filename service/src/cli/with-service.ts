import { InvalidArgumentError, Option } from 'commander';
import { DatabaseUnavailableError } from '../db/availability.js';
import { OperatorError } from '../operator-error.js';
import type { CreatedProject } from '../projects/projects.js';
import type { Service } from '../service.js';
import type { ShownSecret } from '../webhooks/endpoints.js';

/**
 * Opens what the environment names, does one thing, and closes it. Tables are brought up to date first. All that takes is
 * loaded here, and what a command does by the command: that is most of the time of one, and help needs none of it.
 */
export async function withService(act: (service: Service) => Promise<void>): Promise<void> {
  const [{ readConfig }, { createSender }, { createLog }, { openService }] = await Promise.all([
    import('../config.js'),
    import('../messages/sender.js'),
    import('../log.js'),
    import('../open-service.js'),
  ]);
  const config = readConfig(process.env);
  const sender = createSender(config);
  try {
    const { service, database } = await openService(config, { log: createLog('silent'), sender, wait: false });
    await act(service).finally(() => database.close());
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) {
      throw new OperatorError('Database unreachable: try again once it is back.', { cause: error });
    }
    throw error;
  } finally {
    sender.close();
  }
}

/** The project that a command is about. The first start makes the default one. */
export const projectOption = () => new Option('--project <name or id>', 'which project').default('default');

/** For an option that takes a number, 0 or more. */
export function parseHours(text: string): number {
  const hours = Number(text);
  if (!text.trim() || !Number.isFinite(hours) || hours < 0) throw new InvalidArgumentError('It is no number of hours.');
  return hours;
}

/** For an argument that takes JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It is not JSON; a text needs quotes of its own, such as \'"enforce"\'.');
  }
}

/** For an option that takes a moment, such as `2026-01-02` (UTC) or `2026-01-02T03:04:05Z`. */
export function parseTime(text: string): Date {
  const time = /^\d{4}-\d{2}-\d{2}(T.*(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? new Date(text) : undefined;
  if (!time || Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError('It is no time, such as 2026-01-02 or 2026-01-02T03:04:05Z.');
  }
  return time;
}

/** A new project with its keys, for a person. */
export function describeCreated({ project, keys }: CreatedProject): string {
  return [
    `Made the project "${project.name}" (${project.id}). Its keys are shown once:`,
    `  live, secret       ${keys.live.secret}`,
    `  live, publishable  ${keys.live.publishable}`,
    `  test, secret       ${keys.test.secret}`,
    `  test, publishable  ${keys.test.publishable}`,
  ].join('\n');
}

/** A new endpoint of webhooks. */
export function describeEndpointSecret({ id, secret }: ShownSecret): string {
  return `Made the webhook endpoint ${id}. Its secret is shown this once:\n  ${secret}`;
}

/** The way into a dashboard that has no administrator yet. */
export function describeAdminLink(url: string): string {
  return `The dashboard has no administrator yet. Become one at this address, which works once, within an hour:\n  ${url}`;
}
