import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/server/config.js';

const secret = 'thirty-two bytes or more of chance';
const postgresql = { DATABASE_URL: 'postgresql://whorl:pass@db/whorl', WHORL_SECRET: secret };

describe('the configuration', () => {
  test('has a default for every variable', () => {
    expect(readConfig({})).toEqual({
      database: { kind: 'embedded', folder: './data' },
      dataFolder: './data',
      host: '127.0.0.1',
      port: 4200,
      shutdownDelayMs: 0,
      publicUrl: 'http://localhost:4200',
      trustedProxies: [],
      logLevel: 'info',
      allowPrivateWebhooks: false,
      previousSecretLeaked: false,
      workers: true,
      addressFiles: { databases: [], lists: [] },
      signIn: { localPasswords: true },
    });
  });

  test('reads "none" as no trusted proxies', () => {
    expect(readConfig({ TRUSTED_PROXIES: 'none' })).toEqual(readConfig({}));
  });

  test('treats an empty variable as absent', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', SMTP_URL: '' })).toEqual(readConfig({}));
  });

  test('reads all variables', () => {
    const config = readConfig({
      ...postgresql,
      DATABASE_POOL_SIZE: '20',
      DATABASE_POOLER: 'true',
      DATABASE_DIRECT_URL: 'postgresql://whorl:pass@primary/whorl',
      DATABASE_REPLICA_URL: 'postgresql://whorl:pass@standby/whorl',
      DATABASE_REPLICA_MAX_LAG_SECONDS: '30',
      PORT: '80',
      SHUTDOWN_DELAY_SECONDS: '5',
      PUBLIC_URL: 'https://fraud.shop.example//',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1,',
      WHORL_SECRET_PREVIOUS: `${secret} before`,
      WHORL_SECRET_PREVIOUS_LEAKED: 'true',
      SMTP_URL: 'smtps://user:pass@mail.example',
      MAIL_FROM: 'Shop <no-reply@shop.example>',
      TEXT_URL: 'https://text.example/send',
      TEXT_TOKEN: 'token',
      WORKERS: 'false',
      ADDRESS_DATABASES: '/var/lib/GeoLite2-City.mmdb, asn.mmdb',
      ADDRESS_LISTS: 'tor=/etc/whorl/tor.txt, vpn = vpn=1.txt,',
      ADDRESS_SOURCES: '/etc/whorl/addresses.json',
    });
    expect(config).toMatchObject({
      database: {
        kind: 'postgresql',
        url: postgresql.DATABASE_URL,
        poolSize: 20,
        pooler: true,
        replica: { url: 'postgresql://whorl:pass@standby/whorl', maxLagMs: 30_000 },
        directUrl: 'postgresql://whorl:pass@primary/whorl',
      },
      port: 80,
      shutdownDelayMs: 5000,
      publicUrl: 'https://fraud.shop.example',
      trustedProxies: ['10.0.0.0/8', '::1'],
      secret,
      previousSecret: `${secret} before`,
      previousSecretLeaked: true,
      mail: { url: 'smtps://user:pass@mail.example', from: 'Shop <no-reply@shop.example>' },
      text: { kind: 'http', url: 'https://text.example/send', token: 'token' },
      workers: false,
      addressFiles: {
        databases: ['/var/lib/GeoLite2-City.mmdb', 'asn.mmdb'],
        lists: [
          { kind: 'tor', path: '/etc/whorl/tor.txt' },
          { kind: 'vpn', path: 'vpn=1.txt' },
        ],
      },
      addressSources: '/etc/whorl/addresses.json',
    });
    expect(readConfig({ ADDRESS_DATABASES: 'none' }).addressFiles.databases).toBe('none');
  });

  test.each(['/etc/whorl/tor.txt', 'onion=/etc/whorl/tor.txt', 'tor=', 'constructor=x'])(
    'refuses the list of addresses %s',
    (list) => {
      expect(() => readConfig({ ADDRESS_LISTS: list })).toThrow(
        'ADDRESS_LISTS must be kinds with files, separated by commas, such as tor=/etc/whorl/tor.txt; the kinds are tor, relay, vpn, proxy, hosting, mobile.',
      );
    },
  );

  test.each([
    ['true', true],
    ['false', false],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ])('reads ALLOW_PRIVATE_WEBHOOKS %s', (text, expected) => {
    expect(readConfig({ ALLOW_PRIVATE_WEBHOOKS: text }).allowPrivateWebhooks).toEqual(expected);
  });

  test.each([
    [{ ALLOW_PRIVATE_WEBHOOKS: 'yes' }, 'ALLOW_PRIVATE_WEBHOOKS must be true, false, or addresses and ranges'],
    [{ PORT: 'x' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ DATABASE_URL: 'mysql://db', WHORL_SECRET: secret }, 'DATABASE_URL must be an address that begins with'],
    [{ DATABASE_URL: postgresql.DATABASE_URL }, 'WHORL_SECRET must be set with DATABASE_URL'],
    [{ DATABASE_REPLICA_URL: 'postgresql://standby/whorl' }, 'DATABASE_REPLICA_URL needs DATABASE_URL'],
    [{ DATABASE_POOLER: 'true' }, 'DATABASE_POOLER needs DATABASE_URL'],
    [{ DATABASE_DIRECT_URL: 'postgresql://db/whorl' }, 'DATABASE_DIRECT_URL needs DATABASE_URL'],
    [{ ...postgresql, DATABASE_REPLICA_URL: postgresql.DATABASE_URL }, 'DATABASE_REPLICA_URL must differ'],
    [{ ...postgresql, DATABASE_REPLICA_URL: 'http://standby' }, 'DATABASE_REPLICA_URL must be an address'],
    [
      { DATABASE_REPLICA_MAX_LAG_SECONDS: '0' },
      'DATABASE_REPLICA_MAX_LAG_SECONDS must be a whole number from 1 to 300',
    ],
    [{ WHORL_SECRET: 'short' }, 'WHORL_SECRET must have at least 32 bytes'],
    [{ WHORL_SECRET: secret, WHORL_SECRET_PREVIOUS: secret }, 'WHORL_SECRET_PREVIOUS must differ from WHORL_SECRET'],
    [{ TRUSTED_PROXIES: '10.0.0.0/8,proxy' }, 'TRUSTED_PROXIES must be none, or addresses and ranges'],
    [{ TRUSTED_PROXIES: '10.0.0.0/64' }, 'TRUSTED_PROXIES must be none, or addresses and ranges'],
    [{ TRUSTED_PROXIES: '1.2.3' }, 'TRUSTED_PROXIES must be none, or addresses and ranges'],
    [{ TRUSTED_PROXIES: 'none,::1' }, 'TRUSTED_PROXIES must be none, or addresses and ranges'],
    [{ WORKERS: 'yes' }, 'WORKERS must be true or false.'],
    [{ PUBLIC_URL: 'https://shop.example/?shop=1' }, 'PUBLIC_URL must have no query and no fragment'],
    [{ PUBLIC_URL: 'https://shop.example/#fraud' }, 'PUBLIC_URL must have no query and no fragment'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
    [{ SMTP_URL: 'smtp://mail.example' }, 'MAIL_FROM must be set together with SMTP_URL.'],
    [{ TWILIO_FROM: '+1' }, 'TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN must be set together with TWILIO_FROM.'],
  ])('explains the error in %j', (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(sentence);
  });

  test('reports all errors at once, without values', () => {
    const environment = { PORT: 'wrong-port', PUBLIC_URL: 'wrong-url', WHORL_SECRET: 'wrong-secret' };
    const read = () => readConfig(environment);
    expect(read).toThrow(/PORT .*PUBLIC_URL .*WHORL_SECRET /);
    expect(read).not.toThrow(/wrong-/);
  });

  test('accepts only one provider of text messages', () => {
    const twilio = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 't', TWILIO_FROM: '+15005550006' };
    expect(readConfig(twilio).text).toEqual({
      kind: 'twilio',
      accountSid: 'AC1',
      authToken: 't',
      from: '+15005550006',
    });
    const both = { ...twilio, TEXT_URL: 'https://text.example', TEXT_TOKEN: 't' };
    expect(() => readConfig(both)).toThrow('Only one of TWILIO_… and TEXT_… can be set.');
  });
});
