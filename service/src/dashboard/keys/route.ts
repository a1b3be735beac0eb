import { ApiError } from '../../ground/errors.js';
import { OperatorError } from '../../ground/operator-error.js';
import { type KeyScope, keyScopes } from '../../ground/vocabulary.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { createKey, findKey, type ListedKey, listKeys, revokeKey, rotateKey } from '../../resources/projects/keys.js';
import { haveSameScopes } from '../../resources/projects/rules/key-scopes.js';
import { changeOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { choiceIn, idIn } from '../request.js';
import { whenConfirmed } from '../sign-in/confirmed.js';
import { type KeyForm, keepHours, keysPage, newKeyPage, revokeKeyPage, rotateKeyPage, scopeField } from './view.js';

const path = '/dashboard/{project}/{mode}/keys';

const keysOf = ({ service, world }: DashboardRequest) =>
  listKeys(service, { project: world.projectId, mode: world.mode });

/** Defines an action on keys. Errors are shown on the page of all keys. */
function action(ending: string, act: (request: DashboardRequest) => Promise<DashboardPage | Response>): PageRoute {
  return dashboardRoute({
    method: 'post',
    path: `${path}${ending}`,
    permission: 'manage_keys',
    handle: async (request) => {
      try {
        return await act(request);
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        return redirectWithNotice(request, '/keys', { kind: 'bad', text: error.message });
      }
    },
  });
}

const list = dashboardRoute({
  method: 'get',
  path,
  permission: 'manage_keys',
  handle: async (request) => keysPage(request, await keysOf(request)),
});

const create = action('', (request) =>
  whenConfirmed(request, {
    ask: async (again) => keysPage(again, await keysOf(again), chosenIn(again.fields)),
    act: async ({ service, world, fields }) => {
      const kind = choiceIn(fields, 'kind', ['secret', 'publishable']);
      // The form posts its scopes with either kind.
      const scopes = kind === 'secret' ? scopesIn(fields) : [];
      const choice = { project: world.projectId, mode: world.mode, kind, scopes, ...changeOf(request) };
      return newKeyPage(request, await createKey(service, choice));
    },
  }),
);

function chosenIn(fields: URLSearchParams): KeyForm {
  return { kind: fields.get('kind') ?? 'secret', scopes: scopesIn(fields) };
}

function scopesIn(fields: URLSearchParams): KeyScope[] {
  return keyScopes.filter((scope) => fields.has(scopeField(scope)));
}

const askToRotate = dashboardRoute({
  method: 'get',
  path: `${path}/{key}/rotate`,
  permission: 'manage_keys',
  handle: async (request) => rotateKeyPage(request, await keyOf(request)),
});

const rotate = action('/{key}/rotate', async (request) => {
  const { service, world, fields } = request;
  const key = await keyOf(request);
  return whenConfirmed(request, {
    ask: async (again) => rotateKeyPage(again, key, fields.get('keep_hours') ?? undefined),
    act: async () => {
      const hours = choiceIn(
        fields,
        'keep_hours',
        keepHours.map(({ value }) => value),
      );
      const newKey = await rotateKey(service, {
        project: world.projectId,
        mode: world.mode,
        kind: key.kind,
        scopes: key.scopes,
        ...changeOf(request),
        keepOldForHours: Number(hours),
        // A form that is sent twice must not rotate the new key.
        newest: key.id,
      });
      return newKeyPage(request, newKey);
    },
  });
});

async function showRevoke(request: DashboardRequest): Promise<DashboardPage> {
  const key = await keyOf(request);
  const isLast = !(await keysOf(request)).some(
    ({ id, kind, scopes, isValid }) =>
      isValid && kind === key.kind && haveSameScopes(scopes, key.scopes) && id !== key.id,
  );
  return revokeKeyPage(request, key, { isLast });
}

const askToRevoke = dashboardRoute({
  method: 'get',
  path: `${path}/{key}/revoke`,
  permission: 'manage_keys',
  handle: showRevoke,
});

const revoke = action('/{key}/revoke', async (request) => {
  const { service, world } = request;
  const { id } = await keyOf(request);
  return whenConfirmed(request, {
    ask: showRevoke,
    act: async () => {
      const choice = { project: world.projectId, key: id, ...changeOf(request) };
      const { shown } = await revokeKey(service, choice);
      return redirectWithNotice(request, '/keys', { kind: 'good', text: `The key ${shown} was revoked.` });
    },
  });
});

/** @throws {ApiError} `not_found`, also for a key of another world */
async function keyOf({ service, world, params }: DashboardRequest): Promise<ListedKey> {
  const key = idIn(params.key);
  const found = key === undefined ? undefined : await findKey(service, { project: world.projectId, key });
  if (found?.mode === world.mode) return found;
  throw new ApiError('not_found', { detail: 'This key does not exist.' });
}

/** Pages that list, create, rotate and revoke the keys of a world. */
export const keys: readonly PageRoute[] = [list, create, askToRotate, rotate, askToRevoke, revoke];
