import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { withParents } from '../../../resources/lists/rules/hits.js';
import type { ReasonRule } from '../reason.js';

const disposableDomains = disposableEmailBlocklistSet();

/** Returns the domain, or its parent domain, that is on the list of disposable domains. */
export function disposableDomainOf(domain: string): string | undefined {
  return withParents(domain).find((name) => disposableDomains.has(name));
}

/** The email domain, or a parent domain, is on the list of disposable domains. */
export const disposableEmail: ReasonRule<'disposable_email'> = {
  name: 'disposable_email',
  words: {
    title: 'Disposable email address',
    explanation: 'The email address comes from a provider of disposable addresses.',
    toVisitor: 'the email address is disposable',
    raisedWhen: 'the email domain, or a parent domain, is on a maintained list of disposable domains',
  },
  policy: { login: ['off'], signup: ['restrict'], referral: ['restrict'] },
  traits: [],
  detect: ({ request }) => {
    const found = disposableDomainOf(request.emailDomain ?? '');
    return found === undefined ? undefined : { evidence: { domain: found } };
  },
};
