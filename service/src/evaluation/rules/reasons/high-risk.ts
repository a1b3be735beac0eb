import { columnOf } from '../../../ground/vocabulary.js';
import { judgedBy } from '../judged-by.js';
import type { ReasonRule } from '../reason.js';
import { percentOf } from '../risk/contribution.js';
import { isRevoked } from '../risk/risk.js';

/**
 * The score reaches the threshold of the project, a device that the score judges was detached, or a new device is at an
 * address of the user, where the score cannot tell the user from the people who live there.
 */
export const highRisk: ReasonRule<'high_risk'> = {
  name: 'high_risk',
  words: {
    title: 'High risk score',
    explanation: 'The risk score reaches its threshold, or a new device is at an address of the user.',
    toVisitor: 'several things about this attempt are unusual',
    raisedWhen:
      'the [risk score](risk.md) reaches the threshold (`risk`), or a new device is at an address of the user',
  },
  policy: { login: ['report', { effect: 'challenge', judgedBy: 'risk' }], signup: ['report'], referral: ['report'] },
  traits: ['takeover', 'denies_with_proof', 'by_score'],
  detect: (facts, scored) => {
    const { action, settings, risk: context } = facts;
    if (!context || !scored) return undefined;
    const { risk } = scored;
    const isLogin = columnOf(action) === 'login';
    const threshold = isLogin ? context.loginThreshold : settings.risk.signup_threshold;
    const evidence = { score: risk.score, threshold };
    if (percentOf(risk.bits) >= threshold) return { evidence };
    if (isLogin && isRevoked(facts) && judgedBy(facts) === 'risk')
      return { evidence: { ...evidence, detached_device: true } };
    const isNeighbour = scored.isNewDeviceAtKnownAddress && settings.risk.new_device_at_known_address === 'challenge';
    return isNeighbour ? { evidence: { ...evidence, new_device_at_known_address: true } } : undefined;
  },
};
