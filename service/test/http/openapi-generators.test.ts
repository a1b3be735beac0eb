import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypes, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestService } from '../support/service.js';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const documentUrl = new URL('../../openapi.json', import.meta.url);

const compilerOptions = {
  strict: true,
  types: [],
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
};

/** The part of a generated client that the test calls. */
interface GeneratedClient {
  evaluate(options: object): Promise<{ readonly data?: object; readonly error?: object }>;
}

describe('clients that are generated from the OpenAPI document', () => {
  let folder: string;
  let service: TestService;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-generated-'));
    service = await startService({ database: 'embedded' });
  });
  afterAll(async () => {
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Compiles a program in the folder, and returns the complaints of the compiler. */
  async function complaintsAbout(program: string): Promise<string> {
    await writeFile(join(folder, 'program.ts'), program);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    const run = execute(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', folder]);
    return run.then(
      () => '',
      ({ stdout }) => stdout,
    );
  }

  test('openapi-typescript: types that accept a login and reject a wrong field', async () => {
    await writeFile(join(folder, 'types.d.ts'), astToString(await openapiTypes(documentUrl)));
    const program = `
      import type { operations } from './types';
      type Body = operations['evaluate']['requestBody']['content']['application/json'];
      type Answer = operations['evaluate']['responses'][200]['content']['application/json'];
      export const body: Body = { action: 'login', user: 'u1', fingerprint: 'w1', email: 'u1@example.com' };
      // @ts-expect-error
      export const wrong: Body = { action: 7, user: 'u1', fingerprint: 'w1' };
      export const isSafe = (answer: Answer) => 'verdict' in answer && answer.verdict === 'allow';
    `;
    expect(await complaintsAbout(program)).toBe('');
  });

  test('openapi-ts: a client that evaluates a login and returns the errors of the service', async () => {
    await createClient({
      input: fileURLToPath(documentUrl),
      output: { path: join(folder, 'client') },
      plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
      logs: { level: 'silent', file: false },
    });
    const program = `
      import { evaluate } from './client';
      const body = { action: 'login', user: 'u1', fingerprint: 'w1' } as const;
      export const verdict = async () => {
        const { data, error } = await evaluate({ auth: 'sk', body });
        return data && 'verdict' in data ? data.verdict : error?.code;
      };
      // @ts-expect-error
      evaluate({ body: { action: 7 } });
    `;
    expect(await complaintsAbout(program)).toBe('');

    const { keys } = await service.newProject();
    const client: GeneratedClient = await import(pathToFileURL(join(folder, 'client/index.ts')).href);
    const body = { action: 'login', user: 'u1', email: 'u1@example.com', fingerprint: fingerprintOf({ seed: 'one' }) };
    const send = (auth: string) => client.evaluate({ baseUrl: service.url, auth, body });
    expect(await send(keys.live.secret)).toMatchObject({ data: { verdict: 'challenge' } });
    expect(await send('sk_live_wrong')).toMatchObject({ error: { code: 'unauthorized' } });
  });
});
