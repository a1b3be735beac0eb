import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { whorlPage } from 'whorl/page';

const whorl = whorlPage({ challengeWith: { passkey: (optionsJSON) => startAuthentication({ optionsJSON }) } });
const element = (id) => document.getElementById(id);
const entry = element('entry');
const challengeForm = element('challenge');

entry.addEventListener('submit', async (event) => {
  event.preventDefault();
  element('message').textContent = '';
  const { ok, detail, body } = await whorl.submit(event.submitter.value, new FormData(entry));
  if (ok) show(body.email);
  else element('message').textContent = detail;
});

whorl.subscribe((challenge) => {
  // Users with a passkey confirm with it, and get no code.
  challengeForm.hidden = !challenge || challenge.method !== undefined;
  element('prove').hidden = challenge?.method === undefined;
  element('prove').disabled = challenge?.isPending ?? false;
  element('sent').textContent = challenge?.sentTo ? `Enter the code that was sent to ${challenge.sentTo}.` : '';
  if (challenge) element('message').textContent = challenge.error?.detail ?? '';
});

challengeForm.addEventListener('submit', (event) => {
  event.preventDefault();
  whorl.challenge?.verify(challengeForm.elements.code.value);
});

element('prove').addEventListener('click', () => whorl.challenge?.prove());

element('add').addEventListener('click', async () => {
  try {
    const optionsJSON = await (await post('/passkey/options')).json();
    const { ok } = await post('/passkey', await startRegistration({ optionsJSON }));
    element('message').textContent = ok ? 'The passkey was added.' : 'That did not work. Try again.';
  } catch {
    element('message').textContent = 'No passkey was added.';
  }
});

element('log-out').addEventListener('click', async () => {
  await post('/log-out');
  show(undefined);
});

function post(path, body = {}) {
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Shows the form, or who is logged in. */
function show(user) {
  entry.hidden = Boolean(user);
  element('add').hidden = !user;
  element('log-out').hidden = !user;
  element('title').textContent = user ? `Hello, ${user}` : 'Shop';
  element('message').textContent = '';
}
