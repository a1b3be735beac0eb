import { fileURLToPath } from 'node:url';

/** Returns a path relative to the built server in `demo/dist/server/`. */
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const demoFolder = at('../..');
/** The built pages. */
export const siteFolder = at('../site');
export const scriptTagFile = at('../../../dist/whorl.min.js');
export const workerFile = at('../../../dist/whorl-worker.min.js');
/** The command line of the service. */
export const serviceProgram = at('../../../service/dist/main.js');
/** Addresses of a VPN, as an operator would list them. */
export const vpnListFile = at('../../server/service/vpn.txt');
/** A module that is loaded into the service's process. */
export const withParentFile = at('./service/with-parent.js');
