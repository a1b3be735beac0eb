const find = (selector) => document.querySelector(selector);
const status = find('#status');

/** Shows the visitor's state and connects the forms. */
export async function startLogin(whorl) {
  find('#entry').addEventListener('submit', (event) => {
    event.preventDefault();
    const { email, password, flow } = Object.fromEntries(new FormData(event.target));
    const path = event.submitter.value;
    const enter = path === 'log-in' && flow === 'browser' ? enterByBrowser : enterByServer;
    act(() => enter(whorl, { email, password }, path));
  });
  find('#code-form').addEventListener('submit', (event) => {
    event.preventDefault();
    act(() => post('challenge/verify', { code: find('#code').value }));
  });
  find('#send').addEventListener('click', () => act(() => post('challenge/send')));
  for (const button of document.querySelectorAll('.log-out')) {
    button.addEventListener('click', () => act(() => post('log-out')));
  }
  const { logIn } = await sendRequest('GET', 'session');
  show(logIn);
}

/** Runs the server flow: sends the result of `collect`, and the server asks the service. */
async function enterByServer(whorl, credentials, path) {
  const { nonce } = await sendRequest('POST', 'nonce', {});
  return post(path, { ...credentials, ...(await whorl.collect({ nonce })) });
}

/** Runs the browser flow: the page asks the service. The tag's data- attributes give the key and the URL. */
async function enterByBrowser(whorl, credentials) {
  // The server reports a wrong password with what `collect` returned.
  const { user } = await post('password', { ...credentials, ...(await whorl.collect()) });
  const onChallenge = () => {
    status.textContent = 'A code is needed…';
  };
  const { token } = await whorl.evaluate({ action: 'login', user, onChallenge }).catch(explain);
  return post('token', { token });
}

/** Throws an error of `evaluate` again, in words for the visitor. */
function explain(error) {
  const { code, status = 0 } = error;
  const isUnreachable = code === 'network' || code === 'timeout' || status >= 500;
  throw isUnreachable
    ? new Error('The service that evaluates logins is unreachable, so you cannot log in now. Try again in a moment.')
    : error;
}

/** Runs a step, and shows its result or its error. */
async function act(step) {
  const problem = find('#problem');
  problem.hidden = true;
  status.textContent = 'One moment…';
  try {
    const logIn = await step();
    status.textContent = '';
    show(logIn, { focus: true });
  } catch (error) {
    status.textContent = '';
    problem.textContent = [error.message, ...(error.reasons ?? [])].join(' ');
    problem.hidden = false;
    if (error.code === 'not_there') show({ step: 'signed_out' });
  }
}

function show(logIn, { focus = false } = {}) {
  const step = logIn.step === 'evaluate' ? 'signed_out' : logIn.step;
  const section = step.replace('_', '-');
  const isNew = find(`#${section}`).hidden;
  for (const id of ['signed-out', 'challenge', 'signed-in']) find(`#${id}`).hidden = id !== section;
  if (step === 'challenge') showChallenge(logIn);
  if (step === 'signed_in') showInside(logIn);
  // Moves the focus, so that screen readers announce the new section.
  if (focus && isNew) find(`#${section}-title`).focus();
}

function showChallenge({ reasons, sent }) {
  find('#challenge-reasons').textContent =
    `The password is correct, but a code is needed. Reasons: ${reasons.join(', ')}.`;
  find('#send').textContent = sent ? 'Send a new code' : 'Send a code';
  if (sent) status.textContent = `A code was sent to ${sent.to}.`;
}

function showInside({ email, rights, byCode, verdict, reasons }) {
  const noticed = reasons.length ? `Reasons: ${reasons.join(', ')}.` : 'Nothing unusual.';
  const trusted = byCode ? 'The code was correct, and this device is now trusted.' : '';
  const allowed = rights === 'few' ? 'Some actions are not available.' : '';
  find('#signed-in-how').textContent = [`${email}: ${verdict}.`, noticed, trusted, allowed].filter(Boolean).join(' ');
  sendRequest('GET', 'devices').then(({ devices }) => showDevices(devices));
}

function showDevices(devices) {
  const items = devices.map(({ id, label, isThis, trusted, proven }) => {
    const item = document.createElement('li');
    const name = document.createElement('span');
    name.textContent = [label, isThis && 'this device', trusted && 'trusted', proven && 'holds a key']
      .filter(Boolean)
      .join(', ');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Sign out';
    button.setAttribute('aria-label', `Sign out ${label}`);
    button.addEventListener('click', () => act(() => signOut(id)));
    item.append(name, button);
    return item;
  });
  find('#devices').replaceChildren(...items);
}

/** Signs a device out and returns the visitor's new state: logged out if it was this device. */
async function signOut(device) {
  const { logIn } = await sendRequest('POST', 'devices/sign-out', { device });
  return logIn ?? (await sendRequest('GET', 'session')).logIn;
}

async function post(path, fields = {}) {
  return (await sendRequest('POST', path, fields)).logIn;
}

async function sendRequest(method, path, fields) {
  const body = fields && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(fields) };
  const response = await fetch(`/api/${path}`, { method, ...body });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.message), answer);
  return answer;
}
