import { endpoint } from '../../http/endpoint.js';
import { challengePage } from '../../http/schemas/answers.js';
import { withPeriod } from '../../http/schemas/period.js';
import { listChallengesQuery } from '../../http/schemas/query.js';
import { listChallenges } from '../list.js';

export const list = endpoint(
  {
    method: 'get',
    path: '/v2/challenges',
    operationId: 'listChallenges',
    tag: 'Challenges',
    summary: 'List challenges',
    description: 'Sorted by creation date, most recent first.',
    query: listChallengesQuery,
    answer: challengePage,
  },
  ({ service, caller, query }) => listChallenges(service, caller, withPeriod(query)),
);
