import type { PageRoute } from '../../http/pages/page-route.js';
import { listAudit, recordAudit } from '../../resources/audit/audit.js';
import { exportAudit } from '../../resources/audit/export.js';
import { isAuditKind } from '../../resources/audit/rules/audit.js';
import { listProjects } from '../../resources/projects/projects.js';
import { currentReaderOf } from '../../resources/service.js';
import { type AdminRequest, originOf } from '../dashboard-request.js';
import { type AdminPage, adminRoute, dashboardRoute } from '../dashboard-route.js';
import { download } from '../download.js';
import { idIn } from '../request.js';
import { auditPage } from './view.js';

const pageSize = 50;

async function show(
  { reader, query, basePath, formToken }: AdminRequest,
  { path, projectId }: { readonly path: string; readonly projectId?: string },
): Promise<AdminPage> {
  const requested = query.get('kind');
  const kind = isAuditKind(requested) ? requested : undefined;
  const filter = { kind, projectId, before: idIn(query.get('before')), limit: pageSize };
  const [page, projects] = await Promise.all([listAudit(reader, filter), listProjects(reader)]);
  return auditPage({ basePath, formToken, path, page, kind, projects, isOfProject: projectId !== undefined });
}

/** Records the download, and streams the entries, one JSON object per line. */
async function exportLog(request: AdminRequest, projectId?: string): Promise<Response> {
  const { service } = request;
  await recordAudit(service.db, service, { ...originOf(request), kind: 'audit_exported', projectId });
  // With the entry of the download itself.
  const reader = await currentReaderOf(service);
  const day = service.now().toISOString().slice(0, 10);
  return download({
    parts: linesOf(exportAudit(reader.db, { projectId })),
    name: `audit-log-${day}.ndjson`,
    type: 'application/x-ndjson',
  });
}

async function* linesOf(entries: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${entry}\n`;
}

/** Pages of the audit log: of the installation, and of a project. */
export const audit: readonly PageRoute[] = [
  adminRoute({
    method: 'get',
    path: '/dashboard/audit',
    permission: 'manage_installation',
    handle: (request) => show(request, { path: `${request.basePath}/dashboard/audit` }),
  }),
  adminRoute({
    method: 'post',
    path: '/dashboard/audit/export',
    permission: 'manage_installation',
    handle: (request) => exportLog(request),
  }),
  dashboardRoute({
    method: 'post',
    path: '/dashboard/{project}/{mode}/audit/export',
    permission: 'view_audit_log',
    handle: (request) => exportLog(request, request.world.projectId),
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
