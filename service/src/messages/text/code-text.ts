import { oneLine } from '../one-line.js';
import type { CodeMessage } from '../sender.js';
import type { Messages } from '../words/messages.js';

/** The text message with a code. Its last line binds the code to the project's site, where it has one. */
export function codeText(
  messages: Messages,
  { code, expiresInMinutes, project }: Pick<CodeMessage, 'code' | 'expiresInMinutes' | 'project'>,
): string {
  const text = messages.text(code, oneLine(project.name, 30), expiresInMinutes);
  const host = project.origin === undefined ? undefined : hostOf(project.origin);
  return host === undefined ? text : `${text}\n\n@${host} #${code}`;
}

/**
 * The site of an origin-bound one-time code (https://wicg.github.io/sms-one-time-codes/): browsers offer the code there
 * and nowhere else. The format knows https alone, and no ports.
 */
function hostOf(origin: string): string | undefined {
  if (!URL.canParse(origin)) return undefined;
  const { protocol, hostname, port } = new URL(origin);
  return protocol === 'https:' && port === '' ? hostname : undefined;
}
