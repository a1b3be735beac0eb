import type { PageRoute } from '../../http/pages/page-route.js';
import { dashboardRoute } from '../dashboard-route.js';
import { addressesPage } from './view.js';

export const addresses: readonly PageRoute[] = [
  dashboardRoute({
    method: 'get',
    path: '/dashboard/{project}/{mode}/addresses',
    permission: 'view',
    handle: async ({ service }) => addressesPage(service.addresses.sources()),
  }),
];
