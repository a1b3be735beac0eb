import type { Handler } from '../demo.js';
import { checkChallenge, sendCode, verifyCode } from './challenge.js';
import { blockDevice, listDevices, signOutDevice, unblockDevice } from './devices.js';
import { checkPassword, logIn, takeToken } from './log-in.js';
import { giveNonce } from './nonce.js';
import { logOut, readSession } from './session.js';
import { signUp } from './sign-up.js';

/** Everything that a page can ask of its server, by method and path. */
export const routes: ReadonlyMap<string, Handler> = new Map([
  ['GET /api/session', readSession],
  ['POST /api/sign-up', signUp],
  ['POST /api/nonce', giveNonce],
  ['POST /api/log-in', logIn],
  ['POST /api/password', checkPassword],
  ['POST /api/token', takeToken],
  ['POST /api/challenge/send', sendCode],
  ['POST /api/challenge/verify', verifyCode],
  ['POST /api/challenge/check', checkChallenge],
  ['GET /api/devices', listDevices],
  ['POST /api/devices/sign-out', signOutDevice],
  ['POST /api/devices/block', blockDevice],
  ['POST /api/devices/unblock', unblockDevice],
  ['POST /api/log-out', logOut],
]);
