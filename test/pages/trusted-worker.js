globalThis.trustedTypes?.createPolicy('default', {
  createScriptURL: (url) => {
    // `load` in test/browser/support adds the script tag.
    if (['/dist/whorl-worker.min.js', '/dist/whorl.min.js'].some((own) => url.endsWith(own))) return url;
    throw new TypeError(`${url} is not allowed.`);
  },
});
