import type { Context } from 'hono';
import type { Address } from '../addresses/addresses.js';
import type { WorldMode } from '../db/schema/index.js';
import type { HttpEnv } from '../http/environment.js';
import type { Caller, Service } from '../service.js';
import type { Actor } from './admin-actions.js';
import type { Conditions } from './load.js';

/** A request of an administrator who is signed in. */
export interface AdminVisit {
  readonly service: Service;
  readonly c: Context<HttpEnv>;
  readonly admin: { readonly id: string; readonly email: string };
  /** From where the request came. */
  readonly address: Address | undefined;
  /** Of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Of the form; empty where none was posted. */
  readonly fields: URLSearchParams;
  /** What each form carries as `csrf`. */
  readonly formToken: string;
  /** Before all paths; without a slash at its end. */
  readonly basePath: string;
  /** What is wrong with how the service is set up. */
  readonly conditions: Conditions;
  /** What the page tells of the step before it. */
  readonly notice: Notice | undefined;
  /** Whether the password was entered once more within the last minutes. */
  readonly isConfirmed: boolean;
  /** What was wrong with the one that came with the form. */
  readonly confirmationError?: string;
  /** What the browser keeps of the session. */
  readonly sessionToken: string;
}

/** The same, at a page of a project's live or test world. */
export interface DashboardVisit extends AdminVisit {
  readonly world: {
    readonly projectId: string;
    readonly projectName: string;
    readonly worldId: string;
    readonly mode: WorldMode;
  };
  /** The administrator as operations know who calls: what a secret key of this world may. */
  readonly caller: Caller;
  /** Before the sections of this world: `/dashboard/{project}/{mode}`. */
  readonly base: string;
}

/** What a page of the dashboard tells of the step before it. */
export interface Notice {
  readonly kind: 'good' | 'bad';
  readonly text: string;
}

/** Whoever does something at a page of a world. */
export function actorOf({ caller, admin }: DashboardVisit): Actor {
  return { caller, adminId: admin.id };
}
