import {
  type InnerList,
  type Item,
  isInnerList,
  parseDictionary,
  serializeInnerList,
  serializeItem,
} from 'structured-headers';
import { type RequestHeaders, readHeader } from '../headers.js';
import type { Parts, SignedRequest } from './request.js';

/** A signature of a request (RFC 9421, section 4). */
export interface AgentSignature {
  readonly label: string;
  /** The covered components and the parameters, as the signer sent them. */
  readonly input: InnerList;
  readonly bytes: ArrayBuffer;
}

const tag = 'web-bot-auth';
/** Enough for an agent and the intermediaries that sign too. */
const maxSignatures = 4;
/** Agents cover two to five. */
const maxComponents = 32;

/**
 * Reads the signatures of a request that are tagged for Web Bot Auth. Others are left out.
 *
 * @throws {Error} for headers that are not structured fields.
 */
export function readSignatures(headers: RequestHeaders): AgentSignature[] {
  const inputs = [...parseDictionary(readHeader(headers, 'signature-input') ?? '')];
  const signatures = parseDictionary(readHeader(headers, 'signature') ?? '');
  return inputs
    .flatMap(([label, input]) => {
      if (!isInnerList(input) || input[1].get('tag') !== tag) return [];
      const bytes = signatures.get(label)?.[0];
      if (!(bytes instanceof ArrayBuffer)) throw new Error('A signature is missing.');
      return [{ label, input, bytes }];
    })
    .slice(0, maxSignatures);
}

/**
 * Returns the text that a signature was made over (RFC 9421, section 2.5), with the request's own values. Returns undefined
 * if it covers a component that the request lacks or that is not supported, or too many.
 */
export function signatureBase({ input }: AgentSignature, request: SignedRequest): string | undefined {
  const [components] = input;
  if (components.length > maxComponents) return undefined;
  const lines = components.map((component) => {
    const value = componentValue(component, request);
    // Covers text that could pretend to be another line, which no HTTP server passes on.
    return value !== undefined && /^[\t\x20-\x7e]*$/.test(value) ? [serializeItem(component), value] : [];
  });
  const names = lines.map(([name]) => name);
  if (names.includes(undefined) || new Set(names).size < names.length) return undefined;
  const params = ['"@signature-params"', serializeInnerList(input)];
  return [...lines, params].map((line) => line.join(': ')).join('\n');
}

function componentValue([name, params]: Item, request: SignedRequest): string | undefined {
  if (typeof name !== 'string') return undefined;
  const names = [...params.keys()].join();
  if (name === '@query-param') {
    return names === 'name' ? partsOf(name, request, queryParams).get(params.get('name')) : undefined;
  }
  if (name.startsWith('@')) return names === '' ? derived(name, request) : undefined;
  const field = /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) ? readHeader(request.headers, name) : undefined;
  if (field === undefined || names === '') return field?.trim();
  return names === 'key' ? partsOf(name, request, () => membersOf(field)).get(params.get('key')) : undefined;
}

/** Returns a component that is derived from the request (RFC 9421, section 2.2). */
function derived(name: string, { method, site, path, query }: SignedRequest): string | undefined {
  if (name === '@authority') return site.host;
  if (name === '@method') return method;
  if (name === '@scheme') return site.protocol.slice(0, -1);
  if (name === '@target-uri') return site.origin + path + query;
  if (name === '@path') return path;
  if (name === '@query') return query || '?';
  return name === '@request-target' ? path + query : undefined;
}

/** Returns the query's parameters, encoded again (RFC 9421, section 2.2.8). Those that occur twice are not supported. */
function queryParams({ query }: SignedRequest): Parts {
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const params = new Map<unknown, string | undefined>();
  for (const [name, value] of new URLSearchParams(query)) {
    const encodedName = encode(name);
    params.set(encodedName, params.has(encodedName) ? undefined : encode(value));
  }
  return params;
}

/** Returns the members of a dictionary (RFC 9421, section 2.1.2). */
function membersOf(field: string): Parts {
  const serialised = (member: Item | InnerList) =>
    isInnerList(member) ? serializeInnerList(member) : serializeItem(member);
  return new Map([...parseDictionary(field)].map(([key, member]) => [key, serialised(member)]));
}

/** Returns the parts of the query or a field. They are decoded once, however many components name them. */
function partsOf(name: string, request: SignedRequest, decode: (request: SignedRequest) => Parts): Parts {
  const parts = request.decoded.get(name) ?? decode(request);
  request.decoded.set(name, parts);
  return parts;
}
