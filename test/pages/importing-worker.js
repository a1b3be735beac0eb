// A worker of the site that imports the script-tag file for its own use.
const before = Object.getOwnPropertyNames(self);
importScripts('/dist/whorl.min.js');
const added = Object.getOwnPropertyNames(self).filter((name) => !before.includes(name));
postMessage({ imported: true, added });
