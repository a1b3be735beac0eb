import validator from 'validator';

export interface Mailbox {
  /** The part before the @. */
  readonly name: string;
  readonly domain: string;
}

interface Provider {
  readonly domains: readonly string[];
  /** Character that separates a tag from the name. */
  readonly tag: '+' | '-';
  /** Returns the same name for all spellings that the provider delivers to one mailbox. */
  readonly fold?: (name: string) => string;
}

const under = (name: string, ends: string): string[] => ends.split(' ').map((end) => `${name}.${end}`);

const fastmail = [
  ...under('fastmail', 'ca cn co.uk com com.au de es fm im in jp mx net nl org se to tw uk us'),
  'messagingengine.com',
];

/**
 * Providers that validator's normalizeEmail does not support. It supports Gmail (dots, tags, googlemail.com), Yandex's
 * domains, and tags at some domains of Apple and Microsoft.
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
    // Proton's own applications normalise names like this.
    tag: '+',
    domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    fold: (name) => name.replace(/[._-]/g, ''),
  },
  {
    // The library replaces Yandex's other domains with yandex.ru. Dots and hyphens are equivalent there.
    tag: '+',
    domains: ['yandex.ru'],
    fold: (name) => name.replaceAll('.', '-'),
  },
  {
    // Disposable addresses have the form `name-keyword`, and names cannot contain hyphens.
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
 * Returns the mailbox of a lower-case address, without the parts that its provider ignores. Custom domains hosted by a
 * provider cannot be recognised from the address, so their tags are kept.
 */
export function mailboxOf(name: string, domain: string): Mailbox {
  // With `yahoo_remove_subaddress`, each call would remove one more part of `a-b-c`.
  const folded = validator.normalizeEmail(`${name}@${domain}`, { yahoo_remove_subaddress: false });
  // It returns false if nothing precedes the tag.
  if (folded === false) return { name, domain };
  const at = folded.lastIndexOf('@');
  return withoutTag(tagFromSubdomain({ name: folded.slice(0, at), domain: folded.slice(at + 1) }));
}

/** Returns a domain, and the one under which its provider has the same mailboxes: `googlemail.com` and `gmail.com`. */
export function mailDomainsOf(domain: string): string[] {
  return [...new Set([domain, mailboxOf('name', domain).domain])];
}

/** Fastmail delivers `tag@name.fastmail.com` to `name@fastmail.com`. */
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
  // The name would be empty if the provider cannot have assigned this address.
  return { name: folded === '' ? name : folded, domain };
}
