import type { PageRoute } from '../../http/pages/page-route.js';
import { projectsOf } from '../../resources/admins/members.js';
import { listProjects } from '../../resources/projects/projects.js';
import { adminRoute } from '../dashboard-route.js';
import { projectsPage } from './view.js';

export const projects: readonly PageRoute[] = [
  adminRoute({
    method: 'get',
    path: '/dashboard',
    permission: 'use_account',
    handle: async ({ service, admin, basePath }) => {
      const [all, own] = await Promise.all([listProjects(service), projectsOf(service, admin)]);
      return projectsPage(own ? all.filter(({ id }) => own.has(id)) : all, basePath);
    },
  }),
];
