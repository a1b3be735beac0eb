import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Whorl } from 'whorl/server';
import type { ExchangeLog } from './exchanges.js';
import type { Fields } from './http/fields.js';
import type { Site } from './http/site.js';
import type { Mailbox } from './mailbox/mailbox.js';
import type { Sessions } from './users/sessions.js';
import type { Users } from './users/users.js';

/** Shared by all routes as `c.var.demo`. */
export interface Demo {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly whorl: Whorl;
  /** The project's ID, and its publishable key. */
  readonly project: { readonly id: string; readonly clientId: string };
  /** The secret that the service signs its webhooks with. */
  readonly webhookSecret: string;
  readonly exchanges: ExchangeLog;
  readonly mailbox: Mailbox;
  readonly site: Site;
}

export interface DemoEnv {
  Bindings: HttpBindings;
  Variables: {
    readonly demo: Demo;
    /** The JSON body of a POST request to `/api`. */
    readonly fields: Fields;
  };
}

export type DemoContext = Context<DemoEnv>;
export type Handler = (c: DemoContext) => Response | Promise<Response>;
export type Middleware = MiddlewareHandler<DemoEnv>;
