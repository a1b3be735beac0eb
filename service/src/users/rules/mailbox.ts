import validator from 'validator';

export interface Mailbox {
  /** The part before the @. */
  readonly name: string;
  readonly domain: string;
}

interface Provider {
  readonly domains: readonly string[];
  /** What a tag begins with. */
  readonly tag: '+' | '-';
  /** Makes those spellings one that the provider delivers to one mailbox. */
  readonly fold?: (name: string) => string;
}

const under = (name: string, ends: string): string[] => ends.split(' ').map((end) => `${name}.${end}`);

const fastmail = [
  ...under('fastmail', 'ca cn co.uk com com.au de es fm im in jp mx net nl org se to tw uk us'),
  'messagingengine.com',
];

/**
 * What validator's normalizeEmail lacks. It knows Gmail (dots, tags, googlemail.com), Yandex's domains, and the tags at
 * some domains of Apple and Microsoft.
 */
const providers: readonly Provider[] = [
  { tag: '+', domains: ['mac.com'] },
  {
    tag: '+',
    domains: [
      'windowslive.com',
      ...under('hotmail', 'com.au com.hk com.tw fi nl no se'),
      ...under(
        'live',
        'at ca ch cl cn co.kr co.za com.ar com.au com.mx com.my com.pt com.sg dk fi hk ie in jp no ru se',
      ),
    ],
  },
  { tag: '+', domains: fastmail },
  {
    // Proton's own applications fold names in this way.
    tag: '+',
    domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    fold: (name) => name.replace(/[._-]/g, ''),
  },
  {
    // The library makes yandex.ru of the other domains. A dot and a hyphen are the same there.
    tag: '+',
    domains: ['yandex.ru'],
    fold: (name) => name.replaceAll('.', '-'),
  },
  {
    // Disposable addresses are `name-keyword`, and a name holds no hyphen.
    tag: '-',
    domains: [
      ...['myyahoo.com', 'rocketmail.com', 'ymail.com'],
      ...under('yahoo', 'ca co.id co.in co.uk com com.ar com.au com.br com.hk com.mx com.ph com.sg com.tw com.vn'),
      ...under('yahoo', 'de dk es fr gr ie in it no pl ro se'),
    ],
  },
  { tag: '+', domains: [...under('zoho', 'com eu in'), ...under('zohomail', 'com eu in')] },
  { tag: '+', domains: ['hey.com', 'mailbox.org', 'posteo.de', 'posteo.net', 'runbox.com'] },
];

const providerOf = new Map(
  providers.flatMap((provider) => provider.domains.map((domain) => [domain, provider] as const)),
);

/**
 * The mailbox that an address reaches, given in lower case: without what its provider ignores. Domains of one's own that
 * a provider serves cannot be seen from the address, so that tags stay there.
 */
export function mailboxOf(name: string, domain: string): Mailbox {
  // With `yahoo_remove_subaddress` it would leave another part of `a-b-c`, each time it is asked.
  const folded = validator.normalizeEmail(`${name}@${domain}`, { yahoo_remove_subaddress: false });
  // It answers false where nothing stands before the tag.
  if (folded === false) return { name, domain };
  const at = folded.lastIndexOf('@');
  return withoutTag(tagFromSubdomain({ name: folded.slice(0, at), domain: folded.slice(at + 1) }));
}

/** At Fastmail `tag@name.fastmail.com` reaches `name@fastmail.com`. */
function tagFromSubdomain({ name, domain }: Mailbox): Mailbox {
  const [owner = '', ...rest] = domain.split('.');
  const parent = rest.join('.');
  return fastmail.includes(parent) ? { name: owner, domain: parent } : { name, domain };
}

function withoutTag({ name, domain }: Mailbox): Mailbox {
  const provider = providerOf.get(domain);
  if (!provider) return { name, domain };
  const [base = ''] = name.split(provider.tag);
  const folded = provider.fold?.(base) ?? base;
  // Nothing would be left of an address that the provider cannot have given.
  return { name: folded === '' ? name : folded, domain };
}
