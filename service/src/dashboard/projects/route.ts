import { OperatorError } from '../../ground/operator-error.js';
import { redirect } from '../../http/pages/page-response.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { projectsOf } from '../../resources/admins/members.js';
import { createProject, listProjects } from '../../resources/projects/projects.js';
import { administrator } from '../../resources/projects/setting-log.js';
import { type AdminPage, type AdminRequest, adminRoute } from '../dashboard-route.js';
import { whenConfirmed } from '../sign-in/confirmed.js';
import { createdProjectPage, type ListedProject, overviewPath, type ProjectForm, projectsPage } from './view.js';

const path = '/dashboard/projects';

/** Returns the projects that the account may see. */
async function ownProjects({ service, admin }: AdminRequest): Promise<ListedProject[]> {
  const [all, own] = await Promise.all([listProjects(service), projectsOf(service, admin)]);
  return own ? all.filter(({ id }) => own.has(id)) : all;
}

/** The first page after signing in: the only project, or all of them. */
const start = adminRoute({
  method: 'get',
  path: '/dashboard',
  permission: 'use_account',
  handle: async (request) => {
    const projects = await ownProjects(request);
    const [only, ...others] = projects;
    if (!only || others.length > 0) return projectsPage(request, projects);
    return redirect(overviewPath(request, only.id, 'live'));
  },
});

async function list(request: AdminRequest, entered?: ProjectForm): Promise<AdminPage> {
  return projectsPage(request, await ownProjects(request), entered);
}

const create = adminRoute({
  method: 'post',
  path,
  permission: 'manage_installation',
  handle: async (request) => {
    const { service, fields, admin, address } = request;
    const name = (fields.get('name') ?? '').trim();
    return whenConfirmed(request, {
      ask: (again) => list(again, { name }),
      act: async (confirmed) => {
        try {
          return createdProjectPage(
            confirmed,
            await createProject(service, { name, createdBy: administrator(admin), network: address?.network }),
          );
        } catch (error) {
          if (!(error instanceof OperatorError)) throw error;
          return list(confirmed, { name, error: error.message });
        }
      },
    });
  },
});

/** Pages that list and create projects. */
export const projects: readonly PageRoute[] = [
  start,
  adminRoute({ method: 'get', path, permission: 'use_account', handle: (request) => list(request) }),
  create,
];
