import { html } from 'hono/html';
import type { AdminPage } from '../view/layout.js';
import { table, time } from '../view/parts.js';

export interface ListedProject {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** Renders all projects, with links to their live and test worlds. */
export function projectsPage(projects: readonly ListedProject[], basePath: string): AdminPage {
  const link = ({ id, name }: ListedProject, mode: string) =>
    html`<a href="${basePath}/dashboard/${id}/${mode}/overview" aria-label="${name}, ${mode}">${mode}</a>`;
  const rows = projects.map((project) => [
    project.name,
    html`<span>${link(project, 'live')} · ${link(project, 'test')}</span>`,
    time(project.createdAt),
  ]);
  return {
    title: 'Projects',
    body: html`<section class="panel">${table(['Project', 'Mode', 'Created'], rows, 'All projects')}</section>`,
  };
}
