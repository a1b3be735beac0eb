const tag = document.querySelector('#whorl');
const status = document.querySelector('#status');

async function show() {
  try {
    const [current, last] = await window.Whorl.getHash();
    document.querySelector('#current').textContent = current;
    document.querySelector('#last').textContent = last || 'none: this is the first visit';
    document.querySelector('#version').textContent = window.Whorl.version;
    document.querySelector('#answer').hidden = false;
    status.textContent = last ? 'Read. This browser has been here before.' : 'Read. This is the first visit.';
  } catch (error) {
    status.textContent = `Reading failed: ${error.code ?? error.name}: ${error.message}`;
  }
}

// The tag is async: it may have run before this file, or be still on its way.
if (window.Whorl) show();
else {
  tag.addEventListener('load', show);
  tag.addEventListener('error', () => {
    status.textContent = '/whorl.min.js could not be loaded.';
  });
}
