import type { PageRoute } from '../../http/pages/page-route.js';
import { dashboardRoute } from '../dashboard-route.js';
import { addressesPage } from './view.js';

export const addresses: readonly PageRoute[] = [
  dashboardRoute({
    method: 'get',
    path: '/dashboard/{project}/{mode}/addresses',
    permission: 'view',
    async handle({ service }) {
      const updates = await service.addresses.updates();
      return addressesPage({ sources: service.addresses.sources(), updates, now: service.now() });
    },
  }),
];
