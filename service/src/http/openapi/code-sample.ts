import type { Endpoint } from '../endpoint.js';
import { example } from '../schemas/examples.js';
import { exampleOf } from '../schemas/wire-schema.js';

/** What stands in a path: the example of the right thing, by the endpoint's tag or the parameter's own name. */
const idsByTag = {
  Evaluations: example.evaluation,
  Devices: example.device,
  Users: example.user,
  Challenges: example.challenge,
  Legacy: example.challenge,
} as const;

/** A call with curl; `{secret_key}` is to be filled in. */
export function codeSampleOf({ method, path, tag, body }: Endpoint, baseUrl: string): string {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'device') return example.device;
    return path.includes('/user/') ? example.user : idsByTag[tag];
  });
  const lines = [`curl ${method === 'post' ? '-X POST ' : ''}'${baseUrl}${address}'`];
  lines.push("-H 'Authorization: Bearer {secret_key}'");
  const sent = body && exampleOf(body);
  if (sent) {
    lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(sent).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(' \\\n  ');
}
