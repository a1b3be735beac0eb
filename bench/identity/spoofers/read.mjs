import { peerNames } from './server.mjs';

/**
 * @typedef {object} Read The results of one page.
 * @property {string} fingerprint
 * @property {string} withWorker
 * @property {Record<string, string>} peers
 * @property {Record<string, unknown>} facets Values in plain text, which explain differences.
 * @property {Record<string, unknown>} facetsWithWorker
 */

/**
 * Reads a page: whorl with and without a worker, and each peer.
 *
 * @param {{ goto(url: string): Promise<unknown>, evaluate<Result>(script: string): Promise<Result> }} page
 * @param {string} url
 * @returns {Promise<Read>}
 */
export async function read(page, url) {
  await page.goto(url);
  return page.evaluate(`(async () => {
    const { fingerprint, facets } = await Whorl.getComponents({ timeoutMs: 10_000 });
    const { fingerprint: withWorker, facets: facetsWithWorker } =
      await Whorl.getComponents({ workerUrl: '/whorl-worker.min.js', timeoutMs: 10_000 });
    const peers = {};
    for (const name of ${JSON.stringify(peerNames)}) {
      try {
        peers[name] = String(await window.peers[name]());
      } catch (error) {
        peers[name] = 'failed: ' + error;
      }
    }
    return { fingerprint, withWorker, facets, facetsWithWorker, peers };
  })()`);
}
