// Runs in a frame: reads the browser there and sends the result to the parent page.
readIdentity()
  .catch((error) => ({ error: String(error) }))
  .then((answer) => parent.postMessage(answer, '*'));
