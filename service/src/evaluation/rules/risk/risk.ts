import { columnOf } from '../../../ground/vocabulary.js';
import { deviceInfo } from '../../../resources/devices/rules/device.js';
import type { Facts, Finding } from '../facts.js';
import { isTrustedDevice } from '../trust.js';
import type { RiskContext } from './context.js';
import type { Scored } from './contribution.js';
import { riskFactsOf } from './risk-facts.js';
import { isNewDeviceAtKnownAddress, riskOfLogin } from './score.js';
import type { LoginAttempt } from './score-facts.js';
import { riskOfSignUp } from './sign-up.js';

/** Returns the score of an evaluation; undefined for a publishable key, whose verdict must not depend on stored data. */
export function scoreOf(facts: Facts, findings: readonly Finding[]): Scored | undefined {
  if (!facts.risk) return undefined;
  if (columnOf(facts.action) !== 'login')
    return { risk: riskOfSignUp(facts, findings), isNewDeviceAtKnownAddress: false };
  const login = riskFactsOf(attemptOf(facts, facts.risk));
  return { risk: riskOfLogin(login), isNewDeviceAtKnownAddress: isNewDeviceAtKnownAddress(login) };
}

/** Returns whether somebody detached the device. What it did before is no evidence for it. */
export function isRevoked({ device }: Facts): boolean {
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
