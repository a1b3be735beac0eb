import { ReceiverRefused } from '../../resources/events/webhook-client.js';
import type { Service } from '../../resources/service.js';
import { compareEndpoints } from '../webhooks/rules/endpoint-urls.js';
import { readProject } from './read-project.js';
import type { ReadFile } from './rules/read-file.js';

/** URLs that were checked, with the reason why webhooks may not be sent there, if any. */
export type Receivers = ReadonlyMap<string, string | undefined>;

/**
 * Checks the new webhook endpoints of a file as the dashboard does. It resolves their names, and therefore runs before
 * the transaction. Existing endpoints are not checked: a file that changes nothing is always valid.
 */
export async function checkReceivers(service: Service, project: string, { webhooks }: ReadFile): Promise<Receivers> {
  if (!webhooks) return new Map();
  const { worlds } = await readProject(service, project);
  const added = worlds.flatMap(({ mode, endpoints }) => {
    const urls = webhooks[mode]?.map(({ url }) => url) ?? [];
    return compareEndpoints(urls, endpoints).added.map((at) => urls[at] ?? '');
  });
  const checked = await Promise.all(
    [...new Set(added)].map(async (url) => [url, await refusalOf(service, url)] as const),
  );
  return new Map(checked);
}

async function refusalOf({ webhooks }: Service, url: string): Promise<string | undefined> {
  try {
    await webhooks.check(url);
    return undefined;
  } catch (error) {
    if (error instanceof ReceiverRefused) return error.message;
    throw error;
  }
}
