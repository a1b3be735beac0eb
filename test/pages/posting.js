// A busy machine may need long for a reading.
const timeoutMs = 60_000;
Promise.all([
  Whorl.getComponents({ timeoutMs }),
  Whorl.getComponents({ timeoutMs, workerUrl: '/dist/whorl-worker.min.js' }),
]).then((read) => fetch(`/posted?${read.map(({ fingerprint }) => fingerprint).join('&')}`));
