import { createHash } from 'node:crypto';
import { toResponse } from '../../http/answer.js';
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
    const styleHash = createHash('sha256').update(styles).digest('base64');
    const policy = [
      "default-src 'none'",
      `style-src 'sha256-${styleHash}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ];
    return () =>
      toResponse(
        { status: 200, type: 'text/html; charset=utf-8', body },
        new Headers({ 'Cache-Control': 'public, max-age=300', 'Content-Security-Policy': policy.join('; ') }),
      );
  },
};
