import { html } from 'hono/html';
import { renderDocument } from './layout.js';

export interface Failure {
  readonly basePath: string;
  readonly status: number;
  /** What went wrong, where that is for the person's eyes. */
  readonly detail: string | undefined;
  readonly requestId: string;
}

const titles: Readonly<Record<number, string>> = {
  403: 'This was not accepted',
  404: 'There is nothing here',
  422: 'This does not work',
  429: 'Too many requests',
  503: 'Not available for the moment',
};

/** A page that says what went wrong. */
export function renderFailure({ basePath, status, detail, requestId }: Failure): string {
  const title = titles[status] ?? (status < 500 ? 'This was not accepted' : 'Something went wrong here');
  return renderDocument({
    basePath,
    title,
    narrow: true,
    header: html`<a class="brand" href="${basePath}/dashboard">Whorl</a>`,
    main: html`<h1>${title}</h1>
${detail && html`<p>${detail}</p>`}
${status >= 500 && html`<p class="quiet">The log says more under ${requestId}.</p>`}
<p><a href="${basePath}/dashboard">To the dashboard</a></p>`,
  });
}
