/** Uses `window.Whorl` as any page would, without a bundler or framework. `script-tag-login.js` contains the login. */
import { startLogin } from './script-tag-login.js';

const tag = document.querySelector('#whorl');
const status = document.querySelector('#status');

async function start() {
  try {
    // The calls at login then use the results of this first reading.
    window.Whorl.prepare();
    const { fingerprint, last_fingerprint, version } = await window.Whorl.collect();
    document.querySelector('#current').textContent = fingerprint;
    document.querySelector('#last').textContent = last_fingerprint || 'none: this is the first visit';
    document.querySelector('#version').textContent = version;
    document.querySelector('#answer').hidden = false;
    status.textContent = last_fingerprint
      ? 'This browser has been here before.'
      : 'This is the first visit of this browser.';
    await startLogin(window.Whorl);
  } catch (error) {
    status.textContent = `Reading failed: ${error.code ?? error.name}: ${error.message}`;
  }
}

// The tag is async, so it may have run before this file or may still be loading.
if (window.Whorl?.collect) start();
else {
  tag.addEventListener('load', start);
  tag.addEventListener('error', () => {
    status.textContent = '/whorl.min.js could not be loaded.';
  });
}
