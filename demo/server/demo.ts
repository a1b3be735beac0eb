import type { Whorl } from 'whorl/server';
import type { LogIn } from './api.js';
import type { ExchangeLog } from './exchanges.js';
import type { Fields } from './http/json.js';
import type { Mailbox } from './mailbox/mailbox.js';
import type { Sessions } from './users/sessions.js';
import type { Users } from './users/users.js';

/** What requests are answered with. */
export interface Demo {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly whorl: Whorl;
  /** The project's id, and its key for pages. */
  readonly project: { readonly id: string; readonly clientId: string };
  /** What the service signs its events with. */
  readonly webhookSecret: string;
  readonly exchanges: ExchangeLog;
  readonly mailbox: Mailbox;
}

/** A request of a page. */
export interface Visit {
  /** The body; empty with GET. */
  readonly fields: Fields;
  /** Where it comes from. There is no proxy in front of the demo, whose word would count. */
  readonly ip: string;
  readonly userAgent: string | undefined;
  readonly sessionId: string | undefined;
  /** Where the page reaches the service. */
  readonly serviceUrl: string;
}

/** What a page is answered. */
export interface Reply {
  readonly status: number;
  readonly answer: unknown;
  /** The id of the session from now on, or null where it ended. Left out: as it was. */
  readonly session?: string | null;
}

export type Handler = (demo: Demo, visit: Visit) => Promise<Reply>;

/** Tells a page where its visitor stands. */
export function logInReply(logIn: LogIn, session?: string | null): Reply {
  return { status: 200, answer: { logIn }, ...(session !== undefined && { session }) };
}
