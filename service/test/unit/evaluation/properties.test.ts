import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Verdict } from 'whorl/wire';
import { verdictOfDecisions, withoutWords } from '../../../src/evaluation/rules/decision.js';
import type { Facts } from '../../../src/evaluation/rules/facts.js';
import { judge } from '../../../src/evaluation/rules/judge.js';
import { decodeRisk, encodeRisk } from '../../../src/evaluation/rules/risk/stored-risk.js';
import { tryRules } from '../../../src/evaluation/rules/rule-basis.js';
import { decodeBasis, encodeBasis } from '../../../src/evaluation/rules/stored-basis.js';
import { decisionsFrom } from '../../../src/evaluation/rules/stored-decisions.js';
import type { StoredRisk } from '../../../src/ground/vocabulary.js';
import { anyFacts, holds, rules } from './any-facts.js';
import { defaultAddress, defaultDevice, facts } from './facts.js';

/** Returns the effective verdict, in observe mode the observed one. */
function verdictOf(given: Facts): Verdict {
  const { verdict, observedVerdict } = judge(given);
  return observedVerdict ?? verdict;
}

const challenging: readonly Verdict[] = ['challenge', 'challenge_and_restrict'];
const restricting: readonly Verdict[] = ['restrict', 'challenge_and_restrict'];

/** Returns whether a verdict is no stricter than another in any respect. */
function isNoStricter(left: Verdict, right: Verdict): boolean {
  if (right === 'deny') return true;
  if (left === 'deny') return false;
  const addsEffect = (list: readonly Verdict[]) => list.includes(left) && !list.includes(right);
  return !addsEffect(challenging) && !addsEffect(restricting);
}

/** Returns the facts with a trusted device at a trusted address. Blocks remain. */
function withTrust(given: Facts): Facts {
  const { device, address } = given;
  const status = device?.status === 'blocked' ? 'blocked' : 'attached';
  return {
    ...given,
    device: { ...defaultDevice, ...device, status, trusted: true, knowsVariant: true },
    address: { ...defaultAddress, ...address, trusted: true },
  };
}

/** Returns the facts without explicit blocks. */
function unblocked(given: Facts): Facts {
  return {
    ...given,
    user: { ...given.user, status: 'active' },
    device: given.device && {
      ...given.device,
      status: given.device.status === 'blocked' ? 'attached' : given.device.status,
    },
    lists: given.lists.filter(({ effect }) => effect !== 'block'),
  };
}

/** Returns the facts without the project's rules, which may deny, and challenge anybody at other actions than `login`. */
function withoutRules(given: Facts): Facts {
  return { ...given, settings: { ...given.settings, rules: [] } };
}

/** Returns the facts without effects `deny` of the project's policy, of which weak evidence leaves a challenge. */
function withoutDenials(given: Facts): Facts {
  const milder = Object.entries(given.settings.policy).map(([action, effects]) => [
    action,
    Object.fromEntries(Object.entries(effects).filter(([, effect]) => effect !== 'deny')),
  ]);
  return { ...given, settings: { ...given.settings, policy: Object.fromEntries(milder) } };
}

// Each test evaluates hundreds of facts, which takes long on a shared processor.
const slow = { timeout: 60_000 };

describe('for all facts', slow, () => {
  test('judge never throws, and names each reason once', () => {
    holds((given) => {
      const named = judge(given).findings.map(({ reason }) => reason);
      expect(new Set(named).size).toBe(named.length);
    });
  });

  test('judge is deterministic, and does not change the facts', () => {
    holds((given) => {
      const before = structuredClone(given);
      expect(judge(given)).toEqual(judge(given));
      expect(given).toEqual(before);
    });
  });

  test('a risk is stored without its sentences, and read back as it was', () => {
    holds((given) => {
      const { risk } = judge(given);
      if (!risk) return;
      const stored = encodeRisk(risk);
      expect(decodeRisk(stored)).toEqual(risk);
      const [, ...contributions]: StoredRisk = JSON.parse(stored);
      for (const [, , ...sentences] of contributions) expect(sentences.every(Array.isArray)).toBe(true);
    });
  });

  test('a trusted device at a trusted address is not challenged', () => {
    holds((given) => {
      const trusted = withTrust(withoutDenials(unblocked(given)));
      expect(challenging).not.toContain(verdictOf(given.action === 'login' ? trusted : withoutRules(trusted)));
    });
  });

  test('other users with only the same fingerprint change no verdict', () => {
    holds((given) => {
      const alike = { sameAddress: false, sameContact: false, sameKey: false };
      const common: Facts = {
        ...given,
        match: { ...given.match, crowd: 1 },
        // During the learning days, they prevent trust without a challenge.
        settings: { ...given.settings, learning_days: 0 },
      };
      const many: Facts = { ...common, others: given.others.map((one) => ({ ...one, ...alike })) };
      expect(verdictOf(many)).toBe(verdictOf({ ...common, others: [] }));
    });
  });

  test('deny requires proof, an explicit block, or a driven browser', () => {
    holds((given) => {
      const plain = unblocked(withoutRules({ ...given, settings: { ...given.settings, policy: {} } }));
      if (verdictOf(plain) !== 'deny') return;
      const rests = judge(plain).findings.some(
        ({ reason, strength }) => reason === 'automation' || strength === 'proven',
      );
      expect(rests).toBe(true);
    });
  });

  test('an address alone never denies, regardless of settings', () => {
    holds((given) => {
      const calm = facts({ action: given.action });
      const settings = { ...calm.settings, policy: given.settings.policy };
      const { address, usersAtAddress } = given;
      expect(verdictOf({ ...calm, settings, address, usersAtAddress })).not.toBe('deny');
    });
  });

  test('on an allow list only blocks are enforced', () => {
    holds((given) => {
      const lists = [...given.lists, { id: 'allowing', kind: 'user', effect: 'allow' } as const];
      expect(verdictOf(unblocked({ ...given, lists }))).toBe('allow');
    });
  });

  test('observe mode allows, and reports the observed verdict', () => {
    holds((given) => {
      const as = (mode: 'enforce' | 'observe') => judge({ ...given, settings: { ...given.settings, mode } });
      const judge_by = given.settings.judge_by === 'rules' ? 'risk' : 'rules';
      const alternativeVerdict = judge({
        ...given,
        settings: { ...given.settings, mode: 'enforce', judge_by },
      }).verdict;
      const verdicts = { verdict: 'allow', observedVerdict: as('enforce').verdict, alternativeVerdict };
      const { decisions, ...observed } = as('observe');
      const { decisions: _, ...enforced } = as('enforce');
      expect(observed).toEqual({ ...enforced, ...verdicts });
      expect(verdictOfDecisions(decisions)).toBe('allow');
    });
  });

  test('a publishable key never creates trust', () => {
    holds((given) => {
      const judgement = judge({ ...given, isTrustedCaller: false });
      expect(judgement).toMatchObject({ trustsFirstDevice: false, trustsAddress: false });
    });
  });

  test('nothing becomes trusted unless the verdict is allow', () => {
    holds((given) => {
      const signup: Facts = {
        ...given,
        action: 'signup',
        isTrustedCaller: true,
        user: { ...given.user, exists: false },
      };
      if (judge(signup).trustsFirstDevice) expect(verdictOf(signup)).toBe('allow');
    });
  });

  test('evidence contains no personal data', () => {
    holds((given) => {
      const marked: Facts = {
        ...given,
        request: { ...given.request, emailDomain: 'secret-person.mailinator.com' },
        address: given.address && { ...given.address, ip: '198.51.100.77' },
      };
      expect(JSON.stringify(judge(marked).findings)).not.toMatch(/secret|198\.51/);
    });
  });
});

describe('other rules', slow, () => {
  test('tried on what an evaluation stores decide as if it had been judged with them', () => {
    fc.assert(
      fc.property(anyFacts, rules, (any, others) => {
        const given: Facts = { ...any, isTrustedCaller: true };
        const { basis, findings } = judge(given);
        if (!basis) throw new Error('no basis');
        const address = given.address?.info ?? null;
        const columns = { reasons: findings.map(({ reason }) => reason), address };
        const request = { metadata: given.request.metadata, email_domain: basis.values['email.domain'] };
        const stored = decodeBasis(
          encodeBasis(basis, columns),
          {
            ...columns,
            action: given.action,
            outcome: given.outcome,
            external_user: given.user.externalId,
            ip: given.address?.ip ?? null,
          },
          request,
        );
        expect(stored).toEqual({ basis, unknown: new Set() });
        const { mode } = given.settings;
        const { decisions } = judge({ ...given, settings: { ...given.settings, rules: [] } });
        expect(decisionsFrom(stored.basis, mode === 'observe')).toEqual(decisions.map(withoutWords));
        const judged = { ...given, settings: { ...given.settings, rules: others } };
        expect(tryRules(stored.basis, others, given.settings).verdict).toBe(verdictOf(judged));
      }),
      { numRuns: 400 },
    );
  });

  test('do not apply to requests of pages, which store nothing for them', () => {
    holds((given) => {
      const claimed = { ...given, isTrustedCaller: false };
      const without = { ...claimed, settings: { ...given.settings, rules: [] } };
      expect(judge(claimed)).toEqual(judge(without));
      expect(judge(claimed).basis).toBeUndefined();
    });
  });
});

describe('less evidence never leads to a stricter verdict', slow, () => {
  const lessening: Record<string, (given: Facts) => Facts> = {
    'no others': (given) => ({ ...given, others: [] }),
    'one other less': (given) => ({ ...given, others: given.others.slice(1) }),
    'a common fingerprint': (given) => ({ ...given, match: { ...given.match, crowd: 1 } }),
    'nobody else at the address': (given) => ({ ...given, usersAtAddress: 0 }),
    'no other device active': (given) => ({ ...given, active: [] }),
    'no devices that count': (given) => ({ ...given, attached: { overall: 0, mobile: 0, tablet: 0, desktop: 0 } }),
    'no referrer': (given) => ({ ...given, referrer: undefined }),
    'no mail address': (given) => ({ ...given, request: { ...given.request, emailDomain: undefined } }),
    'no User-Agent': (given) => ({ ...given, request: { ...given.request, userAgent: undefined } }),
    'clean integrity': ({ request: { parsed, ...asked }, ...given }) => ({
      ...given,
      request: { ...asked, parsed: parsed && { ...parsed, integrity: 0 } },
    }),
    'an active user': (given) => ({ ...given, user: { ...given.user, status: 'active' } }),
    'nothing blocked': (given) => ({ ...given, lists: given.lists.filter(({ effect }) => effect !== 'block') }),
  };

  test.each(Object.entries(lessening))('%s', (_name, lessen) => {
    // A rule may do anything with what it reads.
    holds((all) => {
      const given = withoutRules(all);
      expect(isNoStricter(verdictOf(lessen(given)), verdictOf(given))).toBe(true);
    });
  });

  test('more trust', () => {
    holds((all) => {
      const given = withoutRules(all);
      const somewhere: Facts = { ...given, address: given.address ?? { ...defaultAddress, trusted: false } };
      expect(isNoStricter(verdictOf(withTrust(somewhere)), verdictOf(somewhere))).toBe(true);
    });
  });
});
