import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenIdProvider, startOpenIdProvider } from '../../service/test/support/openid-provider';
import { chromium } from './harness/chromium';
import { freePort } from './harness/free-port';
import type { TestPage } from './harness/types';
import { tabTo, violations } from './support/accessibility';
import { signIn } from './support/dashboard';
import { shows } from './support/demo';
import { type RunningService, startRealService } from './support/service';
import { inPage, inScheme } from './support/session';

describe.skipIf(!chromium.available())('signing in to the dashboard with OpenID Connect in chromium', () => {
  let provider: OpenIdProvider;
  let service: RunningService;
  let origin: string;
  beforeAll(async () => {
    const port = await freePort();
    // The provider is at an IP address, which is another site.
    origin = `http://localhost:${port}`;
    provider = await startOpenIdProvider(origin);
    provider.asks = true;
    provider.person = 'ann';
    provider.people.set('ann', { email: 'ann@example.com', email_verified: true, groups: ['admins'] });
    service = await startRealService(
      {},
      {
        PORT: String(port),
        PUBLIC_URL: origin,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: 'whorl',
        OIDC_CLIENT_SECRET: provider.options().provider.clientSecret,
        OIDC_NAME: 'Acme',
        OIDC_SCOPE: 'openid email groups',
        OIDC_ROLES: 'admins=owner',
        LOCAL_PASSWORDS: 'false',
        EMERGENCY_OWNER: 'emergency@example.com',
      },
    );
  });
  afterAll(async () => {
    await service?.close();
    await provider?.close();
  });

  const press = async (page: TestPage, name: string) => {
    await tabTo(page, name);
    await page.press('Enter');
  };

  test('passes the page of the provider, and confirms there', async () => {
    await inPage(chromium, inScheme('light'), async (page) => {
      await page.goto(service.setUpUrl().replace(service.origin, origin));
      await signIn(page, 'emergency@example.com');
      await press(page, 'Sign out');
      await shows(page, /Sign in with Acme/);
      expect(await violations(page)).toEqual([]);
      await page.goto(`${origin}/dashboard/projects`);
      await press(page, 'Sign in with Acme');
      await shows(page, /Sign in to Acme/);
      await press(page, 'Sign in to Acme');
      await shows(page, /Projects.*Confirm with Acme/s);
      expect(await violations(page)).toEqual([]);
      await press(page, 'Confirm with Acme');
      await shows(page, /Sign in to Acme/);
      await press(page, 'Sign in to Acme');
      await shows(page, /Projects/);
      expect(await page.evaluate('document.body.innerText')).not.toContain('Confirm with Acme');
      expect(await page.messages()).toEqual([]);
      await page.goto(`${origin}/dashboard/account`);
      await shows(page, /You are signed in as ann@example.com, with Acme/);
      expect(await violations(page)).toEqual([]);
    });
  });

  test('shows a page to somebody without a role, in dark mode', async () => {
    provider.person = 'bob';
    provider.people.set('bob', { email: 'bob@example.com', email_verified: true, groups: [] });
    await inPage(chromium, inScheme('dark'), async (page) => {
      await page.goto(`${origin}/dashboard`);
      expect(await violations(page)).toEqual([]);
      await press(page, 'Sign in with Acme');
      await shows(page, /Sign in to Acme/);
      await press(page, 'Sign in to Acme');
      await shows(page, /You cannot sign in.*Your account has no role/s);
      expect(await violations(page)).toEqual([]);
    });
  });
});
