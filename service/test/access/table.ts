import { isAllowed, type Permission, permissions, type Role, roles } from '../../src/testing.js';

/**
 * Access rules: each kind of route, its response to each kind of caller, and the routes of that kind. docs/access.md is
 * generated from this, and access.test.ts calls every route as every caller and compares.
 */

/** Each kind of caller, with its credentials. */
export const callers = {
  nobody: 'nobody: no key, no session',
  unknownKey: 'an invented secret key',
  expiredKey: 'a secret key that expired after a rotation',
  live: 'the live secret key',
  test: 'the test secret key',
  reader: 'a live secret key with only the scope `read`',
  manager: 'a live secret key with only the scope `manage`',
  testOnLive: 'the test secret key, with IDs of the live world',
  otherProject: "another project's live secret key, with this project's IDs",
  page: 'the live publishable key, from an allowed origin',
  testPage: 'the test publishable key, from an allowed origin',
  foreignPage: 'the live publishable key, from an origin that the project does not allow',
  noPage: 'the live publishable key, without an origin',
  device: "a device's token, from an allowed origin",
  otherDevice: "another device's token, from an allowed origin",
  foreignDevice: "a device's token, from an origin that the project does not allow",
  visitor: "a visit to the challenge's page",
  visitorWithoutToken: "a visit to the challenge's page, without the token of its forms",
  otherVisitor: "a visit to another challenge's page",
  owner: 'an owner, signed in to the dashboard',
  administrator: 'an administrator of the project, signed in to the dashboard',
  analyst: 'an analyst of the project, signed in to the dashboard',
  viewer: 'a viewer of the project, signed in to the dashboard',
  memberElsewhere: 'an administrator of another project, signed in to the dashboard',
  ownerElsewhere: "an owner, at another project with this one's IDs",
  ownerWithoutToken: 'an owner, without the token of the forms',
  atSignIn: 'a browser at the sign-in page, with the token of its form',
  invited: 'a browser that followed an invitation, with the token of its form',
} as const;
export type CallerName = keyof typeof callers;

/**
 * `yes`: performed, or refused because of the request and not the caller. `sign-in`: redirected to the sign-in page.
 */
export type Outcome = 'yes' | 401 | 403 | 404 | 'sign-in';

type Outcomes = Readonly<Partial<Record<CallerName, Outcome>>>;

export interface RouteKind {
  readonly title: string;
  /** Response to every caller that `except` does not name. */
  readonly everyone: Outcome;
  readonly except: Outcomes;
  /** Whether it may be cached, also by shared caches. Default: not at all. */
  readonly isKept?: boolean;
  /** Routes such as `GET /v2/challenges/{id}`. `HEAD` is omitted because it behaves like `GET`. */
  readonly routes: readonly string[];
}

export const callerNames = Object.keys(callers).filter((name): name is CallerName => name in callers);

export function outcomeFor({ everyone, except }: RouteKind, caller: CallerName): Outcome {
  return except[caller] ?? everyone;
}

const publishable = { page: 403, testPage: 403, foreignPage: 403, noPage: 403 } as const satisfies Outcomes;
/** Other secret keys have the scope `evaluate`. */
const scopesOfGet = { reader: 'yes', manager: 403 } as const satisfies Outcomes;
const scopesOfPost = { reader: 403, manager: 403 } as const satisfies Outcomes;
const secret = { live: 'yes', test: 'yes' } as const satisfies Outcomes;
/** In its own world and project, which does not contain the records of the IDs. */
const strangers = { testOnLive: 'yes', otherProject: 'yes' } as const satisfies Outcomes;

const plurals = {
  viewer: 'viewers and above',
  analyst: 'analysts and above',
  administrator: 'administrators and owners',
  owner: 'owners',
} as const satisfies Readonly<Record<Role, string>>;

function inWorld(method: 'GET' | 'POST', paths: readonly string[]): string[] {
  return paths.map((path) => `${method} /dashboard/{project}/{mode}/${path}`);
}

/** Routes of the dashboard that need one permission. */
interface DashboardRoutes {
  readonly permission: Permission;
  /** Pages, and forms, that belong to no project. */
  readonly pages?: readonly string[];
  readonly forms?: readonly string[];
  /** Paths of pages, and of forms, in a world. */
  readonly worldPages?: readonly string[];
  readonly worldForms?: readonly string[];
  /** Those about one object of the world. */
  readonly objectPages?: readonly string[];
  readonly objectForms?: readonly string[];
}

const dashboardRoutes: readonly DashboardRoutes[] = [
  {
    permission: 'use_account',
    pages: [
      '/dashboard',
      '/dashboard/projects',
      '/dashboard/account',
      '/dashboard/account/second-factor',
      '/dashboard/components',
    ],
    forms: [
      '/dashboard/account/password',
      '/dashboard/account/sessions',
      '/dashboard/account/sessions/{session}/end',
      ...[
        'confirm',
        'authenticator',
        'authenticator/confirm',
        'authenticator/remove',
        'passkeys',
        'passkeys/{passkey}/remove',
        'recovery-codes',
      ].map((form) => `/dashboard/account/second-factor/${form}`),
    ],
  },
  {
    permission: 'view',
    worldPages: [
      'overview',
      'overview/arrivals',
      'search',
      'users',
      'users/search',
      'users/filter',
      'users/export',
      'users/clusters',
      'devices',
      'devices/search',
      'devices/filter',
      'devices/export',
      'challenges',
      'challenges/filter',
      'challenges/export',
      'evaluations',
      'evaluations/filter',
      'evaluations/export',
      'views',
      'review',
      'review/labels',
      'lists',
      'lists/export',
      'addresses',
      'subjects/{subject}',
    ],
    worldForms: [
      'search',
      'users/search',
      'users/filter',
      'devices/search',
      'devices/filter',
      'challenges/filter',
      'evaluations/filter',
    ],
    objectPages: [
      'users/{id}',
      'users/{id}/linked',
      'devices/{id}',
      'challenges/{id}',
      'evaluations/{id}',
      'review/{id}',
      'actions/{id}',
    ],
  },
  { permission: 'view_settings', worldPages: ['settings', 'alerts', 'rules', 'policy'] },
  {
    permission: 'act',
    worldForms: ['lists', 'lists/import', 'views', 'review', 'actions'],
    objectForms: [
      'lists/{id}/end',
      'views/{id}/rename',
      'views/{id}/remove',
      'users/{id}/suspend',
      'users/{id}/activate',
      'devices/{id}/detach',
      'devices/{id}/block',
      'devices/{id}/unblock',
      'devices/{id}/trust',
      'devices/{id}/distrust',
      'evaluations/{id}/feedback',
      'evaluations/{id}/block-address',
      'evaluations/{id}/block-hardware',
      'review/{id}/take',
      'review/{id}/decide',
      'actions/{id}/undo',
    ],
  },
  {
    permission: 'export_lists',
    worldForms: ['users/export', 'devices/export', 'challenges/export', 'evaluations/export', 'lists/export'],
  },
  { permission: 'export_and_erase', objectForms: ['users/{id}/export', 'users/{id}/erase'] },
  {
    permission: 'change_settings',
    worldPages: ['settings/{section}', 'policy/{reason}', 'rules/new', 'rules/finder'],
    worldForms: [
      'settings/{section}',
      'alerts/slack',
      'alerts/slack/remove',
      'alerts/test',
      'policy/{reason}',
      'rules/new',
      'rules/new/try',
      'rules/finder',
      'rules/versions/restore',
    ],
    objectPages: ['rules/{position}', 'rules/replays/{replay}', 'rules/finder/{search}'],
    objectForms: [
      'rules/{position}',
      'rules/{position}/move',
      'rules/{position}/try',
      'rules/{position}/remove',
      'rules/replays/{replay}/cancel',
      'rules/finder/{search}/cancel',
    ],
  },
  {
    permission: 'manage_webhooks',
    worldPages: ['webhooks'],
    worldForms: ['webhooks'],
    objectPages: ['webhooks/{endpoint}', 'webhooks/{endpoint}/rotate', 'webhooks/{endpoint}/remove'],
    objectForms: [
      'webhooks/{endpoint}/test',
      'webhooks/{endpoint}/enable',
      'webhooks/{endpoint}/rotate',
      'webhooks/{endpoint}/remove',
      'webhooks/{endpoint}/replay',
    ],
  },
  {
    permission: 'manage_keys',
    worldPages: ['keys'],
    worldForms: ['keys'],
    objectPages: ['keys/{key}/rotate', 'keys/{key}/revoke'],
    objectForms: ['keys/{key}/rotate', 'keys/{key}/revoke'],
  },
  {
    permission: 'manage_members',
    worldPages: ['members'],
    worldForms: ['members', 'members/invitations/{invitation}/revoke'],
    objectPages: ['members/{member}'],
    objectForms: ['members/{member}/role', 'members/{member}/remove'],
  },
  { permission: 'view_audit_log', worldPages: ['audit'], worldForms: ['audit/export'] },
  {
    permission: 'manage_installation',
    pages: ['/dashboard/members', '/dashboard/members/{member}', '/dashboard/audit'],
    forms: [
      '/dashboard/projects',
      '/dashboard/members',
      '/dashboard/installation/second-factor',
      '/dashboard/members/{member}/role',
      '/dashboard/members/{member}/remove-factors',
      '/dashboard/members/{member}/remove',
      '/dashboard/audit/export',
      '/dashboard/members/invitations/{invitation}/revoke',
    ],
  },
];

/** Kinds of the dashboard's routes: for each least role, pages and forms, in no world, in a world, and about one object. */
const dashboardKinds: readonly RouteKind[] = roles.flatMap((least) =>
  (
    [
      ['pages', '', 'GET'],
      ['forms', '', 'POST'],
      ['worldPages', ' of a project', 'GET'],
      ['worldForms', ' of a project', 'POST'],
      ['objectPages', ' about one object of a project', 'GET'],
      ['objectForms', ' about one object of a project', 'POST'],
    ] as const
  ).flatMap(([name, where, method]): RouteKind[] => {
    const own = dashboardRoutes.filter(({ permission }) => permissions[permission].least === least);
    const paths = own.flatMap((each) => each[name] ?? []);
    const [permission] = own.map((each) => each.permission);
    if (paths.length === 0 || permission === undefined) return [];
    const isOfProject = where !== '';
    const to = (role: Role) => (isAllowed(role, permission) ? 'yes' : 403);
    return [
      {
        title: `The dashboard's ${method === 'GET' ? 'pages' : 'forms'}${where}, for ${plurals[least]}`,
        everyone: 'sign-in',
        except: {
          owner: 'yes',
          administrator: to('administrator'),
          analyst: to('analyst'),
          viewer: to('viewer'),
          memberElsewhere: isOfProject ? 404 : to('viewer'),
          ownerElsewhere: name.startsWith('object') ? 404 : 'yes',
          ownerWithoutToken: method === 'POST' ? 403 : 'yes',
        },
        routes: isOfProject ? inWorld(method, paths) : paths.map((path) => `${method} ${path}`),
      },
    ];
  }),
);

/** Kinds of routes, covering all routes of the application. */
export const routeKinds: readonly RouteKind[] = [
  {
    title: 'API endpoints that read from a whole world',
    everyone: 401,
    except: { ...publishable, ...secret, ...scopesOfGet, ...strangers },
    routes: [
      'GET /v2/evaluations',
      'GET /v2/users',
      'GET /v2/challenges',
      'GET /v2/proj/access-history',
      'GET /v2/devices',
      'POST /v2/users/search',
      'POST /v2/mcp',
    ],
  },
  {
    title: 'API endpoints that change a whole world',
    everyone: 401,
    except: { ...publishable, ...secret, ...scopesOfPost, ...strangers },
    routes: ['POST /v2/device/attach', 'POST /v2/user/{id}/update', 'POST /v2/user/import'],
  },
  {
    title: 'API endpoints that read one object of a world',
    everyone: 401,
    except: { ...publishable, ...secret, ...scopesOfGet, testOnLive: 404, otherProject: 404 },
    routes: [
      'GET /v2/evaluations/{id}',
      'GET /v2/user/{id}/devices',
      'GET /v2/user/{id}/export',
      'GET /v2/challenges/{id}',
      'GET /v2/challenges/{id}/devices',
      'GET /v2/challenges/{id}/devices/{device}/hash',
      'GET /v2/proj/user/{id}/devices',
    ],
  },
  {
    title: 'API endpoints that change one object of a world',
    everyone: 401,
    except: { ...publishable, ...secret, ...scopesOfPost, testOnLive: 404, otherProject: 404 },
    routes: [
      'POST /v2/evaluations/{id}/consume',
      'POST /v2/evaluations/{id}/feedback',
      'POST /v2/device/{id}/detach',
      'POST /v2/device/{id}/disown',
      'POST /v2/device/{id}/metadata',
      'POST /v2/device/{id}/update',
      'POST /v2/user/{id}/delete',
      'POST /v2/challenges/{id}/send',
      'POST /v2/challenges/{id}/verify',
      'POST /v2/challenges/{id}/complete',
      'POST /v2/challenges/{id}/kick',
      'POST /v2/challenges/{id}/open',
      'POST /v2/challenges/{id}/skip',
      'POST /v2/proj/identification/{id}/complete',
      'POST /v2/proj/device/{device}/metadata',
    ],
  },
  {
    title: 'API endpoints for the project of the key',
    everyone: 401,
    except: {
      ...publishable,
      live: 403,
      test: 403,
      testOnLive: 403,
      otherProject: 403,
      reader: 403,
      manager: 'yes',
    },
    routes: ['GET /v2/project', 'PUT /v2/project', 'POST /v2/lists', 'DELETE /v2/lists/{id}'],
  },
  {
    title: 'API endpoints that read from the project of the key',
    everyone: 401,
    except: {
      ...publishable,
      live: 403,
      test: 403,
      testOnLive: 403,
      otherProject: 403,
      reader: 'yes',
      manager: 'yes',
    },
    routes: ['GET /v2/lists'],
  },
  {
    title: 'API endpoints for servers and pages',
    everyone: 401,
    except: { ...publishable, ...secret, ...scopesOfPost, ...strangers, page: 'yes', testPage: 'yes' },
    routes: [
      'POST /v2/device/evaluate',
      'POST /v2/devices/evaluate',
      'POST /v2/device/fingerprint',
      'POST /v2/device/nonce',
    ],
  },
  {
    title: 'CORS preflights',
    everyone: 403,
    except: { page: 'yes', testPage: 'yes', device: 'yes', otherDevice: 'yes' },
    routes: [
      'OPTIONS /v2/device/evaluate',
      'OPTIONS /v2/devices/evaluate',
      'OPTIONS /v2/device/fingerprint',
      'OPTIONS /v2/device/nonce',
      'OPTIONS /v2/device/{id}/events',
    ],
  },
  {
    title: 'The events of a device, for its page',
    everyone: 401,
    except: { device: 'yes', otherDevice: 404, foreignDevice: 403 },
    routes: ['GET /v2/device/{id}/events'],
  },
  {
    title: 'The managed challenge page',
    everyone: 403,
    except: { visitor: 'yes', visitorWithoutToken: 'yes' },
    routes: ['GET /challenge/{id}'],
  },
  {
    title: 'The forms of the managed challenge page',
    everyone: 403,
    except: { visitor: 'yes' },
    routes: [
      'POST /challenge/{id}/browser',
      'POST /challenge/{id}/confirm',
      'POST /challenge/{id}/send',
      'POST /challenge/{id}/code',
      'POST /challenge/{id}/kick',
      'POST /challenge/{id}/finish',
      'POST /challenge/{id}/skip',
    ],
  },
  {
    title: 'The page of a "This was not me" link, which only the link itself opens',
    everyone: 403,
    except: {},
    routes: ['GET /n/{token}', 'POST /n/{token}/skip', 'GET /n/account/{token}', 'POST /n/account/{token}/disown'],
  },
  ...dashboardKinds,
  {
    title: 'Signing out of the dashboard',
    everyone: 'sign-in',
    except: { ownerWithoutToken: 403 },
    routes: ['POST /dashboard/sign-out'],
  },
  {
    title: 'The second factor of the dashboard, for those who have entered a password; members are redirected',
    everyone: 'sign-in',
    except: {
      owner: 'yes',
      administrator: 'yes',
      analyst: 'yes',
      viewer: 'yes',
      memberElsewhere: 'yes',
      ownerElsewhere: 'yes',
      ownerWithoutToken: 'yes',
    },
    routes: ['GET /dashboard/second-factor', 'POST /dashboard/second-factor'],
  },
  {
    title: "The dashboard's sign-in page",
    everyone: 'yes',
    except: {},
    routes: ['GET /dashboard/sign-in'],
  },
  {
    title: 'Signing in to the dashboard with an OpenID Connect provider, which is not configured here',
    everyone: 404,
    except: {},
    routes: ['GET /dashboard/sign-in/provider', 'GET /dashboard/sign-in/callback'],
  },
  {
    title: 'Signing in to the dashboard with a password',
    everyone: 403,
    except: { atSignIn: 'yes', invited: 'yes' },
    routes: ['POST /dashboard/sign-in'],
  },
  {
    title: 'Creating an account by a link',
    everyone: 403,
    except: { invited: 'yes' },
    routes: ['GET /dashboard/set-up', 'POST /dashboard/set-up'],
  },
  {
    title: 'Public and cacheable',
    everyone: 'yes',
    except: {},
    isKept: true,
    routes: [
      'GET /.well-known/jwks.json',
      'GET /openapi.json',
      'GET /schemas/project.json',
      'GET /docs/api',
      'GET /docs',
      'GET /docs/',
      'GET /docs/{page}',
      'GET /docs/{folder}/{file}',
      'GET /whorl.min.js',
      'GET /whorl-events.min.js',
      'GET /assets/challenge-check.js',
      'GET /assets/challenge.js',
      'GET /assets/dashboard.css',
      'GET /assets/chart.js',
      'GET /assets/copy.js',
      'GET /assets/times.js',
      'GET /assets/waiting.js',
      'GET /assets/dashboard-charts.js',
      'GET /assets/dashboard-passkey.js',
      'GET /assets/shortcuts.js',
      'GET /assets/completion.js',
      'GET /assets/webauthn.js',
    ],
  },
  {
    title: 'Public and not cached',
    everyone: 'yes',
    except: {},
    routes: ['GET /healthz', 'GET /readyz', 'GET /metrics'],
  },
];
