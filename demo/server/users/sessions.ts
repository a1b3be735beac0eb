import { createHash, randomBytes } from 'node:crypto';
import type { Channel, Reason, Verdict } from 'whorl/wire';
import type { ChallengePage } from '../api.js';

const LIFETIME_MS = 12 * 60 * 60 * 1000;

/** What the service said about an action. */
export interface Judged {
  readonly verdict: Verdict;
  readonly reasons: readonly Reason[];
  /** The service's id of the device. */
  readonly deviceId?: string | undefined;
  /** With which the device's page hears of its detachment. */
  readonly deviceToken?: string | undefined;
}

/** How far somebody has come. Kept here, so that no page chooses for whom or with which challenge it goes on. */
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

interface Kept {
  readonly session: Session;
  readonly endsAt: number;
}

/** Sessions in memory, for 12 hours: a restart logs everybody out. Of their ids only hashes are kept. */
export class Sessions {
  readonly #kept = new Map<string, Kept>();

  /** Begins a session, and answers its id, which nobody knew before: an id from before a login is no good after it. */
  begin(session: Session): string {
    const id = randomBytes(32).toString('base64url');
    for (const [key, { endsAt }] of this.#kept) if (endsAt <= Date.now()) this.#kept.delete(key);
    this.#kept.set(keyOf(id), { session, endsAt: Date.now() + LIFETIME_MS });
    return id;
  }

  find(id: string): Session | undefined {
    const kept = this.#kept.get(keyOf(id));
    return kept && kept.endsAt > Date.now() ? kept.session : undefined;
  }

  /** Goes on with the same id, where the session is still there. */
  update(id: string, session: Session): void {
    const kept = this.#kept.get(keyOf(id));
    if (kept) this.#kept.set(keyOf(id), { ...kept, session });
  }

  end(id: string): void {
    this.#kept.delete(keyOf(id));
  }

  /** Ends the sessions of one of the user's devices, wherever it is. */
  endDevice(userId: string, deviceId: string): void {
    for (const [key, { session }] of this.#kept) {
      const isOfDevice = session.step !== 'evaluate' && session.judged.deviceId === deviceId;
      if (isOfDevice && session.userId === userId) this.#kept.delete(key);
    }
  }
}

function keyOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
