export * from './core.js';
export { type OnDetachedOptions, onDetached } from './on-detached.js';
export type { DetachedData, EndCause } from './wire/events.js';
