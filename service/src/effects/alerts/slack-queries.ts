import type { Database } from '../../resources/service.js';

/** Context of the sealed URL. */
export const slackContext = 'slack_webhook.url';

/** Returns the sealed URL of a world's Slack channel; undefined if it has none. */
export async function findSlackUrl(db: Database, worldId: string): Promise<Uint8Array | undefined> {
  const row = await db.selectFrom('slack_webhooks').select('url').where('world_id', '=', worldId).executeTakeFirst();
  return row?.url;
}

export async function saveSlackUrl(db: Database, worldId: string, { url, now }: { url: Uint8Array; now: Date }) {
  await db
    .insertInto('slack_webhooks')
    .values({ world_id: worldId, url, created_at: now })
    .onConflict((conflict) => conflict.column('world_id').doUpdateSet({ url, created_at: now }))
    .execute();
}

export async function deleteSlackUrl(db: Database, worldId: string): Promise<void> {
  await db.deleteFrom('slack_webhooks').where('world_id', '=', worldId).execute();
}
