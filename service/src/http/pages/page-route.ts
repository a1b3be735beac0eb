import type { Context } from 'hono';
import type { HttpEnv } from '../environment.js';
import type { Serving } from '../serve.js';

/** A route of a page for people: it answers with HTML, or leads on. No part of the API. */
export interface PageRoute {
  readonly method: 'get' | 'post';
  /** As endpoints write it: `/challenge/{id}`. */
  readonly path: string;
  /** Called once; what does not change is made there. */
  prepare(serving: Serving): (c: Context<HttpEnv>) => Response | Promise<Response>;
}
