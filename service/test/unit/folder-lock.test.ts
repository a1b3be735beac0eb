import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FolderLock, lockFolder } from '../../src/ground/db/folder-lock.js';

describe('the lock on a folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Writes a lock of a process that has ended. */
  function writeLock(holder: { pid: number; host?: string; started?: string | null }): Promise<void> {
    const text = JSON.stringify({ host: hostname(), started: null, ...holder });
    return writeFile(join(folder, 'lock.7'), text);
  }

  test('creates the folder, readable only by its owner', async () => {
    const deep = join(folder, 'a', 'b');
    await (await lockFolder(deep)).release();
    expect(await readdir(deep)).toHaveLength(1);
    expect((await stat(deep)).mode & 0o777).toBe(0o700);
  });

  test('is refused while it is held, with the PID of the holder', async () => {
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(`Process ${process.pid} uses the folder ${folder}`);
    await lock.release();
  });

  test('can be acquired again once it is released', async () => {
    await (await lockFolder(folder)).release();
    await (await lockFolder(folder)).release();
    await expect(lockFolder(folder)).resolves.toBeDefined();
  });

  test('is taken over from a process that has ended', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    await writeLock({ pid });
    await expect(lockFolder(folder)).resolves.toBeDefined();
    await expect(lockFolder(folder)).rejects.toThrow(`Process ${process.pid} uses`);
  });

  test.skipIf(process.platform !== 'linux')('is taken over if the PID was reused by another process', async () => {
    await writeLock({ pid: process.pid, started: 'another boot 1' });
    await expect(lockFolder(folder)).resolves.toBeDefined();
  });

  test('is not taken over from a process on another machine, which cannot be checked', async () => {
    await writeLock({ pid: 1, host: 'elsewhere' });
    await expect(lockFolder(folder)).rejects.toThrow(/Process 1 on elsewhere has locked the folder .*remove .*lock\.7/);
  });

  test('is taken over from another machine after a time, if the caller says so', async () => {
    await writeLock({ pid: 1, host: 'elsewhere' });
    await expect(lockFolder(folder, { otherMachineMs: 60_000 })).rejects.toThrow('Process 1 on elsewhere');
    const twoMinutesAgo = new Date(Date.now() - 120_000);
    await utimes(join(folder, 'lock.7'), twoMinutesAgo, twoMinutesAgo);
    await expect(lockFolder(folder, { otherMachineMs: 60_000 })).resolves.toBeDefined();
  });

  test('is rejected if it is not a lock', async () => {
    await writeFile(join(folder, 'lock.7'), 'something else');
    await expect(lockFolder(folder)).rejects.toThrow('is not a lock of this service');
  });

  test.each([
    ['a free folder', () => Promise.resolve()],
    ['a stale lock', () => writeLock({ pid: spawnSync(process.execPath, ['--version']).pid })],
  ])('is acquired by one of several concurrent processes: %s', async (_, prepare) => {
    await prepare();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)));
    const locks = results.flatMap((it): FolderLock[] => (it.status === 'fulfilled' ? [it.value] : []));
    expect(locks).toHaveLength(1);
    expect(await readdir(folder)).toHaveLength(1);
  });
});
