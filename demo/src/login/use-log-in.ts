import { useCallback, useEffect, useRef, useState } from 'react';
import { onDetached, WhorlError } from 'whorl';
import type { LogIn, Problem, SessionAnswer } from '../../server/api.js';
import { post, RequestError, readSession } from './api.js';
import { goOnByBrowser } from './enter.js';
import { takeReturn } from './service-page.js';

export interface LogInState {
  /** What `evaluate` needs; absent until the server has told. */
  readonly whorl?: SessionAnswer['whorl'];
  /** Where the visitor stands; absent until the server has told. */
  readonly logIn?: LogIn;
  /** Why the last try came to nothing. A new object each time, so that it can be told again. */
  readonly problem?: Problem;
  /** What is being done now. */
  readonly doing?: string;
}

/** Does a step, which says in words what it is doing, and answers where the visitor stands then, if that has changed. */
export type Step = (say: (doing: string) => void) => Promise<LogIn | undefined>;

export interface LogInControl extends LogInState {
  /** Not while another step is being done. */
  readonly run: (step: Step) => Promise<void>;
  readonly logOut: () => Promise<void>;
}

/** Where the visitor stands, as the demo's server knows it, and the way on. */
export function useLogIn(): LogInControl {
  const [state, setState] = useState<LogInState>({});
  useEffect(() => {
    readSession().then(
      (session) => setState((earlier) => ({ ...earlier, ...session })),
      (error: unknown) => setState({ problem: problemOf(error) }),
    );
  }, []);
  const { whorl, logIn } = state;
  const deviceToken = logIn?.step === 'signed_in' ? logIn.deviceToken : undefined;
  useEffect(() => {
    if (!whorl || !deviceToken) return undefined;
    const signOut = () => setState({ whorl, logIn: { step: 'signed_out' }, problem: signedOutElsewhere });
    return onDetached({ deviceToken, baseUrl: whorl.baseUrl, onDetached: signOut });
  }, [whorl, deviceToken]);
  const run = useCallback(async (step: Step) => {
    const say = (doing: string) => setState(({ problem: _, ...earlier }) => ({ ...earlier, doing }));
    say('Asking the server…');
    try {
      const logIn = await step(say);
      setState(({ doing: _, problem: __, ...earlier }) => ({ ...earlier, ...(logIn && { logIn }) }));
    } catch (error) {
      const problem = problemOf(error);
      setState(({ doing: _, ...earlier }) => ({
        ...earlier,
        problem,
        // The server has ended this login.
        ...(problem.code === 'not_there' && { logIn: { step: 'signed_out' } as const }),
      }));
    }
  }, []);
  const logOut = useCallback(() => run(() => post('log-out')), [run]);
  useReturn(state, run);
  return { ...state, run, logOut };
}

/** Goes on with a login for whoever comes back from the service's challenge page. */
function useReturn({ whorl, logIn }: LogInState, run: LogInControl['run']): void {
  const hasReturned = useRef<boolean>(undefined);
  useEffect(() => {
    hasReturned.current ??= takeReturn();
    if (!hasReturned.current || !whorl || !logIn) return;
    hasReturned.current = false;
    if (logIn.step === 'challenge') void run(() => post('challenge/check'));
    if (logIn.step === 'evaluate') void run(goOnByBrowser(whorl, logIn.user));
  }, [whorl, logIn, run]);
}

const signedOutElsewhere: Problem = { code: 'detached', message: 'This device was signed out from elsewhere.' };

function problemOf(error: unknown): Problem {
  if (error instanceof RequestError) return error.problem;
  if (error instanceof WhorlError) return { code: error.code, message: `${error.message} (${error.code})` };
  return { code: 'internal', message: `Something went wrong in this page: ${error}` };
}
