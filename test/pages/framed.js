// Reads in a frame, and posts the result to the parent page.
Whorl.getHash()
  .then(async (hash) => ({ hash, again: await Whorl.getHash() }))
  .catch((error) => ({ error: String(error) }))
  .then((answer) => parent.postMessage(answer, '*'));
