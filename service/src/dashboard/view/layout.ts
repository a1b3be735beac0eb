import { html } from 'hono/html';
import type { Permission } from '../../resources/admins/permissions.js';
import { dashboardStyles, timesScript } from '../assets.js';
import type { Conditions } from '../load.js';
import type { Notice } from '../notice.js';
import { renderConditions, renderLag } from './conditions.js';
import type { Confirming } from './forms.js';
import type { Html } from './parts.js';

// Templates instead of JSX: see api/openapi/page.ts.

/** Sections of a project's world, in the order of the navigation, each with the permission to open it. */
export const sections = {
  overview: { title: 'Overview', permission: 'view' },
  users: { title: 'Users', permission: 'view' },
  devices: { title: 'Devices', permission: 'view' },
  challenges: { title: 'Challenges', permission: 'view' },
  evaluations: { title: 'Evaluations', permission: 'view' },
  review: { title: 'Review', permission: 'view' },
  lists: { title: 'Lists', permission: 'view' },
  rules: { title: 'Rules', permission: 'view_settings' },
  webhooks: { title: 'Webhooks', permission: 'manage_webhooks' },
  settings: { title: 'Settings', permission: 'view_settings' },
  keys: { title: 'Keys', permission: 'manage_keys' },
  members: { title: 'Members', permission: 'manage_members' },
  audit: { title: 'Audit log', permission: 'view_audit_log' },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly permission: Permission }>>;
export type Section = keyof typeof sections;

/** Data for every page for members. */
export interface AdminFrame extends Confirming {
  /** Prefix of all paths, without a trailing slash. */
  readonly basePath: string;
  readonly formToken: string;
  readonly notice: Notice | undefined;
  readonly conditions: Conditions;
  /** Returns whether the member is allowed to do something. */
  readonly can: (permission: Permission) => boolean;
}

/** Data for a page of a project's world. */
export interface WorldFrame extends AdminFrame {
  readonly world: { readonly projectId: string; readonly projectName: string; readonly mode: 'live' | 'test' };
  /** Prefix of the paths of this world. */
  readonly base: string;
}

/** Page that belongs to no project. */
export interface AdminPage {
  readonly title: string;
  readonly body: Html;
  /** URLs of optional scripts. The page also works without them. Default: none. */
  readonly scripts?: readonly string[];
  /** Whether its scripts may send requests to the service. Default: false. */
  readonly connects?: boolean;
  /** Headers of the response. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: 200. 422 if a form is shown again because of an invalid value. */
  readonly status?: number;
  /** Shown in addition to the notice of the previous step. */
  readonly notice?: Notice;
}

export interface DashboardPage extends AdminPage {
  readonly section: Section;
}

/** Renders a page of a project's world, with the navigation. */
export function renderDashboardPage(request: WorldFrame, page: DashboardPage): string {
  const { world, basePath, base } = request;
  const mode = (name: 'live' | 'test') =>
    html`<a href="${basePath}/dashboard/${world.projectId}/${name}/${page.section}"${world.mode === name && html` aria-current="true"`}>${name}</a>`;
  const place = html`<div class="place">
<a class="project" href="${basePath}/dashboard/projects" title="All projects">${world.projectName}</a>
<span class="modes" role="group" aria-label="Mode">${mode('live')}${mode('test')}</span>
</div>
<form class="find" method="post" action="${base}/search" role="search" aria-label="This project">
<input type="hidden" name="csrf" value="${request.formToken}"/>
<input type="search" name="q" required maxlength="4096" aria-label="Search this project" placeholder="User, email, ID, IP address, country …" title="Your user identifier or its beginning, an email address or phone number in full, an ID of anything, a fingerprint, an IP address or range, a network, a country or an email domain"/>
<button type="submit">Search</button>
</form>`;
  const entries = Object.entries(sections)
    .filter(([, { permission }]) => request.can(permission))
    .map(
      ([name, { title }]) =>
        html`<li><a href="${base}/${name}"${page.section === name && html` aria-current="page"`}>${title}</a></li>`,
    );
  const navigation = html`<nav class="sections" aria-label="Sections"><ul>${entries}</ul></nav>`;
  return renderSignedIn(request, page, { title: `${page.title} – ${world.projectName}`, place, navigation });
}

/** Renders a page that belongs to no project. */
export function renderAdminPage(request: AdminFrame, page: AdminPage): string {
  return renderSignedIn(request, page, { title: page.title });
}

interface SignedInParts {
  readonly title: string;
  readonly place?: Html;
  readonly navigation?: Html;
}

function renderSignedIn(request: AdminFrame, page: AdminPage, { title, place, navigation }: SignedInParts): string {
  const { basePath, admin, formToken, can } = request;
  const ofInstallation = html`<a href="${basePath}/dashboard/members">All members</a>
<a href="${basePath}/dashboard/audit">Full audit log</a>`;
  const account = html`<div class="account">
${can('manage_installation') && ofInstallation}
<a href="${basePath}/dashboard/account">${admin.email}</a>
<form method="post" action="${basePath}/dashboard/sign-out"><input type="hidden" name="csrf" value="${formToken}"/><button type="submit" class="link">Sign out</button></form>
</div>`;
  return renderDocument({
    basePath,
    title,
    scripts: [timesScript.url, ...(page.scripts ?? [])],
    header: html`<a class="brand" href="${basePath}/dashboard">Whorl</a>${place}${account}`,
    navigation,
    main: html`${renderConditions(request.conditions)}${[request.notice, page.notice].map(renderNotice)}
<h1>${page.title}</h1>
${page.body}
${renderLag(request.conditions)}`,
  });
}

/** Renders a notice, if there is one. */
export function renderNotice(notice: Notice | undefined): Html | undefined {
  if (!notice) return undefined;
  return html`<p class="notice ${notice.kind}" role="${notice.kind === 'bad' ? 'alert' : 'status'}">${notice.text}</p>`;
}

interface Document {
  readonly basePath: string;
  readonly title: string;
  readonly scripts?: readonly string[];
  readonly header: Html;
  readonly navigation?: Html | undefined;
  readonly main: Html;
  /** Default: false. */
  readonly narrow?: boolean;
}

/** Renders a complete HTML document. */
export function renderDocument(document: Document): string {
  const { basePath, title, scripts = [], header, navigation, main, narrow = false } = document;
  const body = html`<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="robots" content="noindex"/>
<meta name="color-scheme" content="light dark"/>
<link rel="icon" href="data:,"/>
<title>${title} – Whorl</title>
<link rel="stylesheet" href="${basePath}${dashboardStyles.url}"/>
${scripts.map((url) => html`<script src="${basePath}${url}" defer></script>`)}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>${header}</header>
${navigation}
<main id="main" tabindex="-1" class="${narrow ? 'narrow' : ''}">
${main}
</main>
</body>
</html>`;
  return `<!doctype html>${body}`;
}

export interface Failure {
  readonly basePath: string;
  readonly status: number;
  /** Description of the error, if administrators may see it. */
  readonly detail: string | undefined;
  readonly requestId: string;
}

const titles: Readonly<Record<number, string>> = {
  403: 'Request refused',
  404: 'Not found',
  422: 'Action failed',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
};

/** Renders an error page. */
export function renderFailure({ basePath, status, detail, requestId }: Failure): string {
  const title = titles[status] ?? (status < 500 ? 'Invalid request' : 'Something went wrong');
  return renderDocument({
    basePath,
    title,
    narrow: true,
    header: html`<a class="brand" href="${basePath}/dashboard">Whorl</a>`,
    main: html`<h1>${title}</h1>
${detail && html`<p>${detail}</p>`}
${status >= 500 && html`<p class="quiet">Try again. If the problem continues, search the service log for request ${requestId}.</p>`}
<p><a href="${basePath}/dashboard">Go to the dashboard</a> · <a href="${basePath}/docs/">Documentation</a></p>`,
  });
}
