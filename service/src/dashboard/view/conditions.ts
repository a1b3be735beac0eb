import { html } from 'hono/html';
import type { ReplicaStatus } from '../../ground/db/replica/replica.js';
import type { Conditions } from '../load.js';
import type { Html } from './parts.js';

const maxShown = 3;

/** Renders warnings about the service's configuration, with the fix. */
export function renderConditions({ hasMail, forwarders, replica }: Conditions): Html[] {
  const banners = [];
  if (!hasMail) {
    banners.push(html`<strong>Email is not configured.</strong> Whorl cannot send codes by email or notify you about
shared accounts. Set <code>SMTP_URL</code> and <code>MAIL_FROM</code>.`);
  }
  if (forwarders.length > 0) banners.push(forwarderBanner(forwarders));
  if (replica && replica.status !== 'used') {
    banners.push(html`<strong>The read replica ${replicaProblems[replica.status]}.</strong> Pages are read from the primary until
it can be used again.`);
  }
  return banners.map((text) => html`<p class="notice warn">${text}</p>`);
}

function forwarderBanner(networks: readonly string[]): Html {
  const shown = networks.slice(0, maxShown).join(', ');
  const others = networks.length > maxShown ? ` and ${networks.length - maxShown} others` : '';
  return html`<strong>Requests came through a proxy that is not in <code>TRUSTED_PROXIES</code>.</strong> In the last hour, requests
came from ${shown}${others}. If this is your proxy, add it to <code>TRUSTED_PROXIES</code>. Until then, all visitors appear to
have its IP address, and publishable keys cannot establish trust in an IP address. If it is not your proxy, a visitor sent the
header and you can ignore this message.`;
}

const replicaProblems: Readonly<Record<Exclude<ReplicaStatus, 'used'>, string>> = {
  behind: 'is too far behind',
  unreachable: 'cannot be reached',
  not_a_standby: 'is not a standby',
  another_database: 'belongs to another database',
};

/** Renders how old the lists on a page can be, if they come from a read replica. */
export function renderLag({ replica }: Conditions): Html | undefined {
  if (replica?.lagMs === undefined) return undefined;
  const seconds = Math.round(replica.lagMs / 1000);
  const text = seconds === 0 ? 'up to date' : `${seconds} ${seconds === 1 ? 'second' : 'seconds'} behind`;
  return html`<p class="quiet">The read replica is ${text}.</p>`;
}
