/** What the application should do with an action (docs/verdicts.md). */
export type Verdict = 'allow' | 'challenge' | 'restrict' | 'challenge_and_restrict' | 'deny';

/**
 * How strong the evidence is that two evaluations come from one device: the fingerprint alone, the fingerprint and
 * something that look-alike devices do not share, or the same key.
 */
export type Strength = 'fingerprint' | 'corroborated' | 'proven';

/**
 * What made the effect of a reason milder than the policy says (docs/verdicts.md). `trust`: a trusted device at a trusted
 * address is never challenged. `address_change`: a trusted device may change its address. `allow_entry`: an entry of a
 * list allows the user, the device, the address or what belongs to it. `rule`: a rule of the project decided.
 * `completed_challenge`: the challenge was already completed. `weak_evidence`: the evidence is too weak for the effect.
 * `risk_score`: the risk score challenges in place of the reason. `takeover_protection_off`: the project switched account
 * takeover protection off. `learning_days`: the project is learning. `test_key`: the reason is only reported for test keys.
 * `observe_mode`: the project only observes. `shadow`: the rule is in shadow. `rule_failed`: the rule's condition failed.
 */
export type Excuse =
  | 'trust'
  | 'address_change'
  | 'allow_entry'
  | 'rule'
  | 'completed_challenge'
  | 'weak_evidence'
  | 'risk_score'
  | 'takeover_protection_off'
  | 'learning_days'
  | 'test_key'
  | 'observe_mode'
  | 'shadow'
  | 'rule_failed';

/** What a rule of a project does: a verdict, which decides, or a mark (docs/rules.md). */
export type RuleEffect = Verdict | 'review' | 'report' | 'tag';

/** What an entry of a list names (docs/lists.md). */
export type ListKind = 'device' | 'hardware' | 'user' | 'address' | 'asn' | 'country' | 'email_domain';

/** `block`: denied. `allow`: only blocks are enforced. `review`: reported, without effect on the verdict. */
export type ListEffect = 'block' | 'allow' | 'review';

/** How a fingerprint was recognised. */
export type MatchedBy = 'exact' | 'key' | 'last' | 'facets' | 'new';

/**
 * The result of checking the proof of an evaluation: `valid`, or why it is ignored. `malformed`: not a proof of
 * this package, or not signed with the key that it contains. `wrong_nonce`: this service did not issue the nonce for
 * the project and world of the API key. `expired`: the nonce's 5 minutes had passed. `wrong_time`: created outside that
 * time, by the page's clock. `wrong_origin`: created in a page whose origin the project does not allow.
 * `wrong_fingerprint`: created with another fingerprint than the request's. `replayed`: the nonce was already used.
 */
export type ProofOutcome =
  | 'valid'
  | 'malformed'
  | 'wrong_nonce'
  | 'expired'
  | 'wrong_time'
  | 'wrong_origin'
  | 'wrong_fingerprint'
  | 'replayed';

/**
 * Why an agent that declares itself could not be verified. `unsigned`: no signature for Web Bot Auth. `malformed`: a header
 * that cannot be read, or a missing parameter. `incomplete`: the signature does not cover the host or `Signature-Agent`.
 * `unsupported`: an algorithm, component or kind of directory that the client does not know. `not_yet_valid`: signed in
 * the future. `expired`: expired, or signed more than 24 hours ago. `unknown_agent`: not one of the agents that you
 * named. `unknown_key`: not one of the agent's keys. `keys_unavailable`: the agent's directory could not be read.
 * `signature_mismatch`: signed with another key, or for another host or request.
 */
export type AgentProblem =
  | 'unsigned'
  | 'malformed'
  | 'incomplete'
  | 'unsupported'
  | 'not_yet_valid'
  | 'expired'
  | 'unknown_agent'
  | 'unknown_key'
  | 'keys_unavailable'
  | 'signature_mismatch';

/** An agent that declares itself with Web Bot Auth (docs/agents.md): the result of `verifyAgent`. */
export interface DeclaredAgent {
  /** Your name for a known agent. Otherwise the host that it names, or `unknown`. At most 256 characters. */
  name: string;
  /** Whether a key of the agent signed the request. */
  verified: boolean;
  /** Why it is not verified. */
  problem?: AgentProblem;
}

export type DeviceKind = 'mobile' | 'tablet' | 'desktop' | 'unknown';

/**
 * `pending`: its challenge is not completed. `blocked`: every evaluation from it is denied.
 */
export type DeviceStatus = 'attached' | 'detached' | 'pending' | 'blocked';

/**
 * The kind of network that an address belongs to. `relay`: a privacy relay of a browser maker. `mobile`: the network of
 * a mobile operator, in which many phones share one address.
 */
export type AddressKind = 'hosting' | 'vpn' | 'proxy' | 'tor' | 'relay' | 'mobile';

/**
 * A fact that the risk score rests on. `prior`: what is expected before anything is known. `device` to `failures` compare
 * a login with the user's earlier ones. `automation` to `fingerprint` are about sign-ups and referrals, as is `failures`
 * there: failed attempts of other users.
 */
export type RiskFact =
  | 'prior'
  | 'device'
  | 'proof'
  | 'address'
  | 'kind'
  | 'travel'
  | 'time'
  | 'history'
  | 'failures'
  | 'automation'
  | 'tampering'
  | 'email'
  | 'accounts'
  | 'referrer'
  | 'velocity'
  | 'fingerprint';

export type ChallengeStatus = 'pending' | 'completed' | 'skipped' | 'expired';

export type UserStatus = 'active' | 'suspended';

/** The actions with a column in the policy table. Any other name of `[a-z0-9_]{1,64}` is judged as `login`. */
export type Action = 'login' | 'signup' | 'referral' | 'password_reset' | 'payment' | (string & {});

/**
 * Whether the action passed the application's own checks. `failed`: a wrong password, a wrong second factor or a
 * declined card.
 */
export type Outcome = 'succeeded' | 'failed';

export type FeedbackLabel = 'fraud' | 'legitimate';

/** A point in time: ISO 8601, UTC, with milliseconds. */
export type Timestamp = string;

/** Free-form data of the customer. */
export type Metadata = Record<string, unknown>;
