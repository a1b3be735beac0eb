const find = (selector) => document.querySelector(selector);
const status = find('#status');

/** Shows where the visitor stands, and makes the forms work. */
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
  const { logIn } = await ask('GET', 'session');
  show(logIn);
}

/** The server flow: what `collect` read goes along, and the server asks the service. */
async function enterByServer(whorl, credentials, path) {
  const { nonce } = await ask('POST', 'nonce', {});
  return post(path, { ...credentials, ...(await whorl.collect({ nonce })) });
}

/** The browser flow: the page asks the service. Key and address come from the tag's data- attributes. */
async function enterByBrowser(whorl, credentials) {
  const { user } = await post('password', credentials);
  const { token } = await whorl.evaluate({
    action: 'login',
    user,
    onChallenge: () => {
      status.textContent = 'A code will be needed…';
    },
  });
  return post('token', { token });
}

/** Does something, and shows where that leads or why it did not. */
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
  // Whoever does not see the page hears that it goes on elsewhere.
  if (focus && isNew) find(`#${section}-title`).focus();
}

function showChallenge({ reasons, sent }) {
  find('#challenge-reasons').textContent = `The password is right, but this was noticed: ${reasons.join(', ')}.`;
  find('#send').textContent = sent ? 'Send a new code' : 'Send a code';
  if (sent) status.textContent = `A code was sent to ${sent.to}.`;
}

function showInside({ email, rights, byCode, verdict, reasons }) {
  const noticed = reasons.length ? `Noticed: ${reasons.join(', ')}.` : 'Nothing unusual was noticed.';
  const trusted = byCode ? 'The code was right, and this device is trusted now.' : '';
  const allowed = rights === 'few' ? 'You are let in with less allowed.' : '';
  find('#signed-in-how').textContent = [`${email}: ${verdict}.`, noticed, trusted, allowed].filter(Boolean).join(' ');
  ask('GET', 'devices').then(({ devices }) => showDevices(devices));
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

/** Answers where the visitor stands then: out, where it was this device. */
async function signOut(device) {
  const { logIn } = await ask('POST', 'devices/sign-out', { device });
  return logIn ?? (await ask('GET', 'session')).logIn;
}

async function post(path, fields = {}) {
  return (await ask('POST', path, fields)).logIn;
}

async function ask(method, path, fields) {
  const body = fields && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(fields) };
  const response = await fetch(`/api/${path}`, { method, ...body });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.message), answer);
  return answer;
}
