import { html } from 'hono/html';
import type { Risk, RiskContribution, RiskFact } from 'whorl/wire';
import { type Html, table } from '../view/parts.js';

const factWords: Readonly<Record<RiskFact, string>> = {
  prior: 'Before anything is known',
  device: 'Device',
  proof: 'Proof of key',
  address: 'Address',
  kind: 'Kind of network',
  travel: 'Travel',
  time: 'Time of day',
  history: 'History',
  failures: 'Failed attempts',
  automation: 'Automation',
  tampering: 'Tampering',
  email: 'Email address',
  accounts: 'Other accounts',
  referrer: 'Referrer',
  velocity: 'Velocity',
  fingerprint: 'Fingerprint',
};

/** Renders a risk score with a bar for each fact: to the right if it raises the score, to the left if it lowers it. */
export function riskPart({ score, bits: sum, contributions }: Risk, action: string): Html {
  const about = ['signup', 'referral'].includes(action)
    ? 'the account is not wanted'
    : 'this is not the account’s owner';
  const longest = Math.max(1, ...contributions.map(({ bits }) => Math.abs(bits)));
  const rows = [
    ...contributions.map((one) => [factWords[one.fact], signed(one.bits), bar(one, longest), one.text]),
    ['Sum', signed(sum), undefined, `100 / (1 + 2^${signed(-sum)}) = ${score}`],
  ];
  const columns = ['Fact', { title: 'Bits', number: true }, 'Evidence', 'What was found'] as const;
  return html`<p><strong>${score}%</strong>: the probability that ${about}. Each bit doubles the odds.</p>
<div class="wide">${table(columns, rows, 'Contributions to the risk score')}</div>`;
}

const width = 120;
const middle = width / 2;

function bar({ bits }: RiskContribution, longest: number): Html {
  const length = (Math.abs(bits) / longest) * middle;
  const label = bits > 0 ? 'for an attack' : bits < 0 ? 'against an attack' : 'neutral';
  return html`<svg class="bits" role="img" aria-label="${label}" width="${width}" height="16" viewBox="0 0 ${width} 16">
<rect class="${bits > 0 ? 'for' : 'against'}" x="${(bits > 0 ? middle : middle - length).toFixed(1)}" y="2" width="${length.toFixed(1)}" height="12"/>
<line x1="${middle}" x2="${middle}" y1="0" y2="16"/>
</svg>`;
}

function signed(bits: number): string {
  return `${bits > 0 ? '+' : bits < 0 ? '−' : ''}${Math.abs(bits).toFixed(2)}`;
}
