// Creates docs/images/: the dashboard and the challenge page, light and dark, from the seeded demo.
//   npm run demo:build && node scripts/screenshots.mjs [<data folder of a seeded demo>]
// Without a folder, it seeds a temporary one, which takes some minutes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { findBrowsers } from './find-browsers.mjs';

const MAX_BYTES = 150_000;
const root = fileURLToPath(new URL('..', import.meta.url));
const images = join(root, 'docs/images');
const administrator = { email: 'ada@example.com', password: 'correct horse battery staple' };
/** The fingerprint of another browser, with which the user signs up. The browser of the pictures is challenged. */
const known = 'w1.dlc156.7Z9v0pT8aKuEwGT748W68JVnrQ7d.fuCmklxImC2ebtiRjVDCF3p-chyVrMAXdjzc.TNbCyWxtd9m8OWLtvKaE.AAAA';

const dataFolder = mkdtempSync(join(tmpdir(), 'whorl-screenshots-'));
const env = { ...process.env, DATA_FOLDER: dataFolder, PORT: '4190', SERVICE_PORT: '4290' };
mkdirSync(images, { recursive: true });
try {
  const [, , seeded] = process.argv;
  if (seeded) cpSync(seeded, dataFolder, { recursive: true });
  else await run('demo/dist/server/seed/main.js');
  await withDemo(async (adminLink, service) => {
    const browser = await chromium.launch({ executablePath: findBrowsers().chromium });
    try {
      await takeDashboard(browser, adminLink);
      await takeChallenge(browser, service);
    } finally {
      await browser.close();
    }
  });
} finally {
  rmSync(dataFolder, { recursive: true, force: true });
}

/** Runs a program of the demo to its end. */
async function run(path) {
  const [code] = await once(spawn('node', [path], { cwd: root, env, stdio: 'inherit' }), 'close');
  if (code !== 0) throw new Error(`${path} ended with ${code}.`);
}

/** Starts the demo, calls `act` with the link for the first administrator and the service's address, and stops it. */
async function withDemo(act) {
  const demo = spawn('node', ['demo/dist/server/main.js'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(demo, 'close');
  try {
    let adminLink = '';
    for await (const line of createInterface({ input: demo.stdout })) {
      adminLink ||= /http\S+\/dashboard\/\S+/.exec(line)?.[0] ?? '';
      const [, service] = /^The service behind it: (http:\/\/[\w.:-]+\d)/.exec(line) ?? [];
      if (!service) continue;
      await act(adminLink, service);
      break;
    }
  } finally {
    demo.kill('SIGTERM');
    await closed;
  }
}

async function takeDashboard(browser, adminLink) {
  const page = await browser.newPage({ viewport: { width: 1520, height: 900 }, deviceScaleFactor: 1.5 });
  await page.goto(adminLink);
  await page.fill('[name=email]', administrator.email);
  for (const field of await page.locator('[type=password]').all()) await field.fill(administrator.password);
  await page.keyboard.press('Enter');
  await page
    .getByRole('link', { name: 'Whorl demo, live' })
    .or(page.getByRole('link', { name: 'live' }))
    .first()
    .click();
  await page.waitForSelector('canvas');
  await page.getByRole('link', { name: '7 days' }).click();
  await page.waitForSelector('canvas');
  await takeBoth(page, 'dashboard');
}

async function takeChallenge(browser, service) {
  const { keys } = JSON.parse(readFileSync(join(dataFolder, 'keys.json'), 'utf8'));
  const evaluate = async (body) => {
    const headers = { authorization: `Bearer ${keys.live.secret}`, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify({ user: 'grace', ...body }) };
    return (await fetch(`${service}/v2/device/evaluate`, request)).json();
  };
  const email = 'grace@example.com';
  await evaluate({ action: 'signup', email, fingerprint: known, ip: '198.51.100.7' });
  const page = await browser.newPage({ viewport: { width: 400, height: 640 }, deviceScaleFactor: 2, bypassCSP: true });
  await page.goto(`http://localhost:${env.PORT}`);
  await page.addScriptTag({ path: join(root, 'dist/whorl.min.js') });
  const [fingerprint] = await page.evaluate(() => window.Whorl.getHash());
  const login = await evaluate({ action: 'login', email, fingerprint, ip: '203.0.113.9' });
  await page.goto(login.challenge_url);
  // The address is another one than the visitor's, so the page asks whether the attempt is theirs.
  await page.locator('form[action$=confirm] button').click();
  await page.locator('form[action$=send] button').first().click();
  await page.locator('[name=code]').waitFor();
  await takeBoth(page, 'challenge');
}

/** Saves the page in both colour schemes. Uses the DevTools protocol, because Playwright does not support WebP. */
async function takeBoth(page, name) {
  const devTools = await page.context().newCDPSession(page);
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Charts take their colours when the page loads.
    await page.reload({ waitUntil: 'networkidle' });
    await page.evaluate(() => document.activeElement?.blur());
    const { data } = await devTools.send('Page.captureScreenshot', { format: 'webp', quality: 92 });
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length > MAX_BYTES)
      throw new Error(`${name}-${colorScheme} has ${bytes.length} bytes, over ${MAX_BYTES}.`);
    writeFileSync(join(images, `${name}-${colorScheme}.webp`), bytes);
    console.log(`docs/images/${name}-${colorScheme}.webp: ${bytes.length} bytes`);
  }
}
