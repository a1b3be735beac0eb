import type { Endpoint } from '../../http/endpoint.js';
import { example } from '../../http/schemas/examples.js';
import { exampleOf } from '../../http/schemas/wire-schema.js';

/** Example IDs for paths, by tag. */
const idsByTag = {
  Evaluations: example.evaluation,
  Devices: example.device,
  Users: example.user,
  Challenges: example.challenge,
  Lists: example.listEntry,
  Project: example.project,
  Assistants: example.project,
  Legacy: example.challenge,
} as const;

/** Returns a curl command with the placeholder `{secret_key}`. */
export function codeSampleOf(
  { method, path, tag, bodyInDocs, body = bodyInDocs, versioned }: Endpoint,
  baseUrl: string,
): string {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'device') return example.device;
    return path.includes('/user/') ? example.user : idsByTag[tag];
  });
  const lines = [`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${baseUrl}${address}'`];
  lines.push("-H 'Authorization: Bearer {secret_key}'");
  if (versioned && method === 'put') lines.push("-H 'If-Match: {etag}'");
  const bodyExample = body && exampleOf(body);
  if (bodyExample) {
    lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(bodyExample).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(' \\\n  ');
}
