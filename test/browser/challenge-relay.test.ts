import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium } from './harness/chromium';
import { firefox } from './harness/firefox';
import { freePort } from './harness/free-port';
import { openSession } from './harness/shared-browsers';
import type { BrowserSession, Engine, TestPage } from './harness/types';
import { until } from './harness/until';
import { newestCode, shows } from './support/demo';
import { Playground } from './support/playground';
import { type RunningService, startRealService } from './support/service';
import { startTextProvider, type TextProvider } from './support/texts';
import { waitLongerForIndexedDb } from './support/whorl';

/** A login that the attacker began with the victim's password, in a browser of their own. */
interface Begun {
  /** Opens the link in the victim's browser. Fails unless it is refused there. */
  follow(victim: TestPage): Promise<void>;
  /** Requests the code in the attacker's browser, and returns what the victim receives. */
  requestCode(): Promise<string>;
  /** Enters the code in the victim's browser, as far as the page or its routes allow it. */
  enterAsVictim(victim: TestPage, code: string): Promise<void>;
  /** Enters the code in the attacker's browser, to whom the victim read it out. */
  enterAsAttacker(code: string): Promise<void>;
  /** Tries the login again. */
  isAttackerIn(): Promise<boolean>;
}

const places = ['adapter', 'managed page'] as const;
const keys = ['with a key', 'without a key'] as const;
const relays = {
  'the victim follows the link': async ({ follow }: Begun, victim: TestPage) => follow(victim),
  'the victim enters the code on the page of the link': async (begun: Begun, victim: TestPage) => {
    const code = await begun.requestCode();
    await begun.follow(victim);
    await begun.enterAsVictim(victim, code);
  },
} as const;

/** Whether the attacker got in. A variant that did not run is missing. */
const outcomes: Record<string, boolean> = {};

let sessions: BrowserSession[] = [];
/** Opens a page that has nothing in common with the others, as in another browser. */
async function open(engine: Engine): Promise<TestPage> {
  const session = await openSession(engine);
  sessions.push(session);
  return session.open();
}

let users = 0;
let playground: Playground;
let texts: TextProvider;
/** A service on the origin of the pages, where the managed page can prove their key. */
let service: RunningService;

describe.skipIf(!chromium.available() || !firefox.available())('a login that an attacker began', () => {
  beforeAll(async () => {
    playground = await Playground.open();
    texts = await startTextProvider();
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const settings = { managed_challenge_page: true, allowed_origins: [origin] };
    const environment = { ...texts.environment, PORT: String(port), PUBLIC_URL: origin };
    service = await startRealService(settings, environment);
  });
  afterAll(async () => {
    await service?.close();
    await texts?.close();
    await playground?.close();
  });

  const scenes = { adapter: beginWithAdapter, 'managed page': beginWithManagedPage };

  describe.each(places)('%s', (place) => {
    describe.each(keys)('%s', (key) => {
      /** Runs an attack, and records whether it succeeded. */
      async function attack(name: string, act: (begun: Begun, victim: TestPage) => Promise<void>): Promise<boolean> {
        sessions = [];
        try {
          // Without a key, the managed page knows browsers by their fingerprints, which equal browsers share.
          const victim = await open(key === 'with a key' || place === 'adapter' ? chromium : firefox);
          const begun = await scenes[place](await open(chromium), key === 'with a key');
          await act(begun, victim);
          const isIn = await begun.isAttackerIn();
          outcomes[`${place}, ${key}, ${name}`] = isIn;
          return isIn;
        } finally {
          for (const session of sessions) await session.close();
        }
      }

      test.each(Object.entries(relays))('%s: the attacker is not in', async (name, act) => {
        expect(await attack(name, act)).toBe(false);
      });

      test('the victim reads the code out: the attacker is in (docs/threat-model.md)', async () => {
        const isIn = await attack('the victim reads the code out', async ({ requestCode, enterAsAttacker }) => {
          await enterAsAttacker(await requestCode());
        });
        expect(isIn).toBe(true);
      });
    });
  });

  test('every variant ran, and a link lets the attacker in with none of them', () => {
    expect(outcomes).toEqual({
      'adapter, with a key, the victim follows the link': false,
      'adapter, with a key, the victim enters the code on the page of the link': false,
      'adapter, with a key, the victim reads the code out': true,
      'adapter, without a key, the victim follows the link': false,
      'adapter, without a key, the victim enters the code on the page of the link': false,
      'adapter, without a key, the victim reads the code out': true,
      'managed page, with a key, the victim follows the link': false,
      'managed page, with a key, the victim enters the code on the page of the link': false,
      'managed page, with a key, the victim reads the code out': true,
      'managed page, without a key, the victim follows the link': false,
      'managed page, without a key, the victim enters the code on the page of the link': false,
      'managed page, without a key, the victim reads the code out': true,
    });
  });
});

/** Runs in a page of the shop, which is the docs' login. */
const shopPage = (proof: boolean) => `import { whorlPage } from 'whorl/page';
  const page = whorlPage({ proof: ${proof} });
  export const logIn = (email) => page.submit('/login', { email, password: 'right' });
  export const confirm = () => page.confirm();
  export const call = async (route, fields) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('/whorl/' + route, { method: 'POST', headers, body: JSON.stringify(fields) });
    return { status: answer.status, ...(await answer.json()) };
  };`;

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly challenge?: string;
}

async function beginWithAdapter(attacker: TestPage, proof: boolean): Promise<Begun> {
  const id = `victim-${++users}`;
  const email = `${id}@example.com`;
  const refused = { status: 403, code: 'challenge_of_another_browser' };
  await playground.serveLogin({ id, email });
  const openShop = async (page: TestPage) => {
    playground.page = page;
    await playground.openModule(shopPage(proof));
    await waitLongerForIndexedDb(page);
  };
  const callIn = (page: TestPage, name: string, ...args: unknown[]) => {
    playground.page = page;
    return playground.call<Answer>(name, ...args);
  };
  await openShop(attacker);
  expect(await callIn(attacker, 'logIn', email)).toMatchObject({ status: 403, code: 'challenge_required' });
  const { challenge = '' } = await callIn(attacker, 'call', 'open', {});
  expect(challenge).not.toBe('');
  return {
    async follow(victim) {
      await openShop(victim);
      const query = new URLSearchParams({ code: 'challenge_required', challenge_id: challenge, challenge });
      await victim.evaluate((search) => history.replaceState(null, '', `?${search}`), String(query));
      expect(await callIn(victim, 'confirm')).toMatchObject(refused);
    },
    async requestCode() {
      expect(await callIn(attacker, 'call', 'send', {})).toMatchObject({ status: 200 });
      return newestCode(playground.demo, email);
    },
    async enterAsVictim(victim, code) {
      for (const named of [{}, { challenge }, { challenge_id: challenge }]) {
        expect(await callIn(victim, 'call', 'verify', { ...named, code })).toMatchObject(refused);
      }
    },
    async enterAsAttacker(code) {
      expect(await callIn(attacker, 'call', 'verify', { code })).toMatchObject({ status: 200, success: true });
    },
    isAttackerIn: async () => (await callIn(attacker, 'logIn', email)).ok,
  };
}

async function beginWithManagedPage(attacker: TestPage, proof: boolean): Promise<Begun> {
  const number = ++users;
  const user = `victim-${number}`;
  const phone = `+49170123${String(number).padStart(4, '0')}`;
  const evaluate = async () => {
    const { nonce } = (await service.post('/v2/device/nonce')).body;
    await attacker.goto(`${service.origin}/docs`);
    await waitLongerForIndexedDb(attacker);
    const fields = await attacker.evaluate(collectIn, nonce, proof);
    const request = { action: 'login', user, phone, ip: '127.0.0.1', ...fields };
    return (await service.post('/v2/device/evaluate', request)).body;
  };
  const begun = await evaluate();
  expect(begun.verdict).toBe('challenge');
  let link: string = begun.challenge_url;
  return {
    async follow(victim) {
      const before = texts.count(phone);
      await victim.goto(link);
      await shows(victim, /Open this page where you started/);
      expect(await victim.evaluate("document.querySelector('form') === null")).toBe(true);
      expect(texts.count(phone)).toBe(before);
    },
    async requestCode() {
      await attacker.goto(link);
      await shows(attacker, /Confirm it is you/);
      await attacker.evaluate("document.querySelector('form[action$=send] button').click()");
      const code = await texts.code(phone);
      await shows(attacker, /Enter the code/);
      // Another link to the same challenge, because one works once.
      link = (await evaluate()).challenge_url;
      return code;
    },
    async enterAsVictim(victim, code) {
      const path = new URL(link).pathname;
      // The page has no field, and allows no requests of scripts.
      await victim.evaluate(
        (action, entered) => {
          const form = Object.assign(document.createElement('form'), { method: 'post', action });
          form.append(Object.assign(document.createElement('input'), { name: 'code', value: entered }));
          document.body.append(form);
          form.submit();
        },
        `${path}/code`,
        code,
      );
      await shows(victim, /This link is no longer valid/);
    },
    async enterAsAttacker(code) {
      await attacker.goto(link);
      await until('The field', () => attacker.evaluate("document.getElementById('code') !== null || undefined"));
      await attacker.evaluate((entered) => {
        const field = document.getElementById('code');
        if (!(field instanceof HTMLInputElement)) throw new Error('There is no field for the code');
        field.value = entered;
        field.form?.requestSubmit();
      }, code);
      await shows(attacker, /Thank you/);
    },
    isAttackerIn: async () => (await evaluate()).verdict === 'allow',
  };
}

/** Runs in a page of the service's origin. */
async function collectIn(nonce: string, proof: boolean): Promise<object> {
  await new Promise((resolve, reject) => {
    const script = document.createElement('script');
    Object.assign(script, { src: '/whorl.min.js', onload: resolve, onerror: reject });
    document.head.append(script);
  });
  const [fingerprint] = await window.Whorl.getHash();
  return { fingerprint, ...(proof && { proof: await window.Whorl.getProof(nonce) }) };
}
