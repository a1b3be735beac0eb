import { fromOutcome, toExpression } from './script';
import type { TestPage } from './types';

/** Evaluates scripts in the same way in all engines. Each has its own way to run an expression. */
export abstract class ScriptedPage {
  /** Resolves to the result of the expression's promise: the string described at `toExpression`. */
  protected abstract run(expression: string): Promise<unknown>;

  evaluate: TestPage['evaluate'] = async (script, ...args) => fromOutcome(await this.run(toExpression(script, args)));
}
