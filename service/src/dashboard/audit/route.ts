import type { PageRoute } from '../../http/pages/page-route.js';
import { listAudit } from '../../resources/audit/audit.js';
import { isAuditKind } from '../../resources/audit/rules/audit.js';
import { listProjects } from '../../resources/projects/projects.js';
import { adminRoute } from '../dashboard-route.js';
import { idIn } from '../request.js';
import { auditPage } from './view.js';

const pageSize = 50;

const show = adminRoute({
  method: 'get',
  path: '/dashboard/audit',
  handle: async ({ service, query, basePath }) => {
    const requested = query.get('kind');
    const kind = isAuditKind(requested) ? requested : undefined;
    const filter = { kind, before: idIn(query.get('before')), limit: pageSize };
    const [page, projects] = await Promise.all([listAudit(service, filter), listProjects(service)]);
    return auditPage({ basePath, page, kind, projects });
  },
});

export const audit: readonly PageRoute[] = [show];
