import { createRequire } from 'node:module';

/** Loads a package from the service's dependencies, so that the peer uses the same versions. */
export const requireFromService = createRequire(new URL('../../service/package.json', import.meta.url));
