import { compareEndpoints, repeatedUrls } from '../../webhooks/rules/endpoint-urls.js';
import type { Mode } from './document.js';
import type { FileIssue } from './read-file.js';

interface World<Endpoint> {
  readonly mode: Mode;
  readonly worldId: string;
  readonly endpoints: readonly Endpoint[];
}

export interface WorldPlan<Endpoint> extends Omit<World<Endpoint>, 'endpoints'> {
  readonly kept: readonly Endpoint[];
  readonly removed: readonly Endpoint[];
  /** URLs of new endpoints. */
  readonly added: readonly string[];
  readonly issues: readonly FileIssue[];
  /** Whether an endpoint is new that was not when the receivers were checked. */
  readonly hasUnchecked: boolean;
}

/**
 * Returns how the endpoints of a world change to those of a file. Without a list in the file, they stay as they are.
 *
 * @param receivers The checked URLs, with the reason why they are refused, if any.
 */
export function planEndpoints<Endpoint extends { readonly url: string }>(
  { mode, worldId, endpoints }: World<Endpoint>,
  wanted: readonly { readonly url: string }[] | undefined,
  receivers: ReadonlyMap<string, string | undefined>,
): WorldPlan<Endpoint> {
  const world = { mode, worldId };
  if (!wanted) return { ...world, kept: endpoints, removed: [], added: [], issues: [], hasUnchecked: false };
  const urls = wanted.map(({ url }) => url);
  const { added, kept, removed } = compareEndpoints(urls, endpoints);
  const repeated = repeatedUrls(urls);
  const issues = added.flatMap((at): FileIssue[] => {
    const path = `webhooks.${mode}.${at}.url`;
    if (repeated.includes(at)) return [{ path, message: 'is listed twice' }];
    const refusal = receivers.get(urls[at] ?? '');
    return refusal === undefined ? [] : [{ path, message: `is refused. ${refusal.replace(/\.$/, '')}` }];
  });
  return {
    ...world,
    kept,
    removed,
    added: added.map((at) => urls[at] ?? ''),
    issues,
    hasUnchecked: added.some((at) => !receivers.has(urls[at] ?? '')),
  };
}
