import type { ReasonRule } from '../reason.js';

/**
 * An agent declared itself to the customer's server, whether or not it is verified. This is no evidence against
 * automation: a verified agent is a program too.
 */
export const declaredAgent: ReasonRule<'declared_agent'> = {
  name: 'declared_agent',
  words: {
    title: 'Declared agent',
    explanation: 'The request came from a program that says which agent it is.',
    toVisitor: 'an agent is acting for you',
    raisedWhen: 'your server passed an [agent](agents.md) that declared itself, verified or not',
  },
  policy: { login: ['report'], signup: ['report'], referral: ['report'] },
  traits: [],
  detect: ({ request: { agent } }) => {
    if (!agent) return undefined;
    const { name, verified, problem } = agent;
    return { evidence: { agent: name, verified, ...(problem && { problem }) } };
  },
};
