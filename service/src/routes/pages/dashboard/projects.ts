import type { PageRoute } from '../../../http/page-route.js';
import { listProjects } from '../../../operations/projects.js';
import { projectsPage } from '../../../pages/dashboard/projects.js';
import { adminRoute } from './dashboard-route.js';

export const projects: readonly PageRoute[] = [
  adminRoute({
    method: 'get',
    path: '/dashboard',
    answer: async ({ service, basePath }) => projectsPage(await listProjects(service), basePath),
  }),
];
