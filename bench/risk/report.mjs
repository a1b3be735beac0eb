import { campaigns } from './campaigns.mjs';
import { curve, loginsBetween, shareAt, thresholdFor } from './metrics.mjs';

/** Shares of targeted attackers at which methods are compared. */
export const targets = [0.9, 0.98, 0.9945];

export const percent = (share, digits = 1) => `${(share * 100).toFixed(digits)}%`;

/**
 * Returns what a method does at each share of targeted attackers. A method that only decides has one point; `reaches`
 * says whether it challenges that share.
 */
export function operatingPoints({ honest, attacks, isDecision }) {
  return targets.map((target) => {
    const threshold = isDecision ? 1 : thresholdFor(attacks.targeted, target);
    const targeted = shareAt(attacks.targeted, threshold);
    return {
      target,
      threshold,
      targeted,
      reaches: targeted >= target,
      honest: shareAt(honest, threshold),
      between: loginsBetween(honest, threshold),
      attackers: Object.fromEntries(Object.keys(attacks).map((name) => [name, shareAt(attacks[name], threshold)])),
    };
  });
}

export function markdown(head, rows) {
  return [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
  ].join('\n');
}

const medianOf = ({ median, longest }) => (median === undefined ? `over ${longest}` : String(median));

/** Returns the size of the trace and the frequencies that its parameters lead to. */
export function traceTable({ people, logins }) {
  const done = logins.filter(({ outcome }) => outcome === 'succeeded');
  const seen = new Map();
  let newAddress = 0;
  let newDevice = 0;
  let counted = 0;
  for (const { user, place, shown, truth } of done) {
    const device = truth.deviceId ?? shown.userAgent;
    const own = seen.get(user) ?? { addresses: new Set(), devices: new Set() };
    if (own.devices.size > 0) {
      counted++;
      if (!own.addresses.has(place.address)) newAddress++;
      if (!own.devices.has(device)) newDevice++;
    }
    own.addresses.add(place.address);
    own.devices.add(device);
    seen.set(user, own);
  }
  const share = (test) => percent(done.filter(test).length / done.length);
  return markdown(
    ['trace', 'value'],
    [
      ['people', people.length],
      ['logins', done.length],
      ['failed attempts', logins.length - done.length],
      ['logins at a new address', percent(newAddress / counted)],
      ['logins from a new device', percent(newDevice / counted)],
      ['logins through a mobile gateway', share(({ place }) => place.kind === 'mobile')],
      ['logins through a VPN or relay', share(({ place }) => ['vpn', 'hosting', 'relay'].includes(place.kind))],
      ['logins on a journey', share(({ truth }) => truth.trip)],
    ],
  );
}

const tried = ([{ attacks }]) => Object.keys(attacks);

const nameOf = ({ scorer, proofShare }) =>
  scorer.usesProof ? `${scorer.title}, ${proofShare * 100}% proofs` : scorer.title;

/** Returns the main table: honest logins challenged, and logins between challenges, at each share of targeted attackers. */
export function mainTable(results) {
  const head = [
    'method',
    ...targets.flatMap((target) => [`honest at ${percent(target, 2)} of targeted`, 'logins between']),
    ...tried(results),
  ];
  const rows = results.map((result) => {
    const last = result.points[result.points.length - 1];
    const cells = result.points.flatMap(({ reaches, honest, targeted, between }) => [
      reaches ? percent(honest, 2) : `${percent(honest, 2)} (reaches ${percent(targeted, 2)})`,
      medianOf(between),
    ]);
    return [nameOf(result), ...cells, ...tried(results).map((name) => percent(last.attackers[name]))];
  });
  return markdown(head, rows);
}

/** Returns the share of honest logins challenged at the thresholds that challenge 99.45% of each attacker. */
export function attackerTable(results) {
  const target = targets[targets.length - 1];
  const rows = results
    .filter(({ scorer }) => !scorer.isDecision)
    .map((result) => [
      nameOf(result),
      ...tried(results).map((name) => percent(shareAt(result.honest, thresholdFor(result.attacks[name], target)), 2)),
    ]);
  return markdown([`honest logins challenged at ${percent(target, 2)} of each attacker`, ...tried(results)], rows);
}

const special = [
  ['moved within 30 days', ({ day, truth }) => truth.movedAt !== undefined && day - truth.movedAt < 30],
  ['first login from a replacement device', ({ truth }) => truth.isReplacement && truth.isFirstUse],
  ['on a journey', ({ truth }) => truth.trip],
  ['mobile gateway', ({ place }) => place.kind === 'mobile'],
  ['VPN or relay', ({ place }) => ['vpn', 'hosting', 'relay'].includes(place.kind)],
  ['people with 100 logins a year and more', ({ truth }) => truth.perYear >= 100],
  ['20 to 100', ({ truth }) => truth.perYear >= 20 && truth.perYear < 100],
  ['fewer than 20', ({ truth }) => truth.perYear < 20],
];

/** Returns which honest people are challenged at 99.45% of targeted attackers. */
export function specialTable(results) {
  const rows = results.map((result) => {
    const { threshold } = result.points[result.points.length - 1];
    return [
      nameOf(result),
      ...special.map(([, test]) =>
        percent(
          shareAt(
            result.honest.filter(({ login }) => test(login)),
            threshold,
          ),
        ),
      ),
    ];
  });
  return markdown(['honest logins challenged at 99.45%', ...special.map(([title]) => title)], rows);
}

/** Returns the number of tries until each detector noticed each campaign, for the starts in order. */
export function campaignTable(watched) {
  const rows = watched.flatMap(({ detector, falseAlarmsPerYear, found }) => [
    [detector.title, 'false alarms a year', falseAlarmsPerYear.toFixed(1)],
    ...found.map(({ name, delays }) => ['', campaigns[name].title, delays.map((delay) => delay ?? 'never').join(', ')]),
  ]);
  return markdown(['detector', 'campaign', 'tries until noticed'], rows);
}

const colours = ['#0b57d0', '#b3261e', '#188038', '#7b1fa2', '#e37400', '#5f6368', '#00838f', '#ad1457'];

/** Draws the share of targeted attackers against the share of honest logins challenged, up to 30%. */
export function drawCurves(results) {
  const x = (honest) => (60 + (Math.min(honest, 0.3) / 0.3) * 500).toFixed(1);
  const y = (attackers) => (380 - ((Math.max(attackers, 0.7) - 0.7) / 0.3) * 340).toFixed(1);
  const lines = results.map((result, index) => {
    const colour = colours[index % colours.length];
    const points = curve(result.attacks.targeted, result.honest).filter(
      ({ attackers, honest }) => attackers >= 0.7 && honest <= 0.3,
    );
    const path = points.map(({ honest, attackers }) => `${x(honest)},${y(attackers)}`).join(' ');
    const dots = result.scorer.isDecision
      ? points.map(({ honest, attackers }) => `<circle cx="${x(honest)}" cy="${y(attackers)}" r="4"/>`).join('')
      : '';
    return `<g fill="${colour}"><polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${path}"/>${dots}<text x="575" y="${60 + 20 * index}">${nameOf(result)}</text></g>`;
  });
  const ticks = [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3].map(
    (tick) => `<text x="${x(tick)}" y="400" text-anchor="middle">${percent(tick, 0)}</text>`,
  );
  const rows = [0.7, 0.8, 0.9, 0.98, 1].map(
    (tick) => `<text x="52" y="${Number(y(tick)) + 4}" text-anchor="end">${percent(tick, 0)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 440" font-family="sans-serif" font-size="12">
<title>Targeted attackers challenged against honest logins challenged</title>
<rect width="900" height="440" fill="#fff"/>
<rect x="60" y="40" width="500" height="340" fill="none" stroke="#999"/>
${[...ticks, ...rows].join('')}
<text x="310" y="425" text-anchor="middle">honest logins challenged</text>
<text x="14" y="210" text-anchor="middle" transform="rotate(-90 14 210)">targeted attackers challenged</text>
${lines.join('\n')}
</svg>
`;
}

/** Draws predicted against actual shares of attacks, at even odds. */
export function drawReliability(bins) {
  const x = (value) => (60 + value * 340).toFixed(1);
  const y = (value) => (380 - value * 340).toFixed(1);
  const path = bins.map(({ predicted, truth }) => `${x(predicted)},${y(truth)}`).join(' ');
  const dots = bins.map(
    ({ predicted, truth, count }) =>
      `<circle cx="${x(predicted)}" cy="${y(truth)}" r="4"><title>${count} logins</title></circle>`,
  );
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (tick) =>
      `<text x="${x(tick)}" y="400" text-anchor="middle">${tick}</text><text x="50" y="${Number(y(tick)) + 4}" text-anchor="end">${tick}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 430 440" font-family="sans-serif" font-size="12">
<title>Reliability of the risk score: predicted against actual share of attacks, at even odds</title>
<rect width="430" height="440" fill="#fff"/>
<rect x="60" y="40" width="340" height="340" fill="none" stroke="#999"/>
<path d="M60 380L400 40" stroke="#999" stroke-dasharray="4"/>
${ticks.join('')}
<text x="230" y="425" text-anchor="middle">predicted</text>
<text x="16" y="210" text-anchor="middle" transform="rotate(-90 16 210)">actual</text>
<g fill="#0b57d0"><polyline fill="none" stroke="#0b57d0" points="${path}"/>${dots.join('')}</g>
</svg>
`;
}
