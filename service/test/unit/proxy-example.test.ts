import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.js';
import { endpoints, pageRoutes, publicRoutes } from '../../src/endpoints.js';

const text = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
const locations = [...text.matchAll(/^location (=|~) (\S+) \{/gm)].map(([, kind, path = '']) =>
  kind === '=' ? (asked: string) => asked === path : (asked: string) => new RegExp(path).test(asked),
);
const isForwarded = (path: string) => locations.some((fits) => fits(path.replaceAll(/\{\w+\}/g, 'a-1')));
const pathsOf = (routes: readonly { readonly path: string }[]) => routes.map(({ path }) => path);

test('compose.yaml does not start without a decision on trusted proxies', () => {
  const compose = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8');
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

test('the proxy example in docs/operating.md forwards the requests of pages, and nothing else', () => {
  const forPages = pathsOf(endpoints.filter(({ keys }) => keys === 'any'));
  // The other spelling, which no page requests.
  const asked = forPages.filter((path) => path !== '/v2/devices/evaluate');
  const open = ['/whorl.min.js', '/whorl-events.min.js', '/v2/device/{id}/events'];
  const forPeople = pathsOf(pageRoutes).filter((path) => !/^\/(?:dashboard|docs)/.test(path));
  const all = pathsOf([...endpoints, ...pageRoutes, ...publicRoutes]);
  expect(new Set(all.filter(isForwarded))).toEqual(new Set([...asked, ...open, ...forPeople]));
});
