import { whorlPage } from 'whorl/page';

const whorl = whorlPage();
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

element('log-out').addEventListener('click', () => {
  show(undefined);
});

/** Shows the form, or who is logged in. */
function show(user) {
  entry.hidden = Boolean(user);
  element('log-out').hidden = !user;
  element('title').textContent = user ? `Hello, ${user}` : 'Shop';
  element('message').textContent = '';
}
