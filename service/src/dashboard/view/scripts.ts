/**
 * Script that draws each chart from the data in its element, in the colours of the style sheet, and collapses the table
 * with the same figures. If Chart.js did not load, the tables stay open.
 */
export const chartsScript = `'use strict';
const drawn = [];
const probe = document.createElement('span');
probe.hidden = true;
document.body.append(probe);
const colourOf = (name) => {
  probe.style.color = 'var(--' + name + ')';
  return getComputedStyle(probe).color;
};
const axis = (more) => ({ stacked: true, ticks: { color: colourOf('quiet'), ...more }, grid: { color: colourOf('line') } });
const draw = (canvas) => {
  const { labels, series } = JSON.parse(canvas.dataset.chart);
  const datasets = series.map(({ label, colour, counts }) => ({
    label,
    data: counts,
    backgroundColor: colourOf(colour),
    borderColor: colourOf('panel'),
    borderWidth: { top: 1 },
    maxBarThickness: 40,
  }));
  return new Chart(canvas, {
    type: 'bar',
    data: { labels, datasets },
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: 'index' },
      scales: {
        x: axis({ maxRotation: 0, autoSkip: true, autoSkipPadding: 12 }),
        y: { ...axis({ precision: 0, maxTicksLimit: 6 }), beginAtZero: true },
      },
      plugins: {
        legend: { position: 'bottom', labels: { color: colourOf('text'), boxWidth: 12, boxHeight: 12 } },
        tooltip: { filter: ({ raw }) => raw > 0 },
      },
    },
  });
};
const drawAll = () => {
  for (const chart of drawn.splice(0)) chart.destroy();
  for (const canvas of document.querySelectorAll('canvas[data-chart]')) drawn.push(draw(canvas));
};
if (typeof Chart === 'function') {
  for (const figure of document.querySelectorAll('.figures')) {
    figure.querySelector('.chart').hidden = false;
    figure.querySelector('details').open = false;
  }
  drawAll();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
}
`;

/**
 * Shows the times of tables and lists as "5 minutes ago", up to 30 days from now, and keeps them up to date. The title has
 * the exact time. Sentences and older times keep the exact time.
 */
export const relativeTimesScript = `'use strict';
const units = [['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]];
// Not "yesterday", which may be two days ago in the calendar.
const format = new Intl.RelativeTimeFormat('en-GB');
const now = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' }).format(0, 'second');
const times = [...document.querySelectorAll('td > time, dd > time')].map((time) => [time, time.textContent]);
const show = () => {
  for (const [time, exact] of times) {
    const seconds = (Date.parse(time.dateTime) - Date.now()) / 1000;
    const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
    const isNear = Math.abs(seconds) < 30 * 86400;
    const count = Math.trunc(seconds / length);
    time.textContent = !isNear ? exact : count === 0 ? now : format.format(count, unit);
  }
};
show();
setInterval(show, 30000);
`;

/** Adds a copy button to each field with a secret if the browser supports it. */
export const copyButtonScript = `
for (const field of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) break;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  const status = document.createElement('span');
  status.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      status.textContent = 'Copied';
    } catch {
      status.textContent = 'Could not copy. The text is selected: press Ctrl+C or ⌘C.';
    }
  });
  field.after(button, status);
}
`;

/**
 * Asks every 2 seconds whether the first evaluation has arrived, while the page is visible and for at most an hour, and
 * then reloads the page.
 */
export const waitScript = `'use strict';
const waiting = document.querySelector('[data-waiting]');
let asked = 0;
const ask = async () => {
  asked += 1;
  if (!document.hidden) {
    const response = await fetch(waiting.dataset.waiting).catch(() => undefined);
    const arrivals = await response?.json().catch(() => undefined);
    if (arrivals?.evaluation) {
      waiting.textContent = 'Your first evaluation has arrived.';
      location.reload();
      return;
    }
  }
  if (asked < 1800) setTimeout(ask, 2000);
};
if (waiting) setTimeout(ask, 2000);
`;

/**
 * Presses the button or link with a key, or focuses the field with it, unless somebody types a text. Can be switched off, which
 * the browser remembers: speech input would press keys by accident (WCAG 2.1.4).
 */
export const keysScript = `'use strict';
const stored = 'whorl-shortcuts';
const remember = (value) => {
  try {
    if (value === undefined) return localStorage.getItem(stored);
    localStorage.setItem(stored, value);
  } catch {}
};
const press = (box) => (event) => {
  const { key, target, repeat, ctrlKey, metaKey, altKey } = event;
  const isText = target.matches('textarea, select, input:not([type=checkbox])');
  if (isText && key === 'Escape') target.blur();
  if (isText || !box.checked || repeat || ctrlKey || metaKey || altKey) return;
  const pressed = document.querySelector('[data-key="' + CSS.escape(key.toLowerCase()) + '"]');
  if (!pressed) return;
  event.preventDefault();
  if (pressed.matches('textarea')) pressed.focus();
  else pressed.click();
};
for (const box of document.querySelectorAll('[data-shortcuts]')) {
  box.closest('[hidden]').hidden = false;
  box.checked = remember() !== 'off';
  box.addEventListener('change', () => remember(box.checked ? 'on' : 'off'));
  addEventListener('keydown', press(box));
}
`;

/** Shows each passkey form if the browser supports passkeys, and submits it with the browser's answer. */
export const passkeysScript = `
const { browserSupportsWebAuthn, startAuthentication, startRegistration } = SimpleWebAuthnBrowser;
for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!browserSupportsWebAuthn()) break;
  form.hidden = false;
  const error = form.querySelector('.error');
  form.addEventListener('submit', async (event) => {
    if (form.elements.passkey.value) return;
    event.preventDefault();
    error.textContent = '';
    try {
      const optionsJSON = JSON.parse(form.dataset.options);
      const ask = form.dataset.passkey === 'create' ? startRegistration : startAuthentication;
      form.elements.passkey.value = JSON.stringify(await ask({ optionsJSON }));
      form.requestSubmit();
    } catch (thrown) {
      error.textContent = thrown.name === 'InvalidStateError'
        ? 'This device already has a passkey for your account.'
        : 'The browser did not provide a passkey. Try again, or use a code.';
    }
  });
}
`;
