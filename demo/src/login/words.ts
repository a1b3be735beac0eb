import type { Channel, Reason } from 'whorl/wire';
import channels from './channel-words.json';
import reasons from './reason-words.json';

/** The reasons in words, for the visitor. Generated from the service's table of reasons. */
export const reasonWords: Readonly<Record<Reason, string>> = reasons;

/** How a code is sent, in words. Generated from the service's table of methods. */
export const channelWords: Readonly<Record<Channel, string>> = channels;

/** What the demo's server says as well, if it cannot reach the service. */
export const serviceUnreachable =
  'The service that evaluates logins is unreachable, so you cannot log in now. Try again in a moment.';
