Promise.all([
  Whorl.getComponents(),
  Whorl.getComponents({ workerUrl: '/dist/whorl-worker.min.js', timeoutMs: 60_000 }),
]).then((read) => fetch(`/posted?${read.map(({ fingerprint }) => fingerprint).join('&')}`));
