import type { PageRoute } from '../../http/pages/page-route.js';
import { adminRoute } from '../dashboard-route.js';
import { componentsPage } from './view.js';

const path = '/dashboard/components';

/** A page that shows each part of the dashboard, for those who change it. It shows no data and changes nothing. */
export const components: readonly PageRoute[] = [
  adminRoute({
    method: 'get',
    path,
    permission: 'use_account',
    handle: async (request) => componentsPage(`${request.basePath}${path}`, request.service.now()),
  }),
];
