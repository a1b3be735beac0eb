// Runs in the page, after the libraries' scripts.
Object.assign(globalThis, { readIdentity });

/**
 * Asks whorl for all it read, and then each peer for its hash, one after the other: together they would wait for each
 * other's work, and some for each other's WebGL context.
 */
async function readIdentity() {
  const { Whorl, identities = {} } = globalThis;
  const { fingerprint, facets, readings } = await Whorl.getComponents();
  const peers = {};
  for (const [name, run] of Object.entries(identities)) {
    try {
      peers[name] = { hash: String(await withDeadline(run())) };
    } catch (error) {
      peers[name] = { error: String(error) };
    }
  }
  return { fingerprint, facets, readings, peers, userAgent: navigator.userAgent };
}

/** A driver's command has no deadline of its own, and one hash that never comes would be the end of a long run. */
function withDeadline(promise) {
  const late = new Promise((_, reject) => setTimeout(reject, 20_000, new Error('No hash in 20 s.')));
  return Promise.race([promise, late]);
}
