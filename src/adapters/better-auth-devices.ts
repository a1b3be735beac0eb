import type { AuthContext, Session } from 'better-auth';
import { deviceField } from './sign-in.js';

export type StoredSession = Session & Record<string, unknown>;

type Storage = NonNullable<AuthContext['secondaryStorage']>;

/**
 * Keys of the secondary storage, for sessions that are in it only. A device cannot be searched for there, and better-auth
 * removes the plugin's field from a session that it renews.
 */
const keys = {
  /** A list of one device. */
  device: (token: string) => `whorl-device-${token}`,
  /** A list, because an administrator's device has sessions of others too. */
  users: (device: string) => `whorl-users-${device}`,
};

/** Returns the secondary storage if sessions are in it only. Its sessions are deleted without hooks. */
export function onlyStorageOf({ options, secondaryStorage }: AuthContext): Storage | undefined {
  return options.session?.storeSessionInDatabase ? undefined : secondaryStorage;
}

/** Returns the device of a session. In the secondary storage, it is known until the session would have expired. */
export async function deviceOfSession(context: AuthContext, token: string): Promise<string | null> {
  const storage = onlyStorageOf(context);
  if (storage) return (await readList(storage, keys.device(token)))[0] ?? null;
  const where = [{ field: 'token', value: token }];
  // The field is not in what better-auth returns of a session.
  const device = (await context.adapter.findOne<StoredSession>({ model: 'session', where }))?.[deviceField];
  return typeof device === 'string' ? device : null;
}

/** Keeps the device of a session that was started or renewed, where the session has no column for it. */
export async function rememberDevice(context: AuthContext, { token, userId, expiresAt, ...session }: StoredSession) {
  const storage = onlyStorageOf(context);
  const seconds = Math.ceil((expiresAt.getTime() - Date.now()) / 1000);
  if (!storage || seconds <= 0) return;
  // A session that was renewed has no field.
  const device = session[deviceField] ?? (await deviceOfSession(context, token));
  if (typeof device !== 'string') return;
  await storage.set(keys.device(token), JSON.stringify([device]), seconds);
  const users = new Set(await readList(storage, keys.users(device))).add(userId);
  // Not shorter than for another session of the device, which may last longer than this one.
  const longest = Math.max(seconds, context.sessionConfig.expiresIn);
  await storage.set(keys.users(device), JSON.stringify([...users]), longest);
}

/** Ends all sessions of a device. */
export async function endSessionsOf(context: AuthContext, device: string): Promise<void> {
  const storage = onlyStorageOf(context);
  if (!storage) return endStoredSessions(context, device);
  for (const user of await readList(storage, keys.users(device)))
    for (const { token } of await context.internalAdapter.listSessions(user))
      if ((await deviceOfSession(context, token)) === device) await context.internalAdapter.deleteSession(token);
}

async function endStoredSessions({ adapter, internalAdapter }: AuthContext, device: string): Promise<void> {
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

/** Some clients of a storage parse what they read. */
async function readList(storage: Storage, key: string): Promise<string[]> {
  const stored = await storage.get(key);
  const list: unknown = typeof stored === 'string' ? JSON.parse(stored) : stored;
  return Array.isArray(list) ? list.map(String) : [];
}
