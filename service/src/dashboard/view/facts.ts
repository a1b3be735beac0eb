import { html } from 'hono/html';
import type { Device, Metadata, Reason, Verdict } from 'whorl/wire';
import { badge, definitionList, type Html } from './parts.js';
import { reasonWords, spaced } from './words.js';

/** Reasons by name; what each one says, for those who ask. */
export function reasonList(reasons: readonly Reason[]): Html | undefined {
  if (reasons.length === 0) return undefined;
  const name = (reason: Reason, index: number) =>
    html`${index > 0 && ', '}<span title="${reasonWords[reason]}">${spaced(reason)}</span>`;
  return html`<span>${reasons.map(name)}</span>`;
}

/** A verdict, and the one that would have been given where the project only observes. */
export function verdicts(verdict: Verdict, observed?: Verdict | null): Html {
  return html`<span>${badge(verdict)}${observed && html` <span class="quiet">observed:</span> ${badge(observed)}`}</span>`;
}

/** How a device stands with its user. */
export function deviceState({
  status,
  trusted,
  whitelisted,
  proven,
  auto_detached,
}: Pick<Device, 'status' | 'trusted' | 'whitelisted' | 'proven' | 'auto_detached'>): Html {
  const more = [
    auto_detached && 'after a time without use',
    whitelisted ? 'trusted for good' : trusted && 'trusted',
    proven && 'holds a key',
  ].filter((word) => word !== false);
  return html`<span>${badge(status)}${more.length > 0 && ` ${more.join(', ')}`}</span>`;
}

/** Metadata by key; what is no text stands as JSON. */
export function metadataList(metadata: Metadata): Html {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return html`<p class="quiet">No metadata.</p>`;
  const texts = entries.map(
    ([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  // It may be long, and is then scrolled, by keyboard too.
  return html`<div class="metadata" role="region" aria-label="Metadata" tabindex="0">${definitionList(texts)}</div>`;
}
