// Reads in a frame, and posts the result to the parent page.
Whorl.getHash({ timeoutMs: 60_000 })
  .then(async (hash) => ({ hash, again: await Whorl.getHash({ timeoutMs: 60_000 }) }))
  .catch((error) => ({ error: String(error) }))
  .then((answer) => parent.postMessage(answer, '*'));
