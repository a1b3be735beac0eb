import { accessHistory as listAccesses } from '../evaluation/access-history.js';
import { endpoint } from '../http/endpoint.js';
import { accessPage } from '../http/schemas/answers.js';
import { withPeriod } from '../http/schemas/period.js';
import { accessHistoryQuery } from '../http/schemas/query.js';

export const accessHistory = endpoint(
  {
    method: 'get',
    path: '/v2/proj/access-history',
    operationId: 'accessHistory',
    tag: 'Legacy',
    summary: 'List accesses',
    description: 'Who did what from where, most recent first.',
    query: accessHistoryQuery,
    answer: accessPage,
  },
  ({ service, caller, query }) => listAccesses(service, caller, withPeriod(query)),
);
