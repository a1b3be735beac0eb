import { hashSource, pageHeaders } from '../../http/page-headers.js';
import type { PublicRoute } from '../../http/public-route.js';
import { renderApiDocs } from '../../pages/api-docs.js';
import { styles } from '../../pages/api-docs-styles.js';
import { readScript } from './script.js';

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
