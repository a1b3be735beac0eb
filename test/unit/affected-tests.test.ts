import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { affectedTests } from '../../scripts/affected-tests.mjs';

/** A small repository with the folders of this one. */
const files = {
  'src/hash.ts': '',
  'service/src/db/locks.ts': '',
  'service/src/devices/detach.ts': "import { lock } from '../db/locks.js';",
  'service/src/devices/routes.ts': "import { detach } from './detach.js';",
  'service/src/users/rules/name.ts': '',
  'service/src/users/routes.ts': "import { isName } from './rules/name.js';",
  'service/src/server.ts': "import './devices/routes.js';\nimport './users/routes.js';",
  'service/test/support/service.ts': "import { start } from '../../src/server.js';",
  'service/test/http/access.test.ts': "import '../support/service.js';",
  'service/test/http/device-events.test.ts': "import '../support/service.js';",
  'service/test/http/users.test.ts': "import '../support/service.js';",
  'service/src/testing.ts':
    "export { detach } from './devices/detach.js';\nexport { isName } from './users/rules/name.js';",
  // Through the entry, a test depends only on what it names.
  'service/test/http/names.test.ts': "import '../support/service.js';\nimport { isName } from '../../src/testing.js';",
  'service/test/unit/name.test.ts': "import { isName } from '../../src/users/rules/name.js';",
  'test/unit/hash.test.ts': "import { hash } from '../../src/hash.js';",
  'test/unit/docs.test.ts': "const pages = namesIn('docs/', '.md');",
  'test/browser/support/demo.ts': "const main = 'demo/dist/main.js';",
  'test/browser/demo.test.ts': "import { startDemo } from './support/demo';",
  'test/browser/storage.test.ts': '',
};
const root = mkdtempSync(join(tmpdir(), 'whorl-affected-'));
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
afterAll(() => rmSync(root, { recursive: true }));

const http = ['access', 'device-events', 'names', 'users'].map((name) => `service/test/http/${name}.test.ts`);

test.each<[changed: string, affected: string[]]>([
  ['test/browser/storage.test.ts', ['test/browser/storage.test.ts']],
  // A feature of the service: the tests of its name, those that import it, and those of all endpoints.
  ['service/src/devices/detach.ts', ['service/test/http/access.test.ts', 'service/test/http/device-events.test.ts']],
  [
    'service/src/users/rules/name.ts',
    [
      ...['access', 'names', 'users'].map((name) => `service/test/http/${name}.test.ts`),
      'service/test/unit/name.test.ts',
    ],
  ],
  // Every feature uses the database.
  ['service/src/db/locks.ts', http],
  ['service/test/support/service.ts', http],
  // All but unit tests use the built package.
  [
    'src/hash.ts',
    [
      ...http,
      'service/test/unit/name.test.ts',
      'test/browser/demo.test.ts',
      'test/browser/storage.test.ts',
      'test/unit/hash.test.ts',
    ],
  ],
  ['docs/api.md', ['test/unit/docs.test.ts']],
  ['demo/server/accounts.ts', ['test/browser/demo.test.ts']],
  ['LICENSE', []],
])('a change of %s', (changed, affected) => {
  expect(affectedTests(root, [changed])).toEqual(affected);
});

test.each(['package.json', 'service/package.json', 'vitest.config.ts', 'scripts/test.mjs'])(
  'a change of %s can affect every test',
  (changed) => {
    expect(affectedTests(root, ['LICENSE', changed])).toBeUndefined();
  },
);
