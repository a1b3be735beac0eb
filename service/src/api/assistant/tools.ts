import { z } from 'zod';
import { retrieveChallenge } from '../../challenges/read.js';
import { retrieveEvaluation } from '../../evaluation/evaluations.js';
import { listEvaluations } from '../../evaluation/search/list.js';
import { evaluationFilters } from '../../evaluation/search/rules/filters.js';
import { noSuch } from '../../ground/errors.js';
import { parserOf } from '../../http/parse.js';
import { userId } from '../../http/schemas/fields.js';
import { withPeriod } from '../../http/schemas/query.js';
import { findLinkedAccounts } from '../../recognition/linked-accounts/linked-accounts.js';
import { listUserDevices } from '../../resources/devices/list.js';
import type { Caller, Service } from '../../resources/service.js';
import { toUser } from '../../resources/users/present.js';
import { findUserByExternalId, type UserRow } from '../../resources/users/queries/users.js';
import { evaluationsQuery } from '../evaluations/schemas.js';
import { replayRule } from './replay-rule.js';
import { type AssistantTool, tool } from './tool.js';

const maxListed = 50;

const user = userId().describe("The application's own identifier of the user.");
const idOf = (what: string) => z.uuid().describe(`ID of the ${what}.`);

/** The filters of `GET /v2/evaluations`, as texts: the endpoint's schema reads and checks them. */
const filters = Object.fromEntries(
  Object.entries(evaluationFilters).map(([name, { description, form }]) => [
    name,
    z.string().optional().describe(`${description} It must be ${form}.`),
  ]),
);

const parseQuery = parserOf(evaluationsQuery);

export const assistantTools: readonly AssistantTool[] = [
  tool(
    {
      name: 'search_evaluations',
      description:
        'Returns evaluations that match all filters, the newest first. A page can have few or none: continue with the ' +
        'cursor until there is no `next_cursor`.',
      input: z.object({
        ...filters,
        start_date: z.string().optional().describe('Earliest time: a date, or a timestamp with a time zone.'),
        end_date: z.string().optional().describe('Latest time: a date, or a timestamp with a time zone.'),
        cursor: z.string().optional().describe('`next_cursor` of the previous page.'),
        limit: z.string().optional().describe('Number of results, from 1 to 100. Default: 10.'),
      }),
    },
    ({ service, caller }, input) => {
      const { cursor, limit, ...filter } = parseQuery(input);
      return listEvaluations(service, caller, withPeriod(filter), { cursor, limit });
    },
  ),
  tool(
    {
      name: 'get_evaluation',
      description:
        'Returns one evaluation of a login, sign-up or other action: its verdict, the reasons with their evidence, what ' +
        'decided the verdict, the device, the address and the risk score.',
      input: z.object({ evaluation_id: idOf('evaluation') }),
    },
    ({ service, caller }, { evaluation_id }) => retrieveEvaluation(service, caller, evaluation_id),
  ),
  tool(
    {
      name: 'get_user',
      description: `Returns a user with masked contacts, and up to ${maxListed} devices of the user, the newest first.`,
      input: z.object({ user }),
    },
    async ({ service, caller }, { user: name }) => {
      const row = await mustFindUser(service, caller, name);
      const devices = await listUserDevices(service, caller, name, { page: 1, limit: maxListed });
      return { user: toUser(service, row), devices: devices.data, devices_in_all: devices.total };
    },
  ),
  tool(
    {
      name: 'get_linked_accounts',
      description:
        'Returns other accounts that share a key, a contact, a device, hardware or an IP address with a user, directly ' +
        'or through others, and what they share. "weak" links are shared by strangers too.',
      input: z.object({ user }),
    },
    async ({ service, caller }, { user: name }) => {
      const row = await mustFindUser(service, caller, name);
      const { accounts, shared, isCut } = await findLinkedAccounts(service, caller, row.id);
      const names = new Map(accounts.map(({ id, external_id }) => [id, external_id]));
      return {
        accounts: accounts.map(({ external_id, status, created_at, strength, kinds }) => ({
          user: external_id,
          status,
          created_at,
          strength,
          linked_by: kinds,
        })),
        shared: shared.map(({ kind, label, userIds }) => ({ kind, label, users: userIds.map((id) => names.get(id)) })),
        has_more: isCut,
      };
    },
  ),
  tool(
    {
      name: 'get_challenge',
      description: 'Returns a challenge: why the user was asked for a code, what happened, and how it was verified.',
      input: z.object({ challenge_id: idOf('challenge') }),
    },
    ({ service, caller }, { challenge_id }) => retrieveChallenge(service, caller, challenge_id),
  ),
  replayRule,
];

/** @throws {ApiError} `not_found` */
async function mustFindUser({ db }: Service, { worldId }: Caller, name: string): Promise<UserRow> {
  const row = await findUserByExternalId(db, worldId, name);
  if (!row) throw noSuch('user');
  return row;
}
