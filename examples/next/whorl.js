import { forwardedFor, whorlNext } from 'whorl/next';
import { Whorl } from 'whorl/server';

// Next loads this module once for route handlers and once for server actions. They share what 'cached' remembers.
globalThis.whorl ??= whorlNext({
  // A function, because next build runs this module too, without these variables.
  whorl: () => new Whorl({ apiSecret: process.env.WHORL_API_SECRET, baseUrl: process.env.WHORL_URL }),
  // A browser that was allowed in the last day can log in while the service is down.
  whenUnavailable: 'cached',
  clientAddress: forwardedFor(1),
});

export const { whorl } = globalThis;
