import { type InnerList, type Item, isInnerList, parseDictionary, parseItem } from 'structured-headers';
import type { AgentProblem } from '../../wire/index.js';
import { parseUrl } from '../url.js';
import type { AgentSignature } from './signature.js';

/** The agent that a signature names: the origin of its directory, or why there is none. */
export interface Declaration {
  /** Absent if the request has no `Signature-Agent`, and if it cannot be read. */
  readonly origin?: string | undefined;
  readonly problem?: AgentProblem;
}

/**
 * Returns the agent that a signature names in `Signature-Agent`. A member that the signature does not cover may have been
 * added by somebody else.
 *
 * @throws {Error} for a header that is not a structured field.
 */
export function declarationOf(field: string | undefined, { label, input }: AgentSignature): Declaration {
  if (field === undefined) return {};
  const covered = input[0].filter(([name]) => name === 'signature-agent').map(([, params]) => params);
  const isWhole = covered.some((params) => params.size === 0);
  const members = membersOf(field, label);
  const keys = isWhole ? [...members.keys()] : covered.map((params) => params.get('key'));
  const key = keys.includes(label) ? label : keys.length === 1 ? keys[0] : undefined;
  const first = originOf([...members.values()][0]);
  if (keys.length === 0) return { ...first, problem: 'incomplete' };
  return typeof key === 'string' ? originOf(members.get(key)) : { ...first, problem: 'malformed' };
}

/** Returns the first agent in `Signature-Agent`, for a request without a signature. */
export function firstDeclaration(field: string): Declaration {
  try {
    return originOf([...membersOf(field, '').values()][0]);
  } catch {
    return { problem: 'malformed' };
  }
}

/** Returns the members by their keys. Earlier drafts have a single string, which belongs to the signature. */
function membersOf(field: string, label: string): ReadonlyMap<string, Item | InnerList> {
  return field.trimStart().startsWith('"') ? new Map([[label, parseItem(field)]]) : parseDictionary(field);
}

function originOf(member: Item | InnerList | undefined): Declaration {
  if (!member || isInnerList(member)) return { problem: 'malformed' };
  const [value, params] = member;
  const url = typeof value === 'string' ? parseUrl(value) : undefined;
  if (url?.protocol !== 'https:') return { problem: 'malformed' };
  if (String(params.get('type') ?? 'directory') !== 'directory') return { origin: url.origin, problem: 'unsupported' };
  return url.href === `${url.origin}/` ? { origin: url.origin } : { origin: url.origin, problem: 'malformed' };
}
