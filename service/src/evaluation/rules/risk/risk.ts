import { deviceInfo } from '../../../resources/devices/rules/device.js';
import type { Facts, Finding } from '../facts.js';
import { judgedBy } from '../judged-by.js';
import { columnOf } from '../policy.js';
import { isTrustedDevice } from '../trust.js';
import type { RiskContext } from './context.js';
import { percentOf, type Risk } from './contribution.js';
import type { LoginAttempt } from './facts.js';
import { riskFactsOf } from './risk-facts.js';
import { isNewDeviceAtKnownAddress, riskOfLogin } from './score.js';
import { riskOfSignUp } from './sign-up.js';

/** Returns the risk of an evaluation; undefined for a publishable key, whose verdict must not depend on stored data. */
export function riskOf(facts: Facts, findings: readonly Finding[]): Risk | undefined {
  if (!facts.risk) return undefined;
  return columnOf(facts.action) === 'login'
    ? riskOfLogin(riskFactsOf(attemptOf(facts, facts.risk)))
    : riskOfSignUp(facts, findings);
}

/**
 * Detects that the score reaches the threshold of the project, that a device that the score judges was detached, or that a new device is at an
 * address of the user, where the score cannot tell the user from the people who live there.
 */
export function highRisk(facts: Facts, risk: Risk | undefined): Finding | undefined {
  const { action, settings, risk: context } = facts;
  if (!context || !risk) return undefined;
  const isLogin = columnOf(action) === 'login';
  const threshold = isLogin ? context.loginThreshold : settings.risk.signup_threshold;
  const evidence = { score: risk.score, threshold };
  if (percentOf(risk.bits) >= threshold) return { reason: 'high_risk', evidence };
  if (isLogin && isRevoked(facts) && judgedBy(facts) === 'risk')
    return { reason: 'high_risk', evidence: { ...evidence, detached_device: true } };
  const isNeighbour =
    isLogin &&
    settings.risk.new_device_at_known_address === 'challenge' &&
    isNewDeviceAtKnownAddress(riskFactsOf(attemptOf(facts, context)));
  return isNeighbour
    ? { reason: 'high_risk', evidence: { ...evidence, new_device_at_known_address: true } }
    : undefined;
}

/** Returns whether somebody detached the device. What it did before is no evidence for it. */
function isRevoked({ device }: Facts): boolean {
  return device?.status === 'detached' && !device.autoDetached;
}

function attemptOf(facts: Facts, context: RiskContext): LoginAttempt {
  const { now, match, request, device, address } = facts;
  const history = isRevoked(facts)
    ? facts.history.filter(({ identityId }) => identityId !== match.fingerprintId)
    : facts.history;
  const own = address?.isShared ? undefined : address;
  const { os, browser } = deviceInfo(request.parsed);
  return {
    now,
    history,
    identityId: match.fingerprintId,
    confidence: match.confidence,
    variantId: context.variantId,
    hardwareKey: context.hardwareKey,
    os,
    browser,
    proof: device?.proof ?? 'none',
    trusted: { device: isTrustedDevice(facts), address: own?.trusted ?? false },
    network: own?.network,
    info: own?.info,
    failures: context.failures,
    counts: context.counts,
    frequencies: context.frequencies,
  };
}
