import { isAuditKind } from '../../../domain/audit.js';
import type { PageRoute } from '../../../http/page-route.js';
import { listAudit } from '../../../operations/audit.js';
import { listProjects } from '../../../operations/projects.js';
import { auditPage } from '../../../pages/dashboard/audit.js';
import { adminRoute } from './dashboard-route.js';
import { idIn } from './ids.js';

const shownEntries = 50;

const show = adminRoute({
  method: 'get',
  path: '/dashboard/audit',
  answer: async ({ service, query, basePath }) => {
    const given = query.get('kind');
    const kind = isAuditKind(given) ? given : undefined;
    const filter = { kind, before: idIn(query.get('before')), limit: shownEntries };
    const [page, projects] = await Promise.all([listAudit(service, filter), listProjects(service)]);
    return auditPage({ basePath, page, kind, projects });
  },
});

export const audit: readonly PageRoute[] = [show];
