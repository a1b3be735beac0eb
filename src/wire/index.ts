export type * from './events.js';
export type * from './lists.js';
export type * from './problem.js';
export type * from './project.js';
export type * from './requests.js';
export type * from './resources.js';
export type * from './responses.js';
export type * from './vocabulary.js';
