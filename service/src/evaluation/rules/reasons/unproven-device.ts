import type { ReasonRule } from '../reason.js';
import { lacksKey } from '../trust.js';

/** A device with a key sent no valid proof of it. The evidence names the outcome of an invalid proof. */
export const unprovenDevice: ReasonRule<'unproven_device'> = {
  name: 'unproven_device',
  words: {
    title: 'Unproven device',
    explanation: 'The device has a key, but the request contained no proof of it or proof of another key.',
    toVisitor: 'this device did not prove its key',
    raisedWhen: 'a device with a key proves none, or another one',
  },
  policy: { login: ['challenge'], signup: ['report'], referral: ['report'] },
  traits: ['takeover'],
  detect: (facts) => {
    if (!lacksKey(facts)) return undefined;
    const { device, request } = facts;
    const refused = request.proof !== undefined && request.proof !== 'valid' ? { refused: request.proof } : {};
    return { evidence: { device_id: device?.id, proof: device?.proof, ...refused } };
  },
};
