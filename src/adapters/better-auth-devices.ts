import type { AuthContext, Session } from 'better-auth';
import { deviceField } from './sign-in.js';

type StoredSession = Session & Record<string, unknown>;

/** Ends all sessions of a device. */
export async function endSessionsOf({ adapter, internalAdapter }: AuthContext, device: string): Promise<void> {
  const ended = new Set<string>();
  // A search returns 100 at most. With `preserveSessionInDatabase`, sessions that were ended stay, as expired.
  for (;;) {
    const where = [
      { field: deviceField, value: device },
      { field: 'expiresAt', value: new Date(), operator: 'gt' as const },
    ];
    const limit = ended.size + 100;
    const found = await adapter.findMany<StoredSession>({ model: 'session', where, limit });
    const tokens = found
      .map(({ token }) => token)
      .filter((token) => !ended.has(token))
      .slice(0, 100);
    if (tokens.length === 0) return;
    await internalAdapter.deleteSessions(tokens);
    for (const token of tokens) ended.add(token);
  }
}
