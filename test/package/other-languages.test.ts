import { execFile, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../service/test/support/fingerprints.js';
import { malformedFields } from '../../service/test/support/malformed-fields.js';
import { type DemoServer, newestCode, startDemo } from '../browser/support/demo.js';
import { readRepositoryFile } from './installed.js';
import { sample } from './samples.js';

const execute = promisify(execFile);
const page = 'docs/other-languages.md';

interface Language {
  /** Programs that run it, the preferred one first. */
  readonly programs: readonly string[];
  readonly version: string;
  /** The sample, or the file of the examples, that verifies. */
  readonly code: () => string;
  readonly files: (code: string) => Readonly<Record<string, string>>;
  /** Arguments of the program before those of the sample. */
  readonly run: readonly string[];
}

type Verifier = Omit<Language, 'programs' | 'version'>;

/** Each prints for each webhook whether it is valid. Arguments of each: body, ID, timestamp, signature, secrets. */
const webhooks: Readonly<Record<string, Language>> = {
  Python: {
    programs: ['/usr/bin/python3', 'python3'],
    version: '--version',
    code: () => sample(`${page}, Python, 1`).code,
    files: (code) => ({
      'main.py': `${code}
import sys
for at in range(1, len(sys.argv), 5):
    body, *values, secrets = sys.argv[at:at + 5]
    headers = dict(zip(["webhook-id", "webhook-timestamp", "webhook-signature"], values))
    print(str(verify_webhook(body.encode(), headers, secrets.split(","))).lower())
`,
    }),
    run: ['main.py'],
  },
  PHP: {
    programs: ['php'],
    version: '--version',
    code: () => readRepositoryFile('examples/webhooks/verify_webhook.php'),
    files: (code) => ({
      'main.php': `${code}
foreach (array_chunk(array_slice($argv, 1), 5) as [$body, $id, $timestamp, $signature, $secrets]) {
    $headers = ['webhook-id' => $id, 'webhook-timestamp' => $timestamp, 'webhook-signature' => $signature];
    echo json_encode(verify_webhook($body, $headers, explode(',', $secrets))), "\\n";
}
`,
    }),
    run: ['main.php'],
  },
  Go: {
    programs: ['go'],
    version: 'version',
    code: () => readRepositoryFile('examples/webhooks/verify_webhook.go'),
    files: (code) => ({
      'verify.go': code.replace('package whorl', 'package main'),
      'main.go': `package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"
)

func main() {
	for given := os.Args[1:]; len(given) > 0; given = given[5:] {
		headers := http.Header{}
		for index, name := range []string{"id", "timestamp", "signature"} {
			headers.Set("webhook-"+name, given[index+1])
		}
		fmt.Println(VerifyWebhook([]byte(given[0]), headers, strings.Split(given[4], ",")))
	}
}
`,
    }),
    run: ['run', 'verify.go', 'main.go'],
  },
  Ruby: {
    programs: ['ruby'],
    version: '--version',
    code: () => readRepositoryFile('examples/webhooks/verify_webhook.rb'),
    files: (code) => ({
      'main.rb': `${code}
ARGV.each_slice(5) do |body, *values, secrets|
  headers = %w[webhook-id webhook-timestamp webhook-signature].zip(values).to_h
  puts verify_webhook(body, headers, secrets.split(','))
end
`,
    }),
    run: ['main.rb'],
  },
  Java: {
    programs: ['java'],
    version: '-version',
    code: () => readRepositoryFile('examples/webhooks/WebhookVerifier.java'),
    files: (code) => ({
      'Main.java': code.replace(
        'class WebhookVerifier',
        `class Main {
  public static void main(String[] given) throws GeneralSecurityException {
    for (int at = 0; at < given.length; at += 5) {
      Map<String, String> headers = Map.of(
          "webhook-id", given[at + 1], "webhook-timestamp", given[at + 2], "webhook-signature", given[at + 3]);
      byte[] body = given[at].getBytes(StandardCharsets.UTF_8);
      System.out.println(WebhookVerifier.verify(body, headers, List.of(given[at + 4].split(","))));
    }
  }
}

class WebhookVerifier`,
      ),
    }),
    run: ['Main.java'],
  },
};

/** Each prints the user of a valid token. Arguments: token, address of the keys, issuer, project. */
const tokens: Readonly<Record<string, Verifier>> = {
  Python: {
    code: () => sample(`${page}, Python, with PyJWT, 1`).code,
    files: (code) => ({
      'main.py': `${code}
import sys
token, keys, issuer, project = sys.argv[1:]
try:
    print(verify_token(token, jwt.PyJWKClient(keys), issuer, project)["user"])
except jwt.PyJWTError:
    print("not valid")
`,
    }),
    run: ['main.py'],
  },
  PHP: {
    code: () => readRepositoryFile('examples/script-tag-php/verify-token.php'),
    files: (code) => ({
      'main.php': `${code}
$keys = json_decode(file_get_contents($argv[2]), true);
echo verify_token($argv[1], $keys, $argv[3], $argv[4])['user'] ?? 'not valid';
`,
    }),
    run: ['main.php'],
  },
};

/** Returns the program that runs a language, or undefined if none is installed. `node scripts/setup-languages.mjs` does. */
function programOf(name: string): string | undefined {
  const { programs, version } = webhooks[name] ?? { programs: [], version: '' };
  return programs.find((program) => spawnSync(program, [version]).status === 0);
}

const folder = mkdtempSync(join(tmpdir(), 'whorl-languages-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the files of a sample, and returns a function that runs them and returns the output. */
function prepare(name: string, { code, files, run }: Verifier) {
  const own = mkdtempSync(join(folder, `${name}-`));
  for (const [file, content] of Object.entries(files(code()))) writeFileSync(join(own, file), content);
  const env = { ...process.env, GOCACHE: join(folder, 'go'), GO111MODULE: 'off' };
  return async (...args: string[]) => {
    const { stdout } = await execute(programOf(name) ?? name, [...run, ...args], { cwd: own, env, timeout: 120_000 });
    return stdout.trim();
  };
}

describe('the signature of a webhook', () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
  const other = `whsec_${Buffer.from('another secret of 32 characters!').toString('base64')}`;
  const body = '{"type":"device.detached","data":{"name":"Zoë"}}';
  const now = Math.floor(Date.now() / 1000);
  const sign = (timestamp: number) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`message-1.${timestamp}.${body}`).digest('base64')}`;
  };

  for (const [name, language] of Object.entries(webhooks)) {
    test.skipIf(!programOf(name))(`is checked in ${name}`, async () => {
      const webhook = (timestamp: number, text: string, ...secrets: string[]) => [
        ...[text, 'message-1', String(timestamp), `v1,AAAA ${sign(timestamp)}`],
        secrets.join(','),
      ];
      const given = [
        webhook(now, body, secret),
        webhook(now, body, other, secret),
        webhook(now, body, other),
        webhook(now, `${body} `, secret),
        webhook(now - 600, body, secret),
        [body, 'message-1', 'soon', sign(now), secret],
        [body, 'message-1', '9'.repeat(5000), sign(now), secret],
        [body, 'message-1', String(now), 'v1,Zoë', secret],
        [body, '', '', '', secret],
      ];
      const printed = await prepare(name, language)(...given.flat());
      expect(printed.split('\n')).toEqual(['true', 'true', ...Array(7).fill('false')]);
    });
  }
});

describe('with the service', () => {
  const fingerprint = fingerprintOf({ seed: 'curl' });
  let demo: DemoServer;
  let project: Awaited<ReturnType<DemoServer['project']>>;
  beforeAll(async () => {
    demo = await startDemo({ WHORL_DEMO_ORIGINS: 'https://shop.example' });
    project = await demo.project();
  });
  afterAll(() => demo?.close());

  /** Runs samples of the page, by their numbers, in one shell. Returns the lines that they print. */
  async function shell(numbers: readonly number[], more: NodeJS.ProcessEnv = {}): Promise<string[]> {
    const script = numbers.map((number) => sample(`${page}, A login with curl, ${number}`).code).join('\n');
    const env = {
      WHORL_URL: demo.serviceUrl,
      WHORL_API_SECRET: project.secret,
      BODY: JSON.stringify({ fingerprint, version: '0.1.0' }),
    };
    const { stdout } = await execute('/bin/sh', ['-e', '-c', script], { env: { ...process.env, ...env, ...more } });
    return stdout.trim().split('\n');
  }

  const hasTools = ['curl', 'jq', 'openssl'].every((program) => !spawnSync(program, ['--version']).error);
  test.skipIf(!hasTools)('curl makes a login on a new device, with a code', async () => {
    const [nonce, failed, first] = await shell([1, 2, 3, 4]);
    expect(nonce).toMatch(/^\S{20,}$/);
    expect(JSON.parse(failed ?? '')).toEqual([expect.any(String), expect.arrayContaining(['new_device'])]);
    const [verdict, CHALLENGE] = JSON.parse(first ?? '');
    expect(verdict).toBe('challenge');
    expect(await shell([1, 5], { CHALLENGE })).toEqual(['a***@e******.com']);
    const CODE = await newestCode(demo, 'ann@example.com');
    expect(await shell([1, 6], { CHALLENGE, CODE })).toEqual(['true', 'true']);
    expect(await shell([1, 4])).toEqual(['["allow",null]']);
  });

  test.skipIf(!hasTools).each(Object.entries(malformedFields))(
    'curl reports a wrong password: %s',
    async (_, fields) => {
      const [failed = ''] = await shell([1, 3], { BODY: JSON.stringify(fields) });
      expect(JSON.parse(failed)).toEqual([expect.any(String), expect.any(Array)]);
    },
  );

  for (const [name, language] of Object.entries(tokens)) {
    test.skipIf(!programOf(name))(`a token is checked in ${name}`, async () => {
      const response = await fetch(`${demo.serviceUrl}/v2/device/evaluate`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${project.publishable}`,
          'Content-Type': 'application/json',
          Origin: 'https://shop.example',
        },
        body: JSON.stringify({ action: 'login', user: 'token-user', fingerprint }),
      });
      const { token } = await response.json();
      const { iss = '', aud } = decodeJwt(token);
      const verify = prepare(name, language);
      const check = (given: string, issuer = iss, audience = String(aud)) =>
        verify(given, `${demo.serviceUrl}/.well-known/jwks.json`, issuer, audience);
      expect(await check(token)).toBe('token-user');
      const [head, , signature] = token.split('.');
      const claims = { ...decodeJwt(token), user: 'another' };
      const forged = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
      expect(await check(forged)).toBe('not valid');
      expect(await check(token, 'https://another.example')).toBe('not valid');
      expect(await check(token, iss, 'another project')).toBe('not valid');
      const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
      expect(await check(`${unsigned}.${token.split('.')[1]}.`)).toBe('not valid');
    });
  }
});
