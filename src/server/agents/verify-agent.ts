import { attempt } from '../../attempt.js';
import type { AgentProblem, DeclaredAgent } from '../../wire/index.js';
import { readHeader } from '../headers.js';
import type { Fetch } from '../platform.js';
import { type Declaration, declarationOf, firstDeclaration } from './declaration.js';
import { createDirectories } from './directory.js';
import { type AgentKey, isInForce, isSignedBy, readKeys, testKeys } from './keys.js';
import { checkOptions, type KnownAgent, type VerifyAgentOptions } from './options.js';
import { type AgentRequest, requestAt, type SignedRequest } from './request.js';
import { type AgentSignature, readSignatures, signatureBase } from './signature.js';

/** Verifies agents and caches their keys. */
export type AgentVerifier = (request: AgentRequest, options: VerifyAgentOptions) => Promise<DeclaredAgent | undefined>;

/** What one signature is verified against. */
interface Check {
  readonly request: SignedRequest;
  readonly signature: AgentSignature;
  readonly declaration: Declaration;
  readonly agents: readonly KnownAgent[];
  /** @throws {WhorlConnectionError} if the directory cannot be read. */
  readonly keyInDirectory: (origin: string, keyId: string) => Promise<AgentKey | undefined>;
}

/** The difference between two clocks that is accepted. */
const toleranceSeconds = 60;
/** A signature can be sent again until it expires, so a longer lifetime does not count. */
const maxAgeSeconds = 86_400;

let shared: AgentVerifier | undefined;

/**
 * Verifies the agent that a visitor's request declares with Web Bot Auth (docs/agents.md; RFC 9421,
 * https://datatracker.ietf.org/doc/draft-meunier-webbotauth-httpsig-protocol/). Returns undefined if it declares none. Only
 * agents in the options are verified, and only their directories are requested.
 *
 * @throws {WhorlArgumentError} for an option with an invalid value. What a visitor sends never makes it throw.
 */
export function verifyAgent(request: AgentRequest, options: VerifyAgentOptions): Promise<DeclaredAgent | undefined> {
  shared ??= createAgentVerifier();
  return shared(request, options);
}

/** Creates a verifier with a cache of its own. */
export function createAgentVerifier(fetch?: Fetch): AgentVerifier {
  const directories = createDirectories(fetch);
  return async (given, options) => {
    const { agents, timeoutMs } = checkOptions(options);
    const request = requestAt(options.origin, given);
    const field = readHeader(given.headers, 'signature-agent');
    const signatures = attempt(() => readSignatures(given.headers));
    if (signatures?.length === 0) return field === undefined ? undefined : unverified('unsigned', field, agents);
    if (!signatures || !request) return unverified('malformed', field, agents);
    const keyInDirectory: Check['keyInDirectory'] = (origin, keyId) => directories.find(origin, keyId, timeoutMs);
    let result: DeclaredAgent | undefined;
    for (const signature of signatures) {
      const declaration = attempt(() => declarationOf(field, signature)) ?? { problem: 'malformed' };
      const found = await agentOf({ request, signature, declaration, agents, keyInDirectory });
      if (typeof found !== 'string') return { name: found.name, verified: true };
      result ??= { name: nameOf(declaration, agents), verified: false, problem: found };
    }
    return result;
  };
}

/** Returns the agent that made a signature, or why there is none. */
async function agentOf(check: Check): Promise<KnownAgent | AgentProblem> {
  const { request, signature, declaration, agents } = check;
  const [components, params] = signature.input;
  const keyId = params.get('keyid');
  const times = problemOfTimes(params.get('created'), params.get('expires'));
  if (times || typeof keyId !== 'string') return times ?? 'malformed';
  if (declaration.problem) return declaration.problem;
  if (!components.some(([name]) => name === '@authority' || name === '@target-uri')) return 'incomplete';
  const candidates = agents.filter((agent) => mayBe(agent, declaration));
  if (candidates.length === 0) return 'unknown_agent';
  for (const agent of candidates) {
    const key = await keyOf(agent, keyId, check).catch(() => 'keys_unavailable' as const);
    if (key === 'keys_unavailable') return key;
    if (!key || !isInForce(key)) continue;
    // Not before the key is known: it is the most work that a visitor can cause.
    const base = attempt(() => signatureBase(signature, request));
    if (base === undefined || (params.get('alg') ?? key.algorithm) !== key.algorithm) return 'unsupported';
    return (await isSignedBy(key, signature.bytes, base)) ? agent : 'signature_mismatch';
  }
  return 'unknown_key';
}

/**
 * Returns whether an agent may have made a signature. One with a directory must be named by it, so that no agent can sign
 * as another. Without a name, only keys that you gave can tell.
 */
function mayBe({ directory, keys }: KnownAgent, { origin }: Declaration): boolean {
  return origin !== undefined && directory !== undefined ? directory === origin : keys !== undefined;
}

/** Returns a key of an agent. A directory cannot list a test key. */
async function keyOf({ keys, directory }: KnownAgent, keyId: string, { keyInDirectory }: Check) {
  if (keys) return (await readKeys(keys)).get(keyId);
  return directory === undefined || testKeys.includes(keyId) ? undefined : keyInDirectory(directory, keyId);
}

function problemOfTimes(created: unknown, expires: unknown): AgentProblem | undefined {
  if (!Number.isInteger(created) || !Number.isInteger(expires)) return 'malformed';
  const now = Date.now() / 1000;
  if (Number(created) > now + toleranceSeconds) return 'not_yet_valid';
  return Number(expires) <= now || Number(created) + maxAgeSeconds <= now ? 'expired' : undefined;
}

function unverified(problem: AgentProblem, field: string | undefined, agents: readonly KnownAgent[]): DeclaredAgent {
  return { name: nameOf(field === undefined ? {} : firstDeclaration(field), agents), verified: false, problem };
}

/** Returns the name of the agent that a request names, whether or not it made the request. */
function nameOf({ origin }: Declaration, agents: readonly KnownAgent[]): string {
  if (origin === undefined) return 'unknown';
  return agents.find(({ directory }) => directory === origin)?.name ?? new URL(origin).host.slice(0, 256);
}
