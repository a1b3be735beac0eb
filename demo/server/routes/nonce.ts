import type { NonceAnswer } from '../api.js';
import type { Handler } from '../demo.js';

/**
 * POST /api/nonce, for the server flow: what the page calls `collect` with. The page could ask the service itself, with
 * the publishable key; from its own server it needs neither that nor another origin.
 */
export const giveNonce: Handler = async ({ whorl }) => {
  const { nonce } = await whorl.devices.nonce();
  const answer: NonceAnswer = { nonce };
  return { status: 200, answer };
};
