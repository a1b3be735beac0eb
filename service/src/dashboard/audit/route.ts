import type { PageRoute } from '../../http/pages/page-route.js';
import { listAudit } from '../../resources/audit/audit.js';
import { isAuditKind } from '../../resources/audit/rules/audit.js';
import { listProjects } from '../../resources/projects/projects.js';
import type { AdminRequest } from '../dashboard-request.js';
import { type AdminPage, adminRoute, dashboardRoute } from '../dashboard-route.js';
import { idIn } from '../request.js';
import { auditPage } from './view.js';

const pageSize = 50;

async function show(
  { service, query, basePath }: AdminRequest,
  { path, projectId }: { readonly path: string; readonly projectId?: string },
): Promise<AdminPage> {
  const requested = query.get('kind');
  const kind = isAuditKind(requested) ? requested : undefined;
  const filter = { kind, projectId, before: idIn(query.get('before')), limit: pageSize };
  const [page, projects] = await Promise.all([listAudit(service, filter), listProjects(service)]);
  return auditPage({ basePath, path, page, kind, projects, isOfProject: projectId !== undefined });
}

/** Pages of the audit log: of the installation, and of a project. */
export const audit: readonly PageRoute[] = [
  adminRoute({
    method: 'get',
    path: '/dashboard/audit',
    permission: 'manage_installation',
    handle: (request) => show(request, { path: `${request.basePath}/dashboard/audit` }),
  }),
  dashboardRoute({
    method: 'get',
    path: '/dashboard/{project}/{mode}/audit',
    permission: 'view_audit_log',
    handle: async (request) => ({
      ...(await show(request, { path: `${request.base}/audit`, projectId: request.world.projectId })),
      section: 'audit',
    }),
  }),
];
