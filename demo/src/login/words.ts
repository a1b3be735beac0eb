import type { Channel, Reason } from 'whorl/wire';
import channels from './channel-words.json';
import reasons from './reason-words.json';

/** The reasons in words, for the visitor. Generated from the service's table of reasons. */
export const reasonWords: Readonly<Record<Reason, string>> = reasons;

/** How a code is sent, in words. Generated from the service's table of methods. */
export const channelWords: Readonly<Record<Channel, string>> = channels;
