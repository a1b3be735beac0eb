Promise.all([Whorl.getComponents(), Whorl.getComponents({ workerUrl: '/dist/whorl.min.js' })]).then((read) =>
  fetch(`/posted?${read.map(({ fingerprint }) => fingerprint).join('&')}`),
);
