import type { Service } from '../../resources/service.js';
import { type Message, messageSlack } from './message.js';
import { findSlackUrl, slackContext } from './slack-queries.js';

/**
 * Posts a message to a world's Slack channel once. Returns why it failed, without any part of the URL; undefined if it was
 * accepted or the world has no channel any more.
 */
export async function postToSlack(service: Service, worldId: string, message: Message): Promise<string | undefined> {
  const sealed = await findSlackUrl(service.db, worldId);
  if (!sealed) return undefined;
  const url = service.vault.open(sealed, slackContext);
  const { failure, status } = await service.webhooks.post({ url, headers: {}, body: messageSlack(message) });
  return failure === undefined ? undefined : [failure, status].filter((part) => part !== undefined).join(' ');
}
