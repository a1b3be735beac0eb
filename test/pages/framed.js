// Reads in a frame, and tells the page around it.
Whorl.getHash()
  .then(async (hash) => ({ hash, again: await Whorl.getHash() }))
  .catch((error) => ({ error: String(error) }))
  .then((answer) => parent.postMessage(answer, '*'));
