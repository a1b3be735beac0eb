import { hashSource, pageHeaders } from '../pages/page-headers.js';
import { readScript } from '../public/script.js';
import type { PublicRoute } from '../public-route.js';
import { renderApiDocs } from './page.js';
import { styles } from './page-styles.js';

export const apiDocs: PublicRoute = {
  path: '/docs',
  operationId: 'apiDocs',
  summary: 'This document, to read',
  contentType: 'text/html',
  prepare({ document, service }) {
    const scriptTag = `<script src="${service.publicUrl}/whorl.min.js"\n  integrity="${readScript().integrity}" crossorigin></script>`;
    const body = `<!doctype html>${renderApiDocs(document, scriptTag)}`;
    const headers = pageHeaders({ styles: hashSource(styles) }, { cache: 'public, max-age=300' });
    return () => new Response(body, { headers });
  },
};
