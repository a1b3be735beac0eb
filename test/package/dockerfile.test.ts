import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readRepositoryFile, root } from './installed.js';

/** A stage of the Dockerfile, run in a folder that stands for its file system. */
interface Stage {
  readonly folder: string;
  readonly env: Record<string, string>;
  workdir: string;
  command: string[];
  healthCheck: string[];
}

/** Absolute paths that the Dockerfile uses. Others are the machine's own. */
const imagePaths = /(^|[\s=:])(\/(?:app|data|usr\/local\/bin)\b)/g;
const folder = mkdtempSync(join(tmpdir(), 'whorl-image-'));
const stages = new Map<string, Stage>();
const variables = { PATH: process.env.PATH ?? '', HOME: folder, npm_config_prefer_offline: 'true' };
let service: ChildProcess | undefined;

afterAll(() => {
  service?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Without a container engine, this runs the instructions in order, each stage in a folder, as the user of the test. */
test('the instructions of deploy/Dockerfile build a service that starts and writes only to /data', {
  timeout: 600_000,
}, async () => {
  const text = readRepositoryFile('deploy/Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ');
  let stage: Stage | undefined;
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, name = '', rest = ''] = /^(\w+) +(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stage = startStage(rest);
    else if (stage) run(stage, name, rest);
    else throw new Error(`The Dockerfile begins with ${line}`);
  }
  if (!stage) throw new Error('The Dockerfile has no stage');

  const image = stage.folder;
  const port = String(await freePort());
  const env = {
    ...variables,
    ...stage.env,
    HOST: '127.0.0.1',
    PORT: port,
    PATH: `${image}/usr/local/bin:${variables.PATH}`,
  };
  const before = listFiles(image);
  const [program = '', ...args] = stage.command;
  service = spawn(program, args, { cwd: stage.workdir, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exit = once(service, 'exit');
  const [probe = '', ...probeArgs] = stage.healthCheck;
  await expect.poll(() => spawnSync(probe, probeArgs, { env }).status, { timeout: 120_000, interval: 500 }).toBe(0);
  service.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(spawnSync(probe, probeArgs, { env }).status).toBe(1);
  expect(readdirSync(join(image, 'data'))).toContain('first-keys.txt');
  expect(listFiles(image)).toEqual(before);
  for (const path of ['app/demo', 'app/src', 'app/service/src', 'app/service/test', 'app/node_modules/vitest'])
    expect(existsSync(join(image, path))).toBe(false);
});

function startStage(text: string): Stage {
  const name = / AS (\w+)$/.exec(text)?.[1] ?? 'last';
  const stage = { folder: join(folder, name), env: {}, workdir: '/', command: [], healthCheck: [] };
  mkdirSync(join(stage.folder, 'usr/local/bin'), { recursive: true });
  stages.set(name, stage);
  return stage;
}

function run(stage: Stage, name: string, rest: string): void {
  switch (name) {
    case 'WORKDIR':
      stage.workdir = join(stage.folder, rest);
      mkdirSync(stage.workdir, { recursive: true });
      return;
    case 'ENV':
      for (const [, key = '', value = ''] of inFolder(stage, rest).matchAll(/(\w+)=(\S+)/g)) stage.env[key] = value;
      return;
    case 'COPY':
      copy(stage, rest);
      return;
    case 'RUN':
      execute(stage, rest);
      return;
    case 'CMD':
      stage.command = JSON.parse(rest);
      return;
    case 'HEALTHCHECK':
      stage.healthCheck = JSON.parse(rest.slice(rest.indexOf('CMD ') + 4));
      return;
    case 'USER':
      expect(rest).toMatch(/^[1-9]\d*:[1-9]\d*$/);
      return;
    default:
      expect(['VOLUME', 'EXPOSE']).toContain(name);
  }
}

function execute(stage: Stage, command: string): void {
  // The owner of /data is a user of the image.
  const here = inFolder(stage, command).replace(/ --(?:owner|group)=node\b/g, '');
  const env = { ...variables, ...stage.env };
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', here], { cwd: stage.workdir, env, encoding: 'utf8' });
  expect({ command, status, output: status === 0 ? '' : stdout + stderr }).toEqual({ command, status: 0, output: '' });
}

function copy(stage: Stage, text: string): void {
  const words = text.split(' ');
  const from = stages.get(/^--from=(\w+)$/.exec(words[0] ?? '')?.[1] ?? '');
  const target = words.at(-1) ?? '';
  for (const source of words.slice(from ? 1 : 0, -1)) {
    const path = from ? join(from.folder, source) : join(root, source);
    // A folder's content is copied; a file goes into a folder whose name ends with a slash.
    const isInto = !statSync(path).isDirectory() && target.endsWith('/');
    const destination = join(stage.workdir, target, isInto ? basename(source) : '');
    cpSync(path, destination, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (each) => from !== undefined || !isIgnored(each.slice(root.length)),
    });
    if (!existsSync(destination)) throw new Error(`COPY ${source}: the .dockerignore file excludes it`);
  }
}

const ignorePatterns = readRepositoryFile('deploy/Dockerfile.dockerignore').trim().split('\n');

/** Returns whether the context lacks a file. The last pattern that matches it, or a folder above it, decides. */
function isIgnored(path: string): boolean {
  const parts = path.split('/').filter(Boolean);
  const prefixes = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  const decisive = ignorePatterns.findLast((pattern) => {
    const source = pattern
      .replace(/^!/, '')
      .replaceAll('.', '\\.')
      .replace(/\*\*\/?/g, '(?:.*/)?')
      .replace(/^\(\?:\.\*\/\)\?$/, '.*');
    return prefixes.some((prefix) => new RegExp(`^${source}$`).test(prefix));
  });
  // A folder above one that is included must be entered.
  const isAbove = ignorePatterns.some((pattern) => pattern.startsWith(`!${parts.join('/')}/`));
  return decisive !== undefined && !decisive.startsWith('!') && !isAbove;
}

function inFolder(stage: Stage, text: string): string {
  return text.replace(imagePaths, (_, before: string, path: string) => before + join(stage.folder, path));
}

/** Returns the files outside /data, with their sizes and times. */
function listFiles(image: string): string[] {
  return readdirSync(image, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !resolve(entry.parentPath).startsWith(join(image, 'data')))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => `${path} ${statSync(path).size} ${statSync(path).mtimeMs}`)
    .sort();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || address === null) throw new Error('No port');
  return address.port;
}
