// With templates, and not JSX: see ../api-docs.ts.
import { html } from 'hono/html';
import type { Conditions } from '../conditions.js';
import { renderConditions } from '../conditions-view.js';
import type { Notice } from '../notice-rules.js';
import type { Confirming } from '../sign-in/password-fields-view.js';
import { dashboardStyles } from './assets.js';
import type { Html } from './parts.js';

/** The sections of a project's world, in the order of the navigation. */
export const sections = {
  overview: 'Overview',
  users: 'Users',
  devices: 'Devices',
  challenges: 'Challenges',
  evaluations: 'Evaluations',
  webhooks: 'Webhooks',
  settings: 'Settings',
  keys: 'Keys',
} as const;
export type Section = keyof typeof sections;

/** What every page of an administrator stands in. */
export interface AdminFrame extends Confirming {
  /** Before all paths; without a slash at its end. */
  readonly basePath: string;
  readonly formToken: string;
  readonly notice: Notice | undefined;
  readonly conditions: Conditions;
}

/** The same, with the world of a project. */
export interface WorldFrame extends AdminFrame {
  readonly world: { readonly projectId: string; readonly projectName: string; readonly mode: 'live' | 'test' };
  /** Before the sections of this world. */
  readonly base: string;
}

/** A page that belongs to no project. */
export interface AdminPage {
  readonly title: string;
  readonly body: Html;
  /** Addresses of scripts, without which the page works too, as `assetUrl` gives them. Default: none. */
  readonly scripts?: readonly string[];
  /** Default: 200. 422 where a form is shown again because of what was entered. */
  readonly status?: number;
  /** Beside what the step before left to be told. */
  readonly notice?: Notice;
}

export interface DashboardPage extends AdminPage {
  readonly section: Section;
}

/** A page of a project's world, with the way to all others. */
export function renderDashboardPage(visit: WorldFrame, page: DashboardPage): string {
  const { world, basePath, base } = visit;
  const mode = (name: 'live' | 'test') =>
    html`<a href="${basePath}/dashboard/${world.projectId}/${name}/${page.section}"${world.mode === name && html` aria-current="true"`}>${name}</a>`;
  const place = html`<div class="place">
<a class="project" href="${basePath}/dashboard" title="All projects">${world.projectName}</a>
<span class="modes" role="group" aria-label="Mode">${mode('live')}${mode('test')}</span>
</div>`;
  const entry = ([name, title]: [string, string]) =>
    html`<li><a href="${base}/${name}"${page.section === name && html` aria-current="page"`}>${title}</a></li>`;
  const navigation = html`<nav class="sections" aria-label="Sections"><ul>${Object.entries(sections).map(entry)}</ul></nav>`;
  return renderSignedIn(visit, page, { title: `${page.title} – ${world.projectName}`, place, navigation });
}

/** A page of no project. */
export function renderAdminPage(visit: AdminFrame, page: AdminPage): string {
  return renderSignedIn(visit, page, { title: page.title });
}

interface Surroundings {
  readonly title: string;
  readonly place?: Html;
  readonly navigation?: Html;
}

function renderSignedIn(visit: AdminFrame, page: AdminPage, { title, place, navigation }: Surroundings): string {
  const { basePath, admin, formToken } = visit;
  const account = html`<div class="account">
<a href="${basePath}/dashboard/audit">Audit log</a>
<a href="${basePath}/dashboard/account">${admin.email}</a>
<form method="post" action="${basePath}/dashboard/sign-out"><input type="hidden" name="csrf" value="${formToken}"/><button type="submit" class="link">Sign out</button></form>
</div>`;
  return renderDocument({
    basePath,
    title,
    scripts: page.scripts ?? [],
    header: html`<a class="brand" href="${basePath}/dashboard">Whorl</a>${place}${account}`,
    navigation,
    main: html`${renderConditions(visit.conditions)}${[visit.notice, page.notice].map(renderNotice)}
<h1>${page.title}</h1>
${page.body}`,
  });
}

/** What a notice says, where there is one. */
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

/** The whole of a page. */
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
<a class="skip" href="#main">To the content</a>
<header>${header}</header>
${navigation}
<main id="main" tabindex="-1" class="${narrow ? 'narrow' : ''}">
${main}
</main>
</body>
</html>`;
  return `<!doctype html>${body}`;
}
