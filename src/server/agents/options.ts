import { WhorlArgumentError } from '../errors.js';
import { checkTimeoutMs } from '../options.js';
import { parseUrl } from '../url.js';
import type { AgentJwk } from './keys.js';

/** An agent that you know. */
export interface KnownAgent {
  /** Your name for it, in evaluations. At most 256 characters. */
  readonly name: string;
  /**
   * The origin that it names in `Signature-Agent`, such as `https://agent.example`. Its keys are read from the directory
   * there, and cached for 5 minutes to 24 hours, as the directory says.
   */
  readonly directory?: string | undefined;
  /** Its public keys. If present, nothing is requested. */
  readonly keys?: readonly AgentJwk[] | undefined;
}

/** Options of `verifyAgent`. */
export interface VerifyAgentOptions {
  /** The origin of your site, such as `https://example.com`. Take it from your settings, never from the request. */
  readonly origin: string;
  /** The agents to verify. Take them from your settings, never from the request. */
  readonly agents: readonly KnownAgent[];
  /** The deadline of reading a directory, in milliseconds. Default 2,000. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Returns the options with the origins of the directories.
 *
 * @throws {WhorlArgumentError} for an invalid one.
 */
export function checkOptions({ agents, timeoutMs = 2000 }: VerifyAgentOptions) {
  return { agents: agents.map(checkAgent), timeoutMs: checkTimeoutMs(timeoutMs) };
}

function checkAgent({ name, directory, keys }: KnownAgent): KnownAgent {
  if (typeof name !== 'string' || name === '' || name.length > 256) {
    throw new WhorlArgumentError('The name of an agent must have 1 to 256 characters.');
  }
  if (directory === undefined && keys === undefined) {
    throw new WhorlArgumentError(`The agent "${name}" must have a directory or keys.`);
  }
  return { name, keys, directory: directory === undefined ? undefined : checkDirectory(name, directory) };
}

function checkDirectory(name: string, directory: string): string {
  const url = parseUrl(directory);
  if (url?.protocol === 'https:' && url.href === `${url.origin}/`) return url.origin;
  throw new WhorlArgumentError(`The directory of "${name}" must be an https origin, such as https://agent.example.`);
}
