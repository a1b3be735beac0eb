import {
  type InnerList,
  type Item,
  isInnerList,
  parseDictionary,
  serializeInnerList,
  serializeItem,
} from 'structured-headers';
import { readHeader } from '../headers.js';
import type { SignedRequest } from './request.js';

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

/**
 * Reads the signatures of a request that are tagged for Web Bot Auth. Others are left out.
 *
 * @throws {Error} for headers that are not structured fields.
 */
export function readSignatures(request: SignedRequest): AgentSignature[] {
  const inputs = [...parseDictionary(readHeader(request.headers, 'signature-input') ?? '')];
  const signatures = parseDictionary(readHeader(request.headers, 'signature') ?? '');
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
 * if it covers a component that the request lacks or that is not supported.
 */
export function signatureBase({ input }: AgentSignature, request: SignedRequest): string | undefined {
  const [components] = input;
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
  if (name === '@query-param') return names === 'name' ? queryParam(params.get('name'), request) : undefined;
  if (name.startsWith('@')) return names === '' ? derived(name, request) : undefined;
  const field = /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) ? readHeader(request.headers, name) : undefined;
  if (field === undefined || names === '') return field?.trim();
  return names === 'key' ? memberOf(field, params.get('key')) : undefined;
}

/** Returns a component that is derived from the request (RFC 9421, section 2.2). */
function derived(name: string, { method, url }: SignedRequest): string | undefined {
  if (name === '@authority') return url.host;
  if (name === '@method') return method;
  if (name === '@scheme') return url.protocol.slice(0, -1);
  if (name === '@target-uri') return url.href;
  if (name === '@path') return url.pathname;
  if (name === '@query') return url.search || '?';
  return name === '@request-target' ? url.pathname + url.search : undefined;
}

/** Returns the value of a query parameter, encoded again (RFC 9421, section 2.2.8). Those that occur twice are not supported. */
function queryParam(encodedName: unknown, { url }: SignedRequest): string | undefined {
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const values = [...url.searchParams]
    .filter(([name]) => encode(name) === encodedName)
    .map(([, value]) => encode(value));
  return values.length === 1 ? values[0] : undefined;
}

/** Returns a member of a dictionary (RFC 9421, section 2.1.2). */
function memberOf(field: string, key: unknown): string | undefined {
  const member = typeof key === 'string' ? parseDictionary(field).get(key) : undefined;
  return member && (isInnerList(member) ? serializeInnerList(member) : serializeItem(member));
}
