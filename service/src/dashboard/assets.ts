import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PageRoute } from '../http/pages/page-route.js';
import { completeScript } from './view/completion-script.js';
import {
  chartsScript,
  copyButtonScript,
  keysScript,
  passkeysScript,
  relativeTimesScript,
  waitScript,
} from './view/scripts.js';
import { styles } from './view/styles.js';

/** A static file of the dashboard, served by the service. */
export interface Asset {
  /** Path, without the query. */
  readonly path: string;
  readonly text: string;
  readonly type: string;
  /** Contains the file's hash, so that browsers can cache it permanently. */
  readonly url: string;
}

const scriptType = 'text/javascript; charset=utf-8';

function asset(path: string, type: string, text: string): Asset {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { path, text, type, url: `${path}?v=${hash}` };
}

export const dashboardStyles = asset('/assets/dashboard.css', 'text/css; charset=utf-8', styles);
export const chartsFile = asset('/assets/dashboard-charts.js', scriptType, chartsScript);
/** Adds a copy button beside each field that can be copied. */
export const copyScript = asset('/assets/copy.js', scriptType, copyButtonScript);
/** Shows the overview as soon as the first evaluation has arrived. */
export const waitingScript = asset('/assets/waiting.js', scriptType, waitScript);

/** Shows times relative to now. Part of every page for members. */
export const timesScript = asset('/assets/times.js', scriptType, relativeTimesScript);

/** Presses buttons by their keys. */
export const shortcutScript = asset('/assets/shortcuts.js', scriptType, keysScript);

/** Suggests what conditions of rules can read. */
export const completionScript = asset('/assets/completion.js', scriptType, completeScript);

/** Asks the browser for a passkey and submits its answer. */
export const passkeyScript = asset('/assets/dashboard-passkey.js', scriptType, passkeysScript);

let passkeys: Asset | undefined;

/** Returns the script-tag build of SimpleWebAuthn. */
export function passkeyLibrary(): Asset {
  passkeys ??= asset('/assets/webauthn.js', scriptType, readFileSync(passkeyFile(), 'utf8'));
  return passkeys;
}

function passkeyFile(): string {
  const entry = createRequire(import.meta.url).resolve('@simplewebauthn/browser');
  return join(dirname(entry), '..', 'dist', 'bundle', 'index.umd.min.js');
}

let library: Asset | undefined;

/** Returns the script-tag build of Chart.js. */
export function chartLibrary(): Asset {
  library ??= asset('/assets/chart.js', scriptType, readFileSync(libraryFile(), 'utf8'));
  return library;
}

function libraryFile(): string {
  return join(dirname(createRequire(import.meta.url).resolve('chart.js')), 'chart.umd.min.js');
}

const yearSeconds = 31_536_000;

/** @param read Reads the file. Called once, when the service starts. */
function serve(path: string, read: () => Asset): PageRoute {
  return {
    method: 'get',
    path,
    prepare() {
      const { text, type, url } = read();
      return (c) => {
        // Just after an update, an old page requests a file by its old hash. Such a response must not be cached.
        const isCurrentHash = url === `${path}?v=${c.req.query('v')}`;
        const cache = isCurrentHash ? `public, max-age=${yearSeconds}, immutable` : 'no-cache';
        return new Response(text, { headers: { 'Content-Type': type, 'Cache-Control': cache } });
      };
    },
  };
}

export const assets: readonly PageRoute[] = [
  serve(dashboardStyles.path, () => dashboardStyles),
  serve(chartsFile.path, () => chartsFile),
  serve('/assets/chart.js', chartLibrary),
  serve(copyScript.path, () => copyScript),
  serve(waitingScript.path, () => waitingScript),
  serve(timesScript.path, () => timesScript),
  serve(shortcutScript.path, () => shortcutScript),
  serve(completionScript.path, () => completionScript),
  serve('/assets/webauthn.js', passkeyLibrary),
  serve(passkeyScript.path, () => passkeyScript),
];
