// Generates from the code: service/openapi.json, service/project.schema.json, docs/errors.md, docs/settings.md,
// docs/access.md, the demo's words for reasons and channels, and the tables in docs/verdicts.md, docs/webhooks.md and
// docs/rules.md.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const service = fileURLToPath(new URL('..', import.meta.url));
const biome = fileURLToPath(new URL('../../node_modules/.bin/biome', import.meta.url));
const load = async (path) => (await runnerImport(service + path, { root: service, logLevel: 'error' })).module;
const module = await load('src/server/written-docs.ts');
const access = await load('test/access/written.ts');

write(new URL('../openapi.json', import.meta.url), formatted(module.writtenOpenApi()));
write(new URL('../project.schema.json', import.meta.url), formatted(module.writtenProjectSchema()));
write(new URL('../../docs/errors.md', import.meta.url), module.writtenErrors());
write(new URL('../../docs/settings.md', import.meta.url), module.writtenSettings());
write(new URL('../../docs/access.md', import.meta.url), access.writtenAccess());
write(new URL('../../demo/src/login/reason-words.json', import.meta.url), formatted(module.writtenReasonWords()));
write(new URL('../../demo/src/login/channel-words.json', import.meta.url), formatted(module.writtenChannelWords()));
rewrite(new URL('../../docs/verdicts.md', import.meta.url), module.writtenVerdicts);
rewrite(new URL('../../docs/webhooks.md', import.meta.url), module.writtenWebhooks);
rewrite(new URL('../../docs/rules.md', import.meta.url), module.writtenRules);

function write(file, text) {
  const path = fileURLToPath(file);
  const isNew = read(path) !== text;
  if (isNew) writeFileSync(path, text);
  console.log(`${path}: ${isNew ? 'written' : 'unchanged'}`);
}

/** Replaces a part of a file. */
function rewrite(file, withTable) {
  write(file, withTable(read(fileURLToPath(file))));
}

/** Formats JSON like the linter. */
function formatted(json) {
  const { stdout, stderr, status } = spawnSync(biome, ['format', '--stdin-file-path=openapi.json'], {
    input: json,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
