import { html } from 'hono/html';
import type { Device } from 'whorl/wire';
import { type Act, confirmed } from '../view/acts.js';
import type { Place } from '../view/links.js';
import type { Html } from '../view/parts.js';

type ActName = 'detach' | 'block' | 'unblock' | 'trust' | 'distrust';

const acts: Readonly<Record<ActName, Pick<Act, 'name' | 'effect' | 'danger'>>> = {
  detach: {
    name: 'Sign out',
    effect: 'Detaches the device and takes its trust. Its pages sign out, and its next login is challenged.',
  },
  block: {
    name: 'Block',
    effect:
      'Every evaluation of this user from the device is denied, and its pages sign out. Its trust is gone for good.',
    danger: true,
  },
  unblock: { name: 'Unblock', effect: 'Attaches the device again. The trust that it had does not come back.' },
  trust: {
    name: 'Trust for good',
    effect: 'Trusts the device until you take that back, whatever becomes of its trust.',
  },
  distrust: { name: 'Trust no more', effect: 'Takes back that the device is trusted for good.' },
};

/** What can be done to a device as it stands, from its own page or its user's. */
export function deviceActs(
  place: Place,
  { _id, status, trusted, whitelisted }: Pick<Device, '_id' | 'status' | 'trusted' | 'whitelisted'>,
  from: 'user' | 'device',
): Html {
  const canDetach = status === 'attached' || status === 'pending' || (status === 'detached' && trusted);
  const fitting: ActName[] =
    status === 'blocked'
      ? ['unblock']
      : [...(canDetach ? (['detach'] as const) : []), whitelisted ? 'distrust' : 'trust', 'block'];
  const act = (name: ActName) =>
    confirmed(place, { ...acts[name], action: `${place.base}/devices/${_id}/${name}`, fields: { from } });
  return html`<div class="acts">${fitting.map(act)}</div>`;
}
