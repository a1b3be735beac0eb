// Replays simulated visits to the service over HTTP, and fails if it gives them other identities than the simulation.
// Options: --devices 200, --days 90, --every 15 (days between visits), --proofs 0.5, --fleets 0.5, --seed 1.
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { createLog, createProject, readConfig, startServer } from '../../../service/dist/testing.js';
import { arrangePeople, keepStorage } from './people.mjs';
import { seeded } from './random.mjs';
import { perRelease } from './recorded.mjs';
import { createLinking } from './service.mjs';
import { fingerprintText, simulate } from './simulate.mjs';

const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '200' },
    days: { type: 'string', default: '90' },
    every: { type: 'string', default: '15' },
    proofs: { type: 'string', default: '0.5' },
    fleets: { type: 'string', default: '0.5' },
    seed: { type: 'string', default: '1' },
  },
});
const read = (name) => Number(values[name]);
const [devices, days, visitEveryDays] = [read('devices'), read('days'), read('every')];
const [proofs, fleets, seed] = [read('proofs'), read('fleets'), read('seed')];
const origin = 'https://shop.example';
let visitOf;
const population = simulate({
  devices,
  days,
  visitEveryDays,
  seed,
  perRelease,
  withRaw: false,
  arrange: (all) => {
    visitOf = arrangePeople(all, seeded(seed + 3), { fleets });
  },
});
const browsers = keepStorage(seeded(seed + 5), { devices });
const { link } = createLinking({ random: seeded(seed + 4), sampleEveryDays: 0 });

const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-population-'));
let now = new Date();
const started = now.getTime();
const environment = { WHORL_SECRET: 'master secret of the benchmarks, 32 bytes or more', DATA_FOLDER: folder };
const config = readConfig({
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'error',
  WORKERS: 'false',
  ADDRESS_DATABASES: 'none',
  ...environment,
});
const { service, url, close } = await startServer(config, { log: createLog('error'), now: () => now });
try {
  const { keys } = await createProject(service, { name: 'population' });
  const post = async (path, body = {}) => {
    const headers = { Authorization: `Bearer ${keys.live.secret}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const content = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(content)}`);
    return content;
  };
  const holders = new Map();
  const prove = async (key, fingerprint) => {
    if (!holders.has(key)) holders.set(key, await generateKeyPair('ES256'));
    const { publicKey, privateKey } = holders.get(key);
    const jwk = await exportJWK(publicKey);
    const { nonce } = await post('/v2/device/nonce');
    const claims = JSON.stringify({ nonce, origin, fingerprint, iat: Math.floor(now.getTime() / 1000) });
    return new CompactSign(new TextEncoder().encode(claims))
      .setProtectedHeader({ alg: 'ES256', typ: 'whorl-proof+jwt', kid: await calculateJwkThumbprint(jwk), jwk })
      .sign(privateKey);
  };
  const pairs = new Map();
  const identities = new Set();
  let count = 0;
  const different = [];
  for (const { day, device, fingerprint } of population.visits()) {
    const text = fingerprintText(fingerprint);
    const { user, last, key, proofDraw } = browsers(device, text, visitOf(device, day));
    const proven = proofDraw < proofs ? key : undefined;
    now = new Date(started + day * 86_400_000 + count * 1000);
    const answer = await post('/v2/device/evaluate', {
      action: 'login',
      user: `user ${user}`,
      ip: `198.51.100.${user % 250}`,
      fingerprint: text,
      ...(last && { last_fingerprint: last }),
      ...(proven !== undefined && { proof: await prove(proven, text) }),
    });
    if (answer.challenge_id) await post(`/v2/challenges/${answer.challenge_id}/complete`);
    const expected = link({ day, text, user, last, key: proven });
    const known = pairs.get(expected);
    if (known === undefined) pairs.set(expected, answer.fingerprint_id);
    if (known === undefined ? identities.has(answer.fingerprint_id) : known !== answer.fingerprint_id) {
      different.push({ day, device, user, matchedBy: answer.matched_by, verdict: answer.verdict });
    }
    identities.add(answer.fingerprint_id);
    count++;
  }
  console.log(
    `${count} visits of ${devices} devices: ${pairs.size} identities in the simulation, ${identities.size} in the service; ${different.length} visits differ.`,
  );
  for (const one of different.slice(0, 10)) console.log(JSON.stringify(one));
  if (different.length > 0) process.exitCode = 1;
} finally {
  await close();
  await rm(folder, { recursive: true });
}
