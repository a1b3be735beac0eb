import type { Lookup } from '../linking/recognise.js';
import type { Database, Scope } from '../service.js';
import type { Velocity } from '../velocity/rules/counts.js';
import { type NormalisedRequest, ownNetwork } from './normalised-request.js';
import { cachedProjectRisk } from './project-risk.js';
import { countValues } from './queries/risk.js';
import type { Access } from './rules/history.js';
import { columnOf } from './rules/policy.js';
import type { RiskContext, ValueCounts } from './rules/risk/context.js';

interface Question {
  readonly normalised: NormalisedRequest;
  readonly recognition: Lookup;
  readonly history: readonly Access[];
  readonly velocity: Velocity;
}

const nothing: Omit<ValueCounts, 'devices'> = { usersAtAddress: 0, usersOfDevice: 0 };

/** Reads what the risk score needs besides the other facts: one query, and none if there is nothing to compare with. */
export async function readRiskContext(scope: Scope<Database>, question: Question): Promise<RiskContext> {
  const { db, caller } = scope;
  const { normalised, recognition, history, velocity } = question;
  const { identityId, variantId, fingerprint } = recognition;
  const isCompared = history.length > 0 && columnOf(normalised.request.action) === 'login';
  const counts = isCompared
    ? await countValues(db, {
        worldId: caller.worldId,
        network: ownNetwork(normalised) ?? null,
        identityId,
      })
    : nothing;
  const { hardwareKey } = fingerprint;
  const { devices, ...project } = cachedProjectRisk(scope, caller);
  return {
    variantId,
    hardwareKey,
    failures: velocity.user?.hour.failures ?? 0,
    counts: { ...counts, devices },
    ...project,
  };
}
