/**
 * What each bit of the integrity facet says, from the lowest bit up. Evidence, not a verdict, and made in the page: a
 * bit that is set means something, a clean facet proves nothing. `noise` is no tampering: some browsers add it for
 * everybody.
 */
export const integrityBits = [
  'webdriver',
  'headless_user_agent',
  'driver_traces',
  'proxied_function',
  'answers_strangers',
  'two_answers',
  'resolution_contradiction',
  'engine_contradiction',
  'system_contradiction',
  'worker_contradiction',
  'canvas_noise',
  'audio_noise',
  'inspected',
  'scripted_function',
] as const;

/** The name of one bit of the integrity facet. */
export type IntegrityBit = (typeof integrityBits)[number];

/** The names of the bits that are set, in the order of the table. */
export function readIntegrity(integrity: number): IntegrityBit[] {
  return integrityBits.filter((_, index) => (integrity >> index) & 1);
}
