import type { Reason } from 'whorl/wire';
import { type Column, columns, type Effect } from '../../ground/vocabulary.js';
import type { Settings } from '../../resources/projects/rules/settings.js';

type Policy = Settings['policy'];

/** Effects of a reason that a project changes. Empty for the default. */
export type ReasonEffects = Readonly<Record<Column, Effect | ''>>;

/** Returns the effects of a reason in a policy. */
export function effectsOf(policy: Policy, reason: Reason): ReasonEffects {
  const effectOn = (column: Column) => policy[column]?.[reason] ?? '';
  return { login: effectOn('login'), signup: effectOn('signup'), referral: effectOn('referral') };
}

/** Returns a policy with other effects of one reason. Undefined if it changes nothing, which is the default. */
export function withEffects(policy: Policy, reason: Reason, entered: ReasonEffects): Policy | undefined {
  const changed: Policy = {};
  for (const column of columns) {
    const { [reason]: _replaced, ...others } = policy[column] ?? {};
    const effect = entered[column];
    const cells = effect === '' ? others : { ...others, [reason]: effect };
    if (Object.keys(cells).length > 0) changed[column] = cells;
  }
  return Object.keys(changed).length > 0 ? changed : undefined;
}
