import { columnOf } from '../ground/vocabulary.js';
import type { Lookup } from '../recognition/linking/recognise.js';
import type { Caller, Service } from '../resources/service.js';
import type { Past } from './past.js';
import { cachedProjectRisk } from './project-risk.js';
import type { RiskContext } from './rules/risk/context.js';

interface Known {
  readonly action: string;
  readonly recognition: Lookup;
  readonly past: Past;
}

const noUsers = { usersAtAddress: 0, usersOfDevice: 0 };

/** Returns what the risk score needs besides the other facts. Only a login is compared with counts. */
export function riskContextOf(service: Service, caller: Caller, { action, recognition, past }: Known): RiskContext {
  const { variantId, fingerprint } = recognition;
  const { devices, ...project } = cachedProjectRisk(service, caller);
  const isCompared = past.history.length > 0 && columnOf(action) === 'login';
  return {
    variantId,
    hardwareKey: fingerprint.hardwareKey,
    failures: past.velocity.user?.hour.failures ?? 0,
    counts: { ...(isCompared ? past.counts : noUsers), devices },
    ...project,
  };
}
