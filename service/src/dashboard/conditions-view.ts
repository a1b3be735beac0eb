import { html } from 'hono/html';
import type { Conditions } from './conditions.js';
import type { Html } from './view/parts.js';

const mostShown = 3;

/** What is wrong with how the service is set up, and what to do about it. */
export function renderConditions({ hasMail, forwarders }: Conditions): Html[] {
  const banners = [];
  if (!hasMail) {
    banners.push(html`<strong>No mail transport is configured.</strong> Codes cannot be sent by mail, and nobody is told of
shared accounts. Set <code>SMTP_URL</code> and <code>MAIL_FROM</code>.`);
  }
  if (forwarders.length > 0) banners.push(forwarderBanner(forwarders));
  return banners.map((text) => html`<p class="notice warn">${text}</p>`);
}

function forwarderBanner(networks: readonly string[]): Html {
  const shown = networks.slice(0, mostShown).join(', ');
  const others = networks.length > mostShown ? ` and ${networks.length - mostShown} others` : '';
  return html`<strong>Requests came through a proxy that is not in <code>TRUSTED_PROXIES</code>:</strong> within the last
hour, from ${shown}${others}. If that is your proxy, add it: until then, all visitors seem to have its address, and publishable
keys give no trust by that address. If it is not, a visitor sent the header, and nothing needs to be done.`;
}
