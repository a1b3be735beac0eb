import type { PageRoute } from '../../http/pages/page-route.js';
import { listProjects } from '../../resources/projects/projects.js';
import { adminRoute } from '../dashboard-route.js';
import { projectsPage } from './view.js';

export const projects: readonly PageRoute[] = [
  adminRoute({
    method: 'get',
    path: '/dashboard',
    handle: async ({ service, basePath }) => projectsPage(await listProjects(service), basePath),
  }),
];
