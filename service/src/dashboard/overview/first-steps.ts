import { html } from 'hono/html';
import type { ListedKey } from '../../resources/projects/keys.js';
import { copyScript, waitingScript } from '../assets.js';
import { copyField } from '../view/forms.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import { definitionList, type Html, section } from '../view/parts.js';
import type { Arrivals } from './load.js';
import { type Framework, frameworks, pageSnippet, serverSnippet } from './snippets.js';

export interface FirstSteps {
  readonly keys: readonly ListedKey[];
  readonly arrivals: Arrivals;
  readonly framework: Framework;
  /** URL at which servers call the service. */
  readonly url: string;
}

/** Renders what to do before a world has its first evaluation. */
export function firstStepsPage(frame: WorldFrame, steps: FirstSteps): DashboardPage {
  return {
    title: 'Overview',
    section: 'overview',
    scripts: [copyScript.url, waitingScript.url],
    connects: true,
    body: html`<p>This project has no evaluations in ${frame.world.mode} mode yet. Three steps lead to the first one.</p>
${keysStep(frame, steps)}
${codeStep(frame, steps)}
${waitingStep(frame, steps.arrivals)}`,
  };
}

function keysStep({ base, world }: WorldFrame, { keys, url }: FirstSteps): Html {
  const newest = (kind: ListedKey['kind']) => keys.find((key) => key.isValid && key.kind === kind);
  const [secret, publishable] = [newest('secret'), newest('publishable')];
  const manage = html`<a href="${base}/keys">Keys</a>`;
  const secretText = secret
    ? html`<span>${secret.shown}, shown once when it was created. Lost? Create another one under ${manage}.</span>`
    : html`<span>none: create one under ${manage}</span>`;
  const shown = publishable?.publishableKey
    ? copyField(publishable.publishableKey, 'Publishable key')
    : html`<span>${publishable ? `${publishable.shown}, of an older version. Rotate it` : 'none: create one'} under ${manage}</span>`;
  return section('1. Your keys', [
    definitionList([
      ['Secret key, for your server only', secretText],
      ['Publishable key, for the browser flow', shown],
      ['Project ID, for the browser flow', copyField(world.projectId, 'Project ID')],
      ['Address of the service', copyField(url, 'Address of the service')],
    ]),
  ]);
}

function codeStep({ base, basePath }: WorldFrame, { framework, url }: FirstSteps): Html {
  const entry = ([name, { title }]: [string, { readonly title: string }]) =>
    html`<li><a href="${base}/overview?framework=${name}"${name === framework && html` aria-current="true"`}>${title}</a></li>`;
  const { title, docs } = frameworks[framework];
  const isCurl = framework === 'curl';
  return section('2. Evaluate a login', [
    html`<nav class="choice" aria-label="Framework"><ul>${Object.entries(frameworks).map(entry)}</ul></nav>`,
    html`<p>${isCurl ? 'On the command line, with your secret key in WHORL_API_SECRET:' : `On your server, with ${title}:`}</p>`,
    html`<pre tabindex="0">${serverSnippet(framework, url)}</pre>`,
    isCurl ? undefined : html`<p>In your page:</p><pre tabindex="0">${pageSnippet}</pre>`,
    html`<p><a href="${basePath}/docs/${docs}">${isCurl ? 'Other languages' : `The documentation for ${title}`}</a> · <a href="${basePath}/docs/quick-start">A login, step by step</a></p>`,
  ]);
}

function waitingStep({ base }: WorldFrame, { claim }: Arrivals): Html {
  return section('3. Your first evaluation', [
    html`<p class="waiting" role="status" data-waiting="${base}/overview/arrivals">Waiting for your first evaluation …</p>`,
    claim
      ? html`<p>A page has requested one with the publishable key. It counts when your server consumes it.</p>`
      : undefined,
    html`<p class="quiet">This page shows it as soon as it arrives. Without scripts, <a href="${base}/overview">reload the page</a>.</p>`,
  ]);
}
