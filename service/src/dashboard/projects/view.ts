import { html } from 'hono/html';
import type { CreatedProject } from '../../resources/projects/projects.js';
import { copyScript } from '../assets.js';
import { copyField, passwordAgain, shownOnce } from '../view/forms.js';
import type { AdminFrame, AdminPage } from '../view/layout.js';
import { emptyState, field, form, section, table, time } from '../view/parts.js';

export interface ListedProject {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** What was entered into the form for a new project. */
export interface ProjectForm {
  readonly name: string;
  readonly error?: string;
}

/** Returns the path of a world's overview. */
export function overviewPath({ basePath }: Pick<AdminFrame, 'basePath'>, id: string, mode: 'live' | 'test'): string {
  return `${basePath}/dashboard/${id}/${mode}/overview`;
}

/** Renders all projects, with links to their live and test worlds, and a form that creates one. */
export function projectsPage(
  frame: AdminFrame,
  projects: readonly ListedProject[],
  { name, error }: Partial<ProjectForm> = {},
): AdminPage {
  const link = (project: ListedProject, mode: 'live' | 'test') =>
    html`<a href="${overviewPath(frame, project.id, mode)}" aria-label="${project.name}, ${mode}">${mode}</a>`;
  const rows = projects.map((project) => [
    project.name,
    html`<span>${link(project, 'live')} · ${link(project, 'test')}</span>`,
    time(project.createdAt),
  ]);
  const list =
    rows.length > 0
      ? table(['Project', 'Mode', 'Created'], rows, 'All projects')
      : emptyState('No projects yet. A project has keys, settings and data of its own. Create the first one below.');
  const nameField = field({
    name: 'name',
    label: 'Name',
    value: name,
    required: true,
    maxLength: 100,
    error,
    hint: 'Users see it in messages with codes.',
  });
  return {
    title: 'Projects',
    ...(error !== undefined && { status: 422 }),
    body: html`${section('All projects', list)}
${
  frame.can('manage_installation')
    ? section(
        'Create a project',
        form(frame, {
          action: `${frame.basePath}/dashboard/projects`,
          submit: 'Create project',
          content: [nameField, passwordAgain(frame)],
        }),
      )
    : undefined
}`,
  };
}

/** Renders the only page that shows the secret keys of a new project. */
export function createdProjectPage(frame: AdminFrame, { project, keys }: CreatedProject): AdminPage {
  const world = (mode: 'live' | 'test', text: string) =>
    section(`Keys for ${mode} mode`, [
      html`<p class="quiet">${text}</p>`,
      shownOnce(`Secret key, ${mode}`, keys[mode].secret, `secret-${mode}`),
      html`<div class="field"><strong>Publishable key, ${mode}</strong>${copyField(keys[mode].publishable, `Publishable key, ${mode}`)}</div>`,
    ]);
  return {
    title: `Project created: ${project.name}`,
    scripts: [copyScript.url],
    body: html`${world('test', 'For development. Its data is separate, and its responses contain warnings about mistakes.')}
${world('live', 'For your users.')}
<p><a class="button primary" href="${overviewPath(frame, project.id, 'test')}">Continue with test mode</a></p>`,
  };
}
