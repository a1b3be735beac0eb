import { describe, expect, onTestFinished, test } from 'vitest';
import { createSender } from '../../../src/ground/messages/sender.js';
import { failureOf } from './failure.js';
import { closedPort, startSilentServer } from './http.js';
import { mailServer, message, personal, senderTo } from './mail-harness.js';

describe('failed email delivery', () => {
  const refusal = (responseCode: number) =>
    Object.assign(new Error('No mailbox jane.doe@example.com here, code 012345'), { responseCode });

  test('is reported when no mail server is configured', async () => {
    const failure = await failureOf(createSender({}).sendCode(message), personal);
    expect(failure).toEqual({ channel: 'email', failure: 'not_configured', providerCode: undefined });
  });

  test('is reported when the server is down', async () => {
    const failure = await failureOf(senderTo(`smtp://127.0.0.1:${closedPort}`).sendCode(message), personal);
    expect(failure).toEqual({ channel: 'email', failure: 'unreachable', providerCode: 'ESOCKET' });
  });

  test('is reported when the server does not greet', async () => {
    const server = await startSilentServer();
    onTestFinished(server.close);
    const failure = await failureOf(senderTo(`smtp://127.0.0.1:${server.port}`, 300).sendCode(message), personal);
    expect(failure).toMatchObject({ channel: 'email', failure: 'timeout' });
  });

  test('is reported when the server never finishes its response', async () => {
    const server = await startSilentServer((socket) => {
      socket.write('220 mail.example ready\r\n');
      const talking = setInterval(() => socket.write('250-AND-ANOTHER\r\n'), 50);
      socket.on('close', () => clearInterval(talking));
    });
    onTestFinished(server.close);
    const failure = await failureOf(senderTo(`smtp://127.0.0.1:${server.port}`, 300).sendCode(message), personal);
    expect(failure).toMatchObject({ channel: 'email', failure: 'timeout' });
  });

  test('is reported when the server never accepts the mail', async () => {
    const server = await mailServer({ onData: (stream) => stream.resume() });
    const failure = await failureOf(senderTo(`smtp://127.0.0.1:${server.port}`, 300).sendCode(message), personal);
    expect(failure).toMatchObject({ channel: 'email', failure: 'timeout' });
  });

  test('is reported when all connections are busy for too long', async () => {
    const server = await mailServer({ onData: (stream) => stream.resume() });
    const sender = senderTo(`smtp://127.0.0.1:${server.port}?maxConnections=1`, 300);
    const failures = await Promise.all([1, 2, 3].map(() => failureOf(sender.sendCode(message), personal)));
    expect(failures.map(({ failure }) => failure)).toEqual(['timeout', 'timeout', 'timeout']);
  });

  test.each([
    ['refuses the recipient', 550, 'recipient'],
    ['puts the recipient off', 451, 'busy'],
  ])('is reported when the server %s', async (_, code, failure) => {
    const server = await mailServer({ onRcptTo: (_address, _session, done) => done(refusal(code)) });
    const sending = senderTo(`smtp://127.0.0.1:${server.port}`).sendCode(message);
    expect(await failureOf(sending, personal)).toEqual({ channel: 'email', failure, providerCode: code });
  });

  test.each([
    ['refuses the mail', 554, 'refused'],
    ['has no room for it', 452, 'busy'],
  ])('is reported when the server %s', async (_, code, failure) => {
    const server = await mailServer({
      onData(stream, _session, done) {
        stream.resume();
        stream.on('end', () => done(refusal(code)));
      },
    });
    const sending = senderTo(`smtp://127.0.0.1:${server.port}`).sendCode(message);
    expect(await failureOf(sending, personal)).toEqual({ channel: 'email', failure, providerCode: code });
  });

  test('is reported when the server rejects the credentials', async () => {
    const server = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(refusal(535)),
    });
    const sending = senderTo(`smtp://user:secret@127.0.0.1:${server.port}`).sendCode(message);
    expect(await failureOf(sending, [...personal, 'secret'])).toEqual({
      channel: 'email',
      failure: 'credentials',
      providerCode: 535,
    });
  });

  test('does not affect the next email', async () => {
    let isRefusing = true;
    const server = await mailServer({
      onRcptTo: (_address, _session, done) => (isRefusing ? done(refusal(550)) : done()),
    });
    const sender = senderTo(`smtp://127.0.0.1:${server.port}`);
    await failureOf(sender.sendCode(message), personal);
    isRefusing = false;
    await sender.sendCode(message);
    expect(server.received).toHaveLength(1);
  });
});
