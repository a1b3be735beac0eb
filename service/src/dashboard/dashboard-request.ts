import type { Context } from 'hono';
import type { WorldMode } from '../ground/db/schema/index.js';
import type { HttpEnv } from '../http/environment.js';
import type { Address } from '../resources/addresses/addresses.js';
import type { Permission } from '../resources/admins/permissions.js';
import { administrator, type NamedOrigin } from '../resources/audit/audit.js';
import type { Caller, Service } from '../resources/service.js';
import type { Actor } from './admin-actions.js';
import type { Conditions } from './load.js';
import type { Notice } from './notice.js';
import type { SignedInAdmin } from './sign-in/session.js';
import type { Confirming } from './view/forms.js';

/** Request by a signed-in member. */
export interface AdminRequest {
  readonly service: Service;
  /**
   * The service for reads: it may use a read replica, which has every change of this browser. The same as `service` in forms,
   * unless they only read.
   */
  readonly reader: Service;
  readonly c: Context<HttpEnv>;
  readonly admin: SignedInAdmin & Pick<Confirming['admin'], 'confirmAt'>;
  /** Returns whether the member is allowed to do something, in the request's project if it has one. */
  readonly can: (permission: Permission) => boolean;
  /** The address the request came from. */
  readonly address: Address | undefined;
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Fields of the posted form. Empty if none was posted. */
  readonly fields: URLSearchParams;
  /** The CSRF token of each form, posted as `csrf`. */
  readonly formToken: string;
  /** Prefix of all paths, without a trailing slash. */
  readonly basePath: string;
  /** Problems with the service's configuration. */
  readonly conditions: Conditions;
  /** A message about the previous step. */
  readonly notice: Notice | undefined;
  /** Whether the password was confirmed within the last minutes. */
  readonly isConfirmed: boolean;
  /** The error of the password that was sent with the form. */
  readonly confirmationError?: string;
  /** The session token in the browser's cookie. */
  readonly sessionToken: string;
}

/** Request by a member for a page of a project's live or test world. */
export interface DashboardRequest extends AdminRequest {
  readonly world: {
    readonly projectId: string;
    readonly projectName: string;
    readonly worldId: string;
    readonly mode: WorldMode;
  };
  /** The member as a caller, with the permissions of a secret key of this world. */
  readonly caller: Caller;
  /** Prefix of the paths of this world: `/dashboard/{project}/{mode}`. */
  readonly base: string;
}

/** Returns the actor of a request. */
export function actorOf(request: DashboardRequest): Actor {
  return { caller: request.caller, origin: originOf(request) };
}

/** Returns who makes a change of a project, and from where. */
export function changeOf({ admin, address }: Pick<AdminRequest, 'admin' | 'address'>) {
  return { changedBy: administrator(admin), network: address?.network };
}

/** Returns who makes a request, and from where, for the audit log. */
export function originOf({ admin, address }: Pick<AdminRequest, 'admin' | 'address'>): NamedOrigin {
  return { by: administrator(admin), network: address?.network };
}
