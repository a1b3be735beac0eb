import { whorlPage } from 'whorl/page';

const whorl = whorlPage();
const element = (id) => document.getElementById(id);
const entry = element('entry');
const challengeForm = element('challenge');

/** By the `code` of a refused sign-in. */
const sentences = {
  credentials: 'Wrong email address or password.',
  address_taken: 'There is an account with this address.',
  denied: 'This sign-in was refused.',
  unavailable: 'This cannot be checked at the moment. Try again soon.',
};

entry.addEventListener('submit', async (event) => {
  event.preventDefault();
  element('message').textContent = '';
  const { ok, detail } = await whorl.submit(signIn, new FormData(entry, event.submitter));
  if (ok) await showUser();
  else element('message').textContent = detail;
});

/** Signs in with the password. Auth.js answers with the page to go to. */
async function signIn(fields) {
  const url = await post('/auth/callback/credentials', fields);
  const { error, code } = Object.fromEntries(new URL(url).searchParams);
  return { status: error || code ? 403 : 200, body: { code, detail: sentences[code] } };
}

/** Sends fields to Auth.js, and returns the URL of the page to go to. */
async function post(path, fields) {
  const { csrfToken } = await (await fetch('/auth/csrf')).json();
  const headers = { 'content-type': 'application/json', 'x-auth-return-redirect': '1' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ ...fields, csrfToken }) });
  return (await response.json()).url;
}

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

element('log-out').addEventListener('click', async () => {
  await post('/auth/signout', {});
  await showUser();
});

/** Shows the form, or who is logged in. */
async function showUser() {
  const session = await (await fetch('/auth/session')).json();
  const user = session?.user?.email;
  entry.hidden = Boolean(user);
  element('log-out').hidden = !user;
  element('title').textContent = user ? `Hello, ${user}` : 'Shop';
  element('message').textContent = '';
}

showUser();
