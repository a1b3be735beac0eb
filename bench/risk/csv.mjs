import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { dayMs, groupBy } from '../../service/dist/testing.js';

/** The columns of the public data set (github.com/das-group/rba-dataset). Others are ignored. */
const columns = {
  at: 'Login Timestamp',
  user: 'User ID',
  address: 'IP Address',
  country: 'Country',
  region: 'Region',
  city: 'City',
  asn: 'ASN',
  userAgent: 'User Agent String',
  browser: 'Browser Name and Version',
  os: 'OS Name and Version',
  kind: 'Device Type',
  succeeded: 'Login Successful',
  attackAddress: 'Is Attack IP',
  takeover: 'Is Account Takeover',
};

/** Splits one line by the rules of RFC 4180. Fields of this data set contain no line breaks. */
export function splitLine(line) {
  const fields = [];
  let field = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at];
    if (isQuoted && sign === '"' && line[at + 1] === '"') {
      field += sign;
      at++;
    } else if (sign === '"') isQuoted = !isQuoted;
    else if (sign === ',' && !isQuoted) {
      fields.push(field);
      field = '';
    } else field += sign;
  }
  return [...fields, field];
}

/**
 * Reads attempts from a file in the format of the public data set. It has no fingerprints, so the user agent stands on
 * every level of the device, and there are no proofs. Rows with an empty address, ASN or user agent are skipped.
 *
 * @param limit The number of rows to read; the whole set has 31 million.
 */
export async function* readCsv(path, { limit = Infinity } = {}) {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  let at;
  let rows = 0;
  for await (const line of lines) {
    if (!at) {
      const names = splitLine(line.replace(/^\uFEFF/, ''));
      at = Object.fromEntries(Object.entries(columns).map(([key, name]) => [key, names.indexOf(name)]));
      const missing = Object.entries(at)
        .filter(([, index]) => index < 0)
        .map(([key]) => columns[key]);
      if (missing.length > 0) throw new Error(`${path} has no column "${missing.join('", "')}"`);
      continue;
    }
    if (rows++ >= limit) return;
    const attempt = attemptOf(splitLine(line), at);
    if (attempt) yield attempt;
  }
}

function attemptOf(fields, at) {
  const get = (key) => fields[at[key]] ?? '';
  const time = Date.parse(`${get('at').replace(' ', 'T')}Z`);
  if (Number.isNaN(time) || !get('address') || !get('asn') || !get('userAgent')) return undefined;
  const isTrue = (key) => get(key).toLowerCase() === 'true';
  const userAgent = get('userAgent');
  return {
    at: time,
    hour: new Date(time).getUTCHours() + new Date(time).getUTCMinutes() / 60,
    user: get('user'),
    outcome: isTrue('succeeded') ? 'succeeded' : 'failed',
    place: {
      address: get('address'),
      network: get('address').slice(0, get('address').lastIndexOf('.')),
      asn: Number(get('asn')),
      country: get('country'),
      region: get('region'),
      city: get('city'),
    },
    shown: {
      fingerprint: userAgent,
      recognisable: userAgent,
      hardware: `${get('os')} ${get('kind')}`,
      descriptor: `${get('os')} ${get('browser').split(' ')[0]}`,
      version: get('browser'),
      userAgent,
      browserVersion: get('browser'),
      os: get('os'),
      kind: get('kind'),
    },
    kept: {},
    proofDraw: 1,
    truth: { who: isTrue('takeover') ? 'takeover' : isTrue('attackAddress') ? 'attack address' : 'owner' },
  };
}

/**
 * Reads a file as a trace. Its attackers take their places and browsers from other people's logins in the file, as in
 * Wiefling, Dürmuth and Lo Iacono (FC 2021). A copied user agent is the most that can be copied here.
 */
export async function readTrace(path, { limit }) {
  const logins = [];
  for await (const attempt of readCsv(path, { limit })) logins.push(attempt);
  logins.sort((a, b) => a.at - b.at);
  if (logins.length === 0) throw new Error(`${path} has no complete rows`);
  const first = logins[0].at;
  const users = new Map();
  for (const login of logins) {
    login.day = (login.at - first) / dayMs;
    if (login.outcome === 'succeeded') users.set(login.user, true);
  }
  const groups = {
    country: groupBy(logins, ({ place }) => place.country),
    asn: groupBy(logins, ({ place }) => `${place.asn} ${place.city}`),
  };
  const days = logins[logins.length - 1].day;
  return {
    people: [...users.keys()],
    logins,
    days,
    from: days / 2,
    attackers: ['naive', 'vpn', 'targeted'],
    attack: attackFrom(logins, groups),
  };
}

function attackFrom(logins, { country, asn }) {
  const pick = (random, { user }, list) => {
    let other;
    // A small provider may have no other customers.
    for (let round = 0; round < 20 && (!other || other.user === user); round++)
      other = list[Math.floor(random() * list.length)];
    return other;
  };
  const near = ({ place }) => asn.get(`${place.asn} ${place.city}`);
  const others = {
    naive: (random, login) => pick(random, login, logins),
    vpn: (random, login) => pick(random, login, country.get(login.place.country)),
    targeted: (random, login) => ({ place: pick(random, login, near(login)).place, shown: login.shown }),
  };
  return (name, random, { login }) => {
    const { place, shown } = others[name](random, login);
    return {
      ...login,
      place,
      shown,
      hour: random() * 24,
      proofDraw: 1,
      failures: 0,
      truth: { ...login.truth, who: name },
    };
  };
}
