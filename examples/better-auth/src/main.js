import { whorlPage } from 'whorl/page';

const whorl = whorlPage({ routes: '/api/auth/whorl' });
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

element('log-out').addEventListener('click', async () => {
  await fetch('/api/auth/sign-out', { method: 'POST' });
  show(undefined);
});

/** Shows the form, or who is logged in. */
function show(user) {
  entry.hidden = Boolean(user);
  element('log-out').hidden = !user;
  element('title').textContent = user ? `Hello, ${user}` : 'Shop';
  element('message').textContent = '';
}
