// Runs in the page, after the libraries' scripts.
Object.assign(globalThis, { readIdentity });

/**
 * Runs whorl and then each peer, one after the other. In parallel, they would wait for each other's work, and some for
 * each other's WebGL context.
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

/** The driver's command has no deadline, and a hash that never resolves would block the whole run. */
function withDeadline(promise) {
  const late = new Promise((_, reject) => setTimeout(reject, 20_000, new Error('No hash in 20 s.')));
  return Promise.race([promise, late]);
}
