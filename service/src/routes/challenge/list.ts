import { endpoint } from '../../http/endpoint.js';
import { listChallenges } from '../../operations/challenges/list.js';
import { challengePage } from '../../schemas/answers.js';
import { withPeriod } from '../../schemas/period.js';
import { listChallengesQuery } from '../../schemas/query.js';

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
