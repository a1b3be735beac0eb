import type { Database } from '../../service.js';

/** The fingerprint of a variant that something refers to. */
export async function findVariantFingerprint(db: Database, variantId: string): Promise<string> {
  const { fingerprint } = await db
    .selectFrom('variants')
    .select('fingerprint')
    .where('id', '=', variantId)
    .executeTakeFirstOrThrow();
  return fingerprint;
}
