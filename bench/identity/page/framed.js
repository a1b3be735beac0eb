// Runs in a frame: reads there, and tells the page around it.
readIdentity()
  .catch((error) => ({ error: String(error) }))
  .then((answer) => parent.postMessage(answer, '*'));
