import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ActionResponse, PageForm, PageOptions, WhorlPage } from 'whorl/page';
import { chromium } from './harness/chromium';
import { Playground } from './support/playground';

/** A page whose server wants a code once. `requests` are the last parts of the paths. */
interface Shop {
  readonly whorl: WhorlPage;
  readonly requests: string[];
  readonly pending: boolean[];
  form(): PageForm;
  /** Resolves when the form for the code is shown. */
  asked(): Promise<void>;
  /** Submits a form, which then waits for the code. */
  begin(): Promise<{ readonly first: PageForm; readonly running: Promise<ActionResponse> }>;
}

type Sample = { shop(options?: PageOptions): Shop };

const code = `import { whorlPage } from 'whorl/page';

export function shop(options = {}) {
  const requests = [];
  const pending = [];
  let isTrusted = false;
  const answer = (body, status = 200) => new Response(JSON.stringify(body), { status });
  const answers = {
    nonce: () => answer({ nonce: 'n' }),
    open: () => answer({ challenge: 'c' + requests.length, channels: ['email'], email: 'a***@example.com' }),
    send: () => answer({ sent_to: 'a***@example.com' }),
    verify: () => {
      isTrusted = true;
      return answer({ success: true });
    },
  };
  const fetch = async (path, { signal }) => {
    signal.throwIfAborted();
    const name = path.split('/').at(-1);
    requests.push(name);
    return answers[name]?.() ?? (isTrusted ? answer({}) : answer({ code: 'challenge_required' }, 403));
  };
  const whorl = whorlPage({ proof: false, fetch, ...options });
  whorl.subscribe(() => {});
  const form = () => whorl.form((isPending) => pending.push(isPending));
  const asked = () =>
    new Promise((resolve) => {
      whorl.subscribe((challenge) => challenge?.sentTo && resolve());
    });
  const begin = async () => {
    const first = form();
    const running = first.submit('/first', {});
    await asked();
    return { first, running };
  };
  return { whorl, requests, pending, form, asked, begin };
}`;

describe.skipIf(!chromium.available())('a form of a page', () => {
  let playground: Playground;
  beforeAll(async () => {
    playground = await Playground.open(chromium);
  });
  afterAll(() => playground?.close());
  beforeEach(() => playground.openApplication({ code }));

  test('calls no function after it was aborted while the browser is read', async () => {
    const answer = await playground.page.evaluate(async () => {
      const { shop } = window.sample as unknown as Sample;
      const form = shop().form();
      let calls = 0;
      const running = form.submit(async () => {
        calls += 1;
        return { status: 200 };
      }, {});
      form.abort();
      return { code: (await running).code, calls };
    });
    expect(answer).toEqual({ code: 'aborted', calls: 0 });
  });

  test('calls no function after it was aborted while a nonce is requested', async () => {
    const answer = await playground.page.evaluate(async () => {
      const { shop } = window.sample as unknown as Sample;
      let calls = 0;
      const form: PageForm = shop({
        proof: true,
        fetch: async () => {
          form.abort();
          return new Response('{"nonce":"n"}');
        },
      }).form();
      const { code } = await form.submit(async () => {
        calls += 1;
        return { status: 200 };
      }, {});
      return { code, calls };
    });
    expect(answer).toEqual({ code: 'aborted', calls: 0 });
  });

  test('that was aborted does not continue with the code of another form', async () => {
    const answer = await playground.page.evaluate(async () => {
      const { shop } = window.sample as unknown as Sample;
      const { whorl, form, begin } = shop();
      const second = form();
      const { running } = await begin();
      let calls = 0;
      const aborted = second.submit(async () => {
        calls += 1;
        // After the answer, so that this submission waits for the code too.
        setTimeout(second.abort);
        return { status: 403, body: { code: 'challenge_required' } };
      }, {});
      const { code } = await aborted;
      const isAsked = whorl.challenge !== undefined;
      await whorl.challenge?.verify('123456');
      return { code, isAsked, ok: (await running).ok, calls };
    });
    expect(answer).toEqual({ code: 'aborted', isAsked: true, ok: true, calls: 1 });
  });

  test('that was aborted leaves its challenge to another one that waits for it', async () => {
    const answer = await playground.page.evaluate(async () => {
      const { shop } = window.sample as unknown as Sample;
      const { whorl, begin, requests } = shop();
      const { first, running } = await begin();
      const waiting = whorl.confirm();
      first.abort();
      const { code } = await running;
      const isAsked = whorl.challenge !== undefined;
      await whorl.challenge?.verify('123456');
      return { code, isAsked, ok: (await waiting).ok, requests };
    });
    const requests = ['first', 'open', 'send', 'verify'];
    expect(answer).toEqual({ code: 'aborted', isAsked: true, ok: true, requests });
  });

  test('ends its challenge if no other one waits for it, and the next one has its own', async () => {
    const answer = await playground.page.evaluate(async () => {
      const { shop } = window.sample as unknown as Sample;
      const { whorl, asked, begin, requests } = shop();
      const { first, running } = await begin();
      const id = whorl.challenge?.id;
      first.abort();
      const { code } = await running;
      const isAsked = whorl.challenge !== undefined;
      const again = first.submit('/again', {});
      await asked();
      const isAnother = whorl.challenge?.id !== id;
      await whorl.challenge?.verify('123456');
      return { code, isAsked, isAnother, ok: (await again).ok, requests };
    });
    const requests = ['first', 'open', 'send', 'again', 'open', 'send', 'verify', 'again'];
    expect(answer).toEqual({ code: 'aborted', isAsked: false, isAnother: true, ok: true, requests });
  });

  test('can be submitted again immediately after it was aborted', async () => {
    const answer = await playground.page.evaluate(async () => {
      const { shop } = window.sample as unknown as Sample;
      const { form, pending } = shop();
      const own = form();
      const fields = (value: string) => async () => ({ status: 200, body: { value } });
      const first = own.submit(fields('first'), {});
      own.abort();
      const answers: ActionResponse[] = await Promise.all([first, own.submit(fields('second'), {})]);
      return { answers: answers.map(({ code, body }) => code ?? body.value), pending };
    });
    expect(answer).toEqual({ answers: ['aborted', 'second'], pending: [true, true, false] });
  });

  test('is sent without a proof if no nonce arrives, however long the time limit of requests is', async () => {
    const ok = await playground.page.evaluate(async () => {
      const { shop } = window.sample as unknown as Sample;
      const never = (_path: unknown, { signal }: RequestInit = {}) =>
        new Promise<Response>((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
      const { whorl } = shop({ proof: true, timeout: 2 ** 31 - 1, fetch: never });
      return (await whorl.submit(async () => ({ status: 200 }), {})).ok;
    });
    expect(ok).toBe(true);
  });

  test('prepare reads the browser each time that it is called, and once at a time', async () => {
    const readings = await playground.page.evaluate(async () => {
      const { shop } = window.sample as unknown as Sample;
      const { whorl } = shop();
      const original = window.requestIdleCallback;
      let count = 0;
      window.requestIdleCallback = (...given) => {
        count += 1;
        return original.call(window, ...given);
      };
      await Promise.all([whorl.prepare(), whorl.prepare()]);
      const first = count;
      await whorl.prepare();
      window.requestIdleCallback = original;
      return [first, count];
    });
    expect(readings).toEqual([1, 2]);
  });
});
