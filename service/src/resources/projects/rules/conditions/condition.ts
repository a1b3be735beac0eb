import {
  type ASTNode,
  type TypeError as CelTypeError,
  Environment,
  EvaluationError,
  ParseError,
} from '@marcbachmann/cel-js';
import {
  type CounterName,
  counterArguments,
  counterCalls,
  counterFacts,
  counterWindows,
  maxCounterName,
  type NamedCounter,
  windowOf,
  withoutCalls,
} from './counters.js';
import { type CounterValue, conditionFacts, type FactName, type FactValues, factNames } from './facts.js';

/** Maximum length of a condition, in UTF-16 code units. */
export const maxConditionLength = 1000;

/** Bounds of a condition. Without loops, they also bound the time that it takes. */
const limits = { maxAstNodes: 200, maxDepth: 30, maxListElements: 100, maxMapEntries: 0, maxCallArguments: 3 };

/**
 * Functions that take time in proportion to one text at most. Regular expressions and macros, which loop, are missing.
 */
export const functions = ['size', 'int', 'double', 'string', 'counter'];
/** Functions of a text. */
export const methods = ['startsWith', 'endsWith', 'contains', 'lowerAscii', 'upperAscii', 'trim', 'size'];

/** What is wrong with a condition, in words, and the position where it is, from 1. */
export interface ConditionIssue {
  readonly message: string;
  readonly position?: number;
}

/** Result of a condition. `missing`: it reads metadata that the evaluation does not have. */
export type ConditionResult = 'matched' | 'unmatched' | 'missing' | 'failed';

/** Facts in the form that conditions read, from `bindFacts`. */
export type BoundFacts = Readonly<Record<string, unknown>>;

/** Condition that is ready to be evaluated. */
export interface Condition {
  /** Throws nothing. */
  readonly evaluate: (facts: BoundFacts) => ConditionResult;
  /** Facts that it names, without those in the names of counters. */
  readonly reads: ReadonlySet<FactName>;
  readonly counters: readonly NamedCounter[];
}

type Parsed = ReturnType<Environment['parse']>;

/** What the texts of rules can use. `counter()` is only checked: its value is read from `counters`. */
const environment = createEnvironment().registerFunction('counter(string, string): int', () => 0n);

/** Evaluates conditions in which calls of `counter()` are replaced. */
const countedEnvironment = createEnvironment().registerVariable('counters', 'map<string, int>');

/**
 * Compiles a condition in CEL (https://cel.dev), a language without loops, side effects or access to anything but the
 * facts. `@marcbachmann/cel-js` parses, checks and evaluates it.
 */
export function compileCondition(text: string): { readonly condition: Condition } | { readonly issue: ConditionIssue } {
  if (text.length > maxConditionLength)
    return { issue: { message: `is longer than ${maxConditionLength} characters` } };
  const parsed = parse(text);
  if (!('ast' in parsed)) return { issue: parsed };
  const issue = findForbidden(parsed.ast) ?? checkTypes(parsed);
  if (issue) return { issue };
  const calls = counterCalls(parsed.ast, partsOf);
  const ready = calls.length === 0 ? parsed : countedEnvironment.parse(withoutCalls(text, calls));
  const counters = calls.map(({ id, window, name, start, end }): NamedCounter => {
    const named = environment.parse(text.slice(name.start, name.end));
    return { id, text: text.slice(start, end), window, nameFor: (facts) => nameFor(named, facts) };
  });
  return { condition: { evaluate: (facts) => evaluate(ready, facts), reads: new Set(factsIn(parsed.ast)), counters } };
}

function nameFor(named: Parsed, facts: BoundFacts): CounterName {
  try {
    const text: unknown = named(facts);
    return typeof text === 'string' && text.length <= maxCounterName ? { text } : { problem: 'failed' };
  } catch (error) {
    return { problem: isMissingKey(error) ? 'missing' : 'failed' };
  }
}

function parse(text: string): Parsed | ConditionIssue {
  try {
    return environment.parse(text);
  } catch (error) {
    if (error instanceof ParseError) return issueOf(error);
    // The parser recurses before it counts the depth.
    if (error instanceof RangeError) return { message: 'is nested too deeply' };
    throw error;
  }
}

/** Returns the first call that is not allowed. */
function findForbidden(node: ASTNode): ConditionIssue | undefined {
  if (node.op === 'call' || node.op === 'rcall') {
    const [name] = node.args;
    const allowed = node.op === 'call' ? functions : methods;
    if (!allowed.includes(name)) {
      const known = [...functions, ...methods.map((method) => `.${method}`)].map((each) => `${each}()`).join(', ');
      return { message: `uses ${name}(), which is not available; available are ${known}`, position: node.start + 1 };
    }
  }
  const issue = counterIssue(node);
  if (issue) return issue;
  for (const part of partsOf(node)) {
    const found = findForbidden(part);
    if (found) return found;
  }
  return undefined;
}

/** Returns what is wrong with a call of `counter()`, except for types. */
function counterIssue(node: ASTNode): ConditionIssue | undefined {
  const given = counterArguments(node);
  if (!given) return undefined;
  const [name, window] = given;
  const at = ({ start }: ASTNode) => ({ position: start + 1 });
  if (!name || !window || given.length > 2) {
    return { message: `needs a name and a window: counter("card:" + metadata.card, "24h")`, ...at(node) };
  }
  if (!windowOf(window)) {
    const windows = counterWindows.map((each) => `"${each}"`).join(', ');
    return { message: `needs a window of counter() that is one of ${windows}`, ...at(window) };
  }
  const others = factsIn(name).filter((fact) => !counterFacts.some((each) => each === fact));
  if (others.length > 0 || counterCalls(name, partsOf).length > 0) {
    const known = counterFacts.join(', ');
    return { message: `has a name of counter() that reads something else than ${known}`, ...at(name) };
  }
  return undefined;
}

/**
 * Returns the facts that an expression names, without those in the names of counters. A group without a field, such as
 * `user["id"]`, stands for all its facts.
 */
function factsIn(node: ASTNode): FactName[] {
  if (counterArguments(node)) return [];
  if (node.op === '.' && node.args[0].op === 'id') {
    const name = `${node.args[0].args}.${node.args[1]}`;
    const known = factNames.filter((fact) => fact === name);
    if (known.length > 0) return known;
  }
  if (node.op === 'id') return factNames.filter((fact) => fact.split('.')[0] === node.args);
  return partsOf(node).flatMap(factsIn);
}

function partsOf(node: ASTNode): ASTNode[] {
  return [node.args]
    .flat(2)
    .filter((part): part is ASTNode => typeof part === 'object' && part !== null && 'op' in part);
}

function checkTypes(parsed: Parsed): ConditionIssue | undefined {
  const { valid, type, error } = parsed.check();
  if (!valid) return error ? issueOf(error) : { message: 'is not valid' };
  return type === 'bool' || type === 'dyn'
    ? undefined
    : { message: `must be true or false, and is of the type ${type}` };
}

function issueOf(error: ParseError | CelTypeError | EvaluationError): ConditionIssue {
  const [message = ''] = error.message.split('\n');
  const start = error.range?.start;
  return { message: `cannot be read: ${message}`, ...(start !== undefined && { position: start + 1 }) };
}

function evaluate(parsed: Parsed, facts: BoundFacts): ConditionResult {
  try {
    const result: unknown = parsed(facts);
    if (typeof result !== 'boolean') return 'failed';
    return result ? 'matched' : 'unmatched';
  } catch (error) {
    return isMissingKey(error) ? 'missing' : 'failed';
  }
}

/**
 * Facts that the checker knows are always there, so only a key of the metadata can be missing, or a counter that reads
 * one.
 */
function isMissingKey(error: unknown): boolean {
  return error instanceof EvaluationError && error.code === 'no_such_key';
}

/** Where conditions find each fact: `user.id` is the key `id` of the group `user`. */
const places = factNames.map((name) => {
  const [group = '', key] = name.split('.');
  return { name, group, key, isWhole: conditionFacts[name].type === 'int' };
});

/** Prepares facts for conditions, once for all of them: `user.id` becomes `{ user: { id } }`. */
export function bindFacts(values: Partial<FactValues>): BoundFacts {
  const bound: Record<string, unknown> = { counters: boundCounters(values.counters) };
  const groups: Record<string, Record<string, unknown>> = {};
  for (const { name, group, key, isWhole } of places) {
    const value = values[name];
    const shown = isWhole && typeof value === 'number' ? BigInt(Math.trunc(value)) : asMaps(value);
    if (key === undefined) {
      bound[group] = shown;
      continue;
    }
    const fields = groups[group] ?? {};
    fields[key] = shown;
    groups[group] = fields;
    bound[group] = fields;
  }
  return bound;
}

/** A missing value has no key, and a failed one has a value that no operator takes. */
function boundCounters(values: FactValues['counters']): ReadonlyMap<string, bigint | null> {
  const known = [...(values ?? [])].filter(([, value]) => value !== 'missing');
  const boundOf = (value: CounterValue) => (typeof value === 'number' ? BigInt(value) : null);
  return new Map(known.map(([id, value]) => [id, boundOf(value)]));
}

/** Returns JSON with maps in place of objects, whose keys could hide what an object inherits, such as `constructor`. */
function asMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asMaps);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, part]) => [key, asMaps(part)]));
}

function createEnvironment(): Environment {
  const created = new Environment({ limits });
  const groups = new Map<string, Record<string, string>>();
  for (const [name, { type }] of Object.entries(conditionFacts)) {
    const [group = '', key] = name.split('.');
    if (key === undefined) created.registerVariable(group, type);
    else groups.set(group, { ...groups.get(group), [key]: type });
  }
  for (const [name, schema] of groups) created.registerVariable({ name, schema });
  return created;
}
