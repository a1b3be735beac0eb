import type { Channel } from 'whorl/wire';
import { email } from './email.js';
import type { CodeMethod } from './method.js';
import { text } from './text.js';

/** The methods by channel, in order of preference. */
export const methods: Readonly<Record<Channel, CodeMethod>> = { text, email };

/** Names of the channels, in order of preference. */
export const channels = Object.values(methods).map(({ channel }) => channel);

export function isChannel(value: unknown): value is Channel {
  return typeof value === 'string' && Object.hasOwn(methods, value);
}
