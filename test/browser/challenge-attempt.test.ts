import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../service/test/unit/delivery/smtp';
import { chromium } from './harness/chromium';
import { startServer, type TestServer } from './harness/server';
import type { TestPage } from './harness/types';
import { until } from './harness/until';
import { tabThrough, tabTo, violations } from './support/accessibility';
import { shows } from './support/demo';
import { type RunningService, startRealService } from './support/service';
import { inScheme, openBrowser } from './support/session';
import { visit } from './support/whorl';

let mails: MailServer;
let service: RunningService;
/** The shop, where the browser is read. */
let shop: TestServer;
beforeAll(async () => {
  shop = await startServer();
  mails = await startMailServer();
  const mail = { SMTP_URL: `smtp://127.0.0.1:${mails.port}`, MAIL_FROM: 'no-reply@shop.example' };
  const settings = { managed_challenge_page: true, challenge_page: { name: 'The little shop' } };
  service = await startRealService(settings, mail);
});
afterAll(async () => {
  await service?.close();
  await mails?.close();
  await shop?.close();
});

let users = 0;

/** Begins a challenge in a network that is unknown. Returns its link, and its ID. */
async function challengeIn(page: TestPage) {
  const [fingerprint] = await visit(page, shop.url('/blank.html'));
  const user = `ann${++users}`;
  const request = { action: 'login', user, fingerprint, ip: '203.0.113.9', email: `${user}@example.com` };
  const { body } = await service.post('/v2/device/evaluate', request);
  const { pathname, search } = new URL(body.challenge_url);
  return { id: String(body.challenge_id), link: `${service.origin}${pathname}${search}` };
}

/** Sends the code of a challenge, and returns the link of its mail for somebody who did not ask for it. */
async function disownLinkOf(id: string): Promise<string> {
  const before = mails.received.length;
  await service.post(`/v2/challenges/${id}/send`);
  const mail = await until('The mail', () => mails.received[before]);
  const [path] = /\/n\/[\w-]+/.exec(mail.parsed.text ?? '') ?? [];
  return `${service.origin}${path}`;
}

/** Pages that describe an attempt: what is shown, and the page after the button that denies it. */
const pages = [
  {
    name: 'Is this you?',
    open: async (page: TestPage) => page.goto((await challengeIn(page)).link),
    shown: /Is this you\?.*Device.*Chromium.*Place.*Time.*UTC.*If you opened a link that somebody sent you/s,
    deny: 'It was not me',
    denied: /Thank you for telling us/,
  },
  {
    name: 'This was not me',
    open: async (page: TestPage) => page.goto(await disownLinkOf((await challengeIn(page)).id)),
    shown: /Was this not you\?.*Device.*Chromium.*Place.*Time.*UTC/s,
    deny: 'It was not me',
    denied: /Thank you for telling us/,
  },
];

const sizes = [
  ['a phone', 360, 640],
  ['a desktop', 1280, 800],
] as const;

describe.skipIf(!chromium.available()).each(['light', 'dark'] as const)('in %s mode', (colorScheme) => {
  let page: TestPage;
  beforeAll(async () => {
    const opened = await openBrowser(chromium, inScheme(colorScheme));
    page = opened.page;
    return opened.close;
  });

  describe.each(sizes)('on %s', (_size, width, height) => {
    test.each(pages)(
      'the page "$name" describes the attempt, works by keyboard, and has no axe violations',
      async ({ open, shown, deny, denied }) => {
        await page.resize(width, height);
        await open(page);
        await shows(page, shown);
        expect(await violations(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        await page.reload();
        const { all, reached, unseen } = await tabThrough(page);
        expect([reached, unseen]).toEqual([all, []]);
        await page.reload();
        await tabTo(page, deny);
        await page.press('Enter');
        await shows(page, denied);
        expect(await violations(page)).toEqual([]);
        expect(await page.messages()).toEqual([]);
      },
    );
  });
});
