import type { PageRoute } from '../http/pages/page-route.js';
import { copyScript } from './keys/secret-view.js';
import { type Asset, chartLibrary, chartsFile, dashboardStyles } from './view/assets.js';

const yearSeconds = 31_536_000;

/** @param path Its own. @param read Called once, when the service starts. */
function serve(path: string, read: () => Asset): PageRoute {
  return {
    method: 'get',
    path,
    prepare() {
      const { text, type, url } = read();
      return (c) => {
        // Without the right hash in its address, as just after an update of the service, a file is not kept.
        const isNamed = url === `${path}?v=${c.req.query('v')}`;
        const cache = isNamed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache';
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
];
