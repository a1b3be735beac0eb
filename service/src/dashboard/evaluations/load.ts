import { validate as isUuid } from 'uuid';
import type { EvaluationRecord, HardwareInfo } from 'whorl/wire';
import { openClaim } from '../../evaluation/claims/content.js';
import { findClaim } from '../../evaluation/claims/queries.js';
import { claimRecord } from '../../evaluation/claims/views.js';
import { toEvaluationRecord } from '../../evaluation/present.js';
import { findEvaluation } from '../../evaluation/queries/evaluations.js';
import { type AddressCredit, creditsOf } from '../../resources/addresses/address-book.js';
import { hardwareOf } from '../../resources/devices/hardware.js';
import { deviceInfo } from '../../resources/devices/rules/device.js';
import { readFingerprint } from '../../resources/devices/rules/fingerprint-text.js';
import type { Caller, Service } from '../../resources/service.js';

/** Data of an evaluation's page. Contacts are masked. */
export interface ShownEvaluation {
  readonly record: EvaluationRecord;
  readonly userAgent: string | undefined;
  readonly network: string | undefined;
  readonly credits: readonly AddressCredit[];
  /** Browser and system, by the fingerprint. */
  readonly deviceLabel: string;
  /** ID of the user, if stored. */
  readonly userId: string | undefined;
  /** Hardware of the device, if the project uses `hardware_id`. */
  readonly hardware: HardwareInfo;
}

/** Reads an evaluation with its request. Returns undefined if the world has no evaluation with this ID. */
export async function showEvaluation(
  service: Service,
  caller: Caller,
  id: string,
): Promise<ShownEvaluation | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await findEvaluation(service.db, caller.worldId, id);
  if (!row) return showClaim(service, caller, id);
  const record = toEvaluationRecord(service, row);
  const { user_agent: userAgent, fingerprint } = record;
  return {
    record,
    userAgent,
    deviceLabel: deviceInfo(readFingerprint(fingerprint ?? '').parsed).label,
    network: row.network ?? undefined,
    credits: creditsOf(service.addresses),
    userId: row.user_id ?? undefined,
    hardware: await hardwareOf(service, caller, fingerprint),
  };
}

/** Reads an evaluation of a publishable key that has not been consumed. */
async function showClaim(service: Service, { worldId }: Caller, id: string): Promise<ShownEvaluation | undefined> {
  const row = await findClaim(service.db, worldId, id);
  const claim = row && openClaim(service, row);
  if (!claim) return undefined;
  const { challenge_id: _unused, ...record } = claimRecord(service, claim);
  const userAgent = claim.content.request.user_agent;
  return {
    record,
    userAgent,
    deviceLabel: deviceInfo(readFingerprint(claim.content.request.fingerprint ?? '').parsed).label,
    network: undefined,
    credits: creditsOf(service.addresses),
    userId: undefined,
    hardware: {},
  };
}
