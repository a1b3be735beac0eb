import { createRequire } from 'node:module';

/** Loads a package as the service has it: the peer is built of the very same versions. */
export const requireOfService = createRequire(new URL('../../service/package.json', import.meta.url));
