import type { PageRoute } from '../../../http/page-route.js';
import { type Asset, dashboardStyles } from '../../../pages/dashboard/assets.js';
import { copyScript } from '../../../pages/dashboard/secret.js';

const yearSeconds = 31_536_000;

/** Without the right hash in its address, as after an update of the service, a file is not kept for long. */
function serve({ path, text, type, url }: Asset): PageRoute {
  return {
    method: 'get',
    path,
    prepare: () => (c) => {
      const isNamed = url === `${path}?v=${c.req.query('v')}`;
      const cache = isNamed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache';
      return new Response(text, { headers: { 'Content-Type': type, 'Cache-Control': cache } });
    },
  };
}

export const assets: readonly PageRoute[] = [dashboardStyles, copyScript].map(serve);
