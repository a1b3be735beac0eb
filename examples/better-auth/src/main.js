import { passkeyClient } from '@better-auth/passkey/client';
import { createAuthClient } from 'better-auth/client';
import { whorlPage } from 'whorl/page';

const whorl = whorlPage({ routes: '/api/auth/whorl' });
const client = createAuthClient({ plugins: [passkeyClient()] });
const element = (id) => document.getElementById(id);
const entry = element('entry');
const challengeForm = element('challenge');

entry.addEventListener('submit', async (event) => {
  event.preventDefault();
  element('message').textContent = '';
  const fields = Object.fromEntries(new FormData(entry));
  const { ok, code, detail, body } = await whorl.submit(event.submitter.value, { ...fields, name: fields.email });
  const isWrong = code === 'INVALID_EMAIL_OR_PASSWORD';
  if (ok) show(body.user.email);
  else element('message').textContent = isWrong ? 'Wrong email address or password.' : detail;
});

whorl.subscribe((challenge) => {
  challengeForm.hidden = !challenge;
  // Without it, there is no code that can be entered.
  element('enter').hidden = !challenge?.sentTo;
  element('sent').textContent = challenge?.sentTo ? `Enter the code that was sent to ${challenge.sentTo}.` : '';
  if (challenge) element('message').textContent = challenge.error?.detail ?? '';
});

challengeForm.addEventListener('submit', (event) => {
  event.preventDefault();
  whorl.challenge?.verify(challengeForm.elements.code.value);
});
element('again').addEventListener('click', () => whorl.challenge?.send());

// better-auth's own client sends no fields of whorl, so that they are in a cookie.
element('passkey').addEventListener('click', async () => {
  const fields = encodeURIComponent(JSON.stringify(await whorl.collect()));
  // biome-ignore lint/suspicious/noDocumentCookie: Not all browsers have the Cookie Store API.
  document.cookie = `whorl=${fields}; path=/; max-age=300; samesite=lax; secure`;
  const { data, error } = await client.signIn.passkey();
  if (error) element('message').textContent = error.message;
  else show(data.user.email);
});

element('add').addEventListener('click', async () => {
  const { error } = await client.passkey.addPasskey();
  element('message').textContent = error ? error.message : 'The passkey was added.';
});

element('log-out').addEventListener('click', async () => {
  await fetch('/api/auth/sign-out', { method: 'POST' });
  show(undefined);
});

/** Shows the form, or who is logged in. */
function show(user) {
  entry.hidden = Boolean(user);
  element('passkey').hidden = Boolean(user);
  element('add').hidden = !user;
  element('log-out').hidden = !user;
  element('title').textContent = user ? `Hello, ${user}` : 'Shop';
  element('message').textContent = '';
}
