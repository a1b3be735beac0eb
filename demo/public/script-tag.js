/** Uses `window.Whorl` as any page would: no bundler, no framework. `script-tag-login.js` is the login. */
import { startLogin } from './script-tag-login.js';

const tag = document.querySelector('#whorl');
const status = document.querySelector('#status');

async function start() {
  try {
    const { fingerprint, last_fingerprint, version } = await window.Whorl.collect();
    document.querySelector('#current').textContent = fingerprint;
    document.querySelector('#last').textContent = last_fingerprint || 'none: this is the first visit';
    document.querySelector('#version').textContent = version;
    document.querySelector('#answer').hidden = false;
    status.textContent = last_fingerprint
      ? 'Read. This browser has been here before.'
      : 'Read. This is the first visit.';
    await startLogin(window.Whorl);
  } catch (error) {
    status.textContent = `Reading failed: ${error.code ?? error.name}: ${error.message}`;
  }
}

// The tag is async: it may have run before this file, or be still on its way.
if (window.Whorl?.collect) start();
else {
  tag.addEventListener('load', start);
  tag.addEventListener('error', () => {
    status.textContent = '/whorl.min.js could not be loaded.';
  });
}
