import type { Cell, ConditionalEffect } from './policy.js';

/** Returns a cell of the policy for people: `report; corroborated: restrict; proven, 3 and more: deny`. */
export function cellInWords([always, ...under]: Cell): string {
  return [always, ...under.map((rule) => `${conditionOf(rule)}: ${rule.effect}`)].join('; ');
}

function conditionOf({ strength, others, with: company, moreThan }: ConditionalEffect): string {
  const names = company?.map((reason) => `\`${reason}\``).join(' or ');
  const parts = [strength, others && `${others} and more`, moreThan && `more than \`${moreThan}\``];
  return [...parts, names && `with ${names}`].filter(Boolean).join(', ');
}
