import { createHash, randomBytes } from 'node:crypto';
import type { Channel, Reason, Verdict } from 'whorl/wire';
import type { ChallengePage } from '../api.js';

const LIFETIME_MS = 12 * 60 * 60 * 1000;

/** The service's judgement of an action. */
export interface Judged {
  readonly verdict: Verdict;
  readonly reasons: readonly Reason[];
  /** The service's ID of the device. */
  readonly deviceId?: string | undefined;
  /** The token that the device's page needs to learn of its detachment. */
  readonly deviceToken?: string | undefined;
}

/** The state of a login. Kept on the server, so that a page cannot choose the user or the challenge. */
export type Session =
  | { readonly step: 'evaluate'; readonly userId: string }
  | {
      readonly step: 'challenge';
      readonly userId: string;
      readonly challengeId: string;
      readonly page: ChallengePage;
      readonly channels: readonly Channel[];
      readonly sent?: { readonly channel: Channel; readonly to: string };
      readonly judged: Judged;
    }
  | {
      readonly step: 'signed_in';
      readonly userId: string;
      readonly rights: 'all' | 'few';
      readonly byCode: boolean;
      readonly judged: Judged;
    };

interface StoredSession {
  readonly session: Session;
  readonly endsAt: number;
}

/** Sessions in memory, for 12 hours. A restart logs everyone out. Only hashes of their IDs are stored. */
export class Sessions {
  readonly #sessions = new Map<string, StoredSession>();

  /** Starts a session and returns its new id. An ID from before a login is not valid after it. */
  begin(session: Session): string {
    const id = randomBytes(32).toString('base64url');
    for (const [key, { endsAt }] of this.#sessions) if (endsAt <= Date.now()) this.#sessions.delete(key);
    this.#sessions.set(keyOf(id), { session, endsAt: Date.now() + LIFETIME_MS });
    return id;
  }

  find(id: string): Session | undefined {
    const stored = this.#sessions.get(keyOf(id));
    return stored && stored.endsAt > Date.now() ? stored.session : undefined;
  }

  /** Updates the session with this id, if it still exists. */
  update(id: string, session: Session): void {
    const stored = this.#sessions.get(keyOf(id));
    if (stored) this.#sessions.set(keyOf(id), { ...stored, session });
  }

  end(id: string): void {
    this.#sessions.delete(keyOf(id));
  }

  /** Ends all sessions of one of the user's devices. */
  endDevice(userId: string, deviceId: string): void {
    for (const [key, { session }] of this.#sessions) {
      const isOfDevice = session.step !== 'evaluate' && session.judged.deviceId === deviceId;
      if (isOfDevice && session.userId === userId) this.#sessions.delete(key);
    }
  }
}

function keyOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
