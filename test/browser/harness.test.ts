import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeEngines } from './harness/engines';
import { startServer, type TestServer } from './harness/server';
import { openSession } from './harness/shared-browsers';
import type { BrowserSession, TestPage } from './harness/types';
import { until } from './harness/until';
import { logAndThrow, loggedAndThrown } from './support/logged';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'whorl-harness-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

describeEngines('a shared browser', (engine) => {
  test('keeps nothing of an earlier session', async () => {
    for (const _ of [1, 2]) {
      const session = await openSession(engine);
      const page = await session.open(server.url('/blank.html'));
      const before = await page.evaluate('[localStorage.length, document.cookie]');
      await page.evaluate("localStorage.setItem('kept', '1'), (document.cookie = 'kept=1')");
      await session.close();
      expect(before).toEqual([0, '']);
    }
  });

  test.skipIf(!engine.can.separate)('is replaced after a crash', async () => {
    const session = await openSession(engine);
    // Those of other engines too, which are then replaced as well.
    for (const pid of childrenWith(/--(?:user-data-dir|profile)/)) process.kill(pid, 'SIGKILL');
    await until('The end of the browser', () => session.isRunning?.() === false || undefined);
    const another = await openSession(engine);
    const page = await another.open(server.url('/blank.html'));
    expect(await page.evaluate('document.title')).toBe('Blank');
    await another.close();
  });
});

describeEngines('harness', (engine) => {
  describe('in one session', () => {
    let session: BrowserSession;
    let page: TestPage;
    beforeAll(async () => {
      session = await engine.launch();
      page = await session.open(server.url('/blank.html'));
    });
    afterAll(() => session?.close());

    test('loads a page and evaluates in it', async () => {
      expect(await page.evaluate('document.title')).toBe('Blank');
      expect(await page.evaluate((a: number, b: { c: number }) => a + b.c, 1, { c: 2 })).toBe(3);
      expect(await page.evaluate('undefined')).toBeUndefined();
    });

    test('awaits promises', async () => {
      expect(await page.evaluate(() => new Promise<string>((resolve) => setTimeout(resolve, 20, 'late')))).toBe('late');
    });

    test("rejects with the page's error", async () => {
      const thrown = page.evaluate(() => {
        throw new RangeError('too far');
      });
      await expect(thrown).rejects.toMatchObject({ name: 'RangeError', message: 'too far' });
      await expect(page.evaluate("document.querySelector('!')")).rejects.toMatchObject({ name: 'SyntaxError' });
    });

    test('reloads', async () => {
      await page.evaluate('void (window.mark = 1)');
      await page.reload();
      expect(await page.evaluate('typeof window.mark')).toBe('undefined');
    });

    test('reports console messages and errors', async () => {
      await page.goto(server.url('/blank.html'));
      await page.evaluate(logAndThrow);
      const messages = await until('Four messages', async () => {
        const list = await page.messages();
        return list.length >= 4 ? list : undefined;
      });
      expect(messages).toHaveLength(4);
      expect(messages).toEqual(expect.arrayContaining(loggedAndThrown()));
      await page.reload();
      expect(await page.messages()).toEqual([]);
    });

    test.each([
      ['localhost', true],
      ['127.0.0.1', true],
      ['insecure', false],
    ] as const)('finds %s a secure context: %s', async (host, secure) => {
      await page.goto(server.url('/blank.html', { host }));
      expect(await page.evaluate('isSecureContext')).toBe(secure);
      expect(await page.evaluate('localStorage.length')).toBe(0);
    });

    test('resizes its window', async () => {
      await page.goto(server.url('/blank.html'));
      await page.resize(801, 602);
      expect(await page.evaluate('[innerWidth, innerHeight]')).toEqual([801, 602]);
      await page.resize(1100, 700);
      expect(await page.evaluate('[innerWidth, innerHeight]')).toEqual([1100, 700]);
    });

    test('moves its window', async () => {
      await page.goto(server.url('/blank.html'));
      await page.moveTo(701, 303);
      expect(await page.evaluate('[screenX, screenY]')).toEqual([701, 303]);
    });

    test('presses keys', async () => {
      await page.goto(server.url('/blank.html'));
      await page.evaluate('document.body.innerHTML = \'<textarea></textarea><button onclick="title = 1"></button>\'');
      await page.press('Tab', 'w', '1', ' ', '~', 'A', 'Enter', 'Tab', ' ');
      expect(await page.evaluate("[document.querySelector('textarea').value, document.activeElement.title]")).toEqual([
        'w1 ~A\n',
        '1',
      ]);
      expect(await page.evaluate('document.hasFocus()')).toBe(true);
    });

    test('holds Control, and clicks', async () => {
      await page.goto(server.url('/blank.html'));
      await page.evaluate(() => {
        document.body.innerHTML = '<textarea></textarea><button>Count</button>';
        const heard: unknown[] = [];
        Object.assign(globalThis, { heard });
        addEventListener('keydown', ({ key, code, ctrlKey }) => heard.push([key, code, ctrlKey]));
        addEventListener('click', ({ target, isTrusted }) => heard.push([(target as Element).localName, isTrusted]));
      });
      await page.click('textarea');
      await page.press('Control+ ', '+');
      await page.click('button');
      expect(await page.evaluate('heard')).toEqual([
        ['textarea', true],
        ['Control', 'ControlLeft', true],
        [' ', 'Space', true],
        ['+', 'Equal', false],
        ['button', true],
      ]);
      expect(await page.evaluate("document.querySelector('textarea').value")).toBe('+');
      await expect(page.click('#none')).rejects.toThrow('Nothing on the page is #none');
    });

    test('has WebGL', async () => {
      expect(await page.evaluate(webglRenderer)).toMatch(/SwiftShader|llvmpipe|Apple GPU/);
    });

    test('opens a second page beside the first', async () => {
      const second = await session.open(server.url('/blank.html?second'));
      await second.evaluate("document.title = 'Second'");
      expect(await page.evaluate('document.title')).toBe('Blank');
      expect(await second.evaluate('document.title')).toBe('Second');
      await second.close();
      expect(await page.evaluate('document.title')).toBe('Blank');
    });

    test.skipIf(!engine.can.separate)('opens a separate session without stored data', async () => {
      await page.goto(server.url('/blank.html'));
      await page.evaluate("localStorage.setItem('kept', '1'), (document.cookie = 'kept=1')");
      const separate = await session.separate?.();
      const other = await separate?.open(server.url('/blank.html'));
      expect(await other?.evaluate('[localStorage.length, document.cookie]')).toEqual([0, '']);
      await separate?.close();
      expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([1, 'kept=1']);
      await page.evaluate("localStorage.clear(), (document.cookie = 'kept=; max-age=0')");
    });

    test('writes a screenshot', async () => {
      const file = join(folder, `${engine.name}.png`);
      await page.screenshot(file);
      expect((await readFile(file)).subarray(1, 4).toString()).toBe('PNG');
    });

    test('has the screen of 1920 × 1080, and prefers light', async () => {
      expect(await page.evaluate('matchMedia("(prefers-color-scheme: light)").matches')).toBe(true);
      expect(await page.evaluate('[screen.width, screen.height, devicePixelRatio]')).toEqual([1920, 1080, 1]);
    });

    test('logs requests, except those of the harness', async () => {
      server.forget();
      await page.goto(server.url('/blank.html?logged'));
      expect(server.requests().map(({ path }) => path)).toEqual(['/blank.html?logged']);
    });

    // Runs last, because Firefox may report the violation only on the next page.
    test('evaluates under a strict Content-Security-Policy', async () => {
      await page.goto(server.url('/strict-csp.html'));
      const evaluated = await page.evaluate(() => {
        try {
          return String(new Function('return 1')());
        } catch (error) {
          return error instanceof Error ? error.name : '';
        }
      });
      expect(evaluated).toBe('EvalError');
    });
  });
});

function webglRenderer(): string {
  const context = document.createElement('canvas').getContext('webgl');
  const debug = context?.getExtension('WEBGL_debug_renderer_info');
  return String(context?.getParameter(debug ? debug.UNMASKED_RENDERER_WEBGL : context.RENDERER));
}

/** Returns the child processes of this one whose command contains a pattern. */
function childrenWith(pattern: RegExp): number[] {
  const isChild = (entry: string) => {
    try {
      const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${entry}/status`, 'utf8'))?.[1];
      return parent === String(process.pid) && pattern.test(readFileSync(`/proc/${entry}/cmdline`, 'utf8'));
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && isChild(entry))
    .map(Number);
}
