import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromium } from './harness/chromium';
import { newestCode } from './support/demo';
import { Playground } from './support/playground';
import { waitLongerForIndexedDb } from './support/whorl';

let playground: Playground;
let accounts = 0;

describe.skipIf(!chromium.available())('the code of a login that another browser began', () => {
  beforeAll(async () => {
    playground = await Playground.open();
  });
  afterAll(() => playground?.close());
  beforeEach(() => {
    playground.handlers = {};
  });

  describe.each([true, false])('with a proof: %s', (proof) => {
    const options = `{ proof: ${proof} }`;
    const code = `import { whorlPage } from 'whorl/page';
      const page = whorlPage(${options});
      export const logIn = (email) => page.submit('/login', { email, password: 'right' });
      export const confirm = () => page.confirm();
      export const call = async (route, fields) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(route, { method: 'POST', headers, body: JSON.stringify(fields) });
        return { status: answer.status, ...(await answer.json()) };
      };`;

    test('cannot be sent or entered in the browser of the victim, who follows a link', async () => {
      const id = `victim-${++accounts}`;
      const email = `${id}@example.com`;
      await playground.serveLogin({ id, email });
      await playground.openModule(code);
      await waitLongerForIndexedDb(playground.page);
      const attacker = playground.page;
      const begun = await playground.call('logIn', email);
      expect(begun).toMatchObject({ status: 403, code: 'challenge_required' });
      const { challenge } = await playground.call<{ challenge: string }>('call', '/whorl/open', {});
      await playground.call('call', '/whorl/send', {});
      const sent = await newestCode(playground.demo, email);

      await playground.launch(chromium);
      await playground.openModule(code);
      await waitLongerForIndexedDb(playground.page);
      // The link of an attacker, who knows the ID from a cookie of their own.
      const query = new URLSearchParams({ code: 'challenge_required', challenge_id: challenge, challenge });
      await playground.page.evaluate((search) => history.replaceState(null, '', `?${search}`), String(query));
      const refused = { status: 403, code: 'challenge_of_another_browser' };
      expect(await playground.call('confirm')).toMatchObject(refused);
      for (const fields of [{}, { challenge }, { challenge_id: challenge }]) {
        for (const route of ['open', 'send', 'begin', 'verify']) {
          const answer = await playground.call('call', `/whorl/${route}`, { ...fields, code: sent });
          expect(answer).toMatchObject(refused);
        }
      }

      playground.page = attacker;
      expect(await playground.call('logIn', email)).toMatchObject({ status: 403, code: 'challenge_required' });
    });
  });
});
