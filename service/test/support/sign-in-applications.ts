import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../test/browser/harness/free-port.js';
import { until } from '../../../test/browser/harness/until.js';
import { sample } from '../../../test/package/samples.js';
import { secrets } from './shops.js';
import { password } from './sign-in-libraries.js';

export interface DocumentedApplications {
  /** Starts one, with variables of the environment beside those that are the same in all tests. */
  start(name: string, environment: Readonly<Record<string, string>>): Promise<{ url: string; child: ChildProcess }>;
  /** Deletes their files. */
  remove(): void;
}

/**
 * Writes the applications of docs/sign-in.md as they are, with modules of the reader's own, and that of examples/kratos.
 */
export function writeDocumentedApplications(): DocumentedApplications {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const folder = join(root, 'node_modules/.cache/whorl-sign-in', randomUUID());
  mkdirSync(folder, { recursive: true });
  const passport = sample('docs/sign-in.md, Passport, 1').code;
  const files = {
    'package.json': '{"type":"module"}',
    'accounts.js': `export const findAccount = (email) => email && { id: email, email };
        export const findAccountById = findAccount;
        export const passwordMatches = (account, password) => password === '${password}';
        export const readCredentials = (body) => body;`,
    'database.js': `import { memoryAdapter } from 'better-auth/adapters/memory';
        export const database = memoryAdapter({ user: [], session: [], account: [], verification: [] });`,
    'auth.js': sample('docs/sign-in.md, better-auth, 1').code,
    'better-auth.js': `import { createServer } from 'node:http';
        import { toNodeHandler } from 'better-auth/node';
        import { auth } from './auth.js';
        createServer(toNodeHandler(auth)).listen(process.env.PORT);`,
    'Auth.js.js': sample('docs/sign-in.md, Auth.js, 1').code,
    'Passport.js': passport,
    'Passport with sessions.js': passport.replace('session: false, ', ''),
    'Passport with detach.js': passport.replace('whorl.logout()', 'whorl.logout({ detach: true })'),
    'Kratos.js': readFileSync(join(root, 'examples/kratos/server.js'), 'utf8'),
  };
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);

  return {
    async start(name, environment) {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const settings = {
        WHORL_WEBHOOK_SECRET: secrets,
        BETTER_AUTH_SECRET: 'a secret of better-auth for tests',
        BETTER_AUTH_TELEMETRY: '0',
        BETTER_AUTH_URL: url,
        AUTH_SECRET: 'a secret of Auth.js for tests',
        SESSION_SECRET: 'a secret of express-session for tests',
        KEYCLOAK_SECRET: 'a secret of the realm for tests',
        KRATOS_KEY: 'a key of Kratos for tests',
        PORT: String(port),
      };
      const env = { ...process.env, NODE_ENV: 'development', ...settings, ...environment };
      const child = spawn(process.execPath, [join(folder, `${name}.js`)], { env, stdio: 'inherit' });
      await until('The start', () => fetch(`${url}/auth/csrf`));
      return { url, child };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
