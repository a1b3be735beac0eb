import { useCallback, useEffect, useRef, useState } from 'react';
import { onDetached, prepare, WhorlError } from 'whorl';
import type { LogIn, Problem, SessionResponse } from '../../server/api.js';
import { post, RequestError, readSession } from './api.js';
import { continueByBrowser } from './enter.js';
import { takeReturn } from './service-page.js';
import { serviceUnreachable } from './words.js';

export interface LogInState {
  /** The options for `evaluate`. Absent until the server has responded. */
  readonly whorl?: SessionResponse['whorl'];
  /** The visitor's state. Absent until the server has responded. */
  readonly logIn?: LogIn;
  /** Why the last attempt failed. A new object each time, so that it is announced again. */
  readonly problem?: Problem;
  /** The current activity, in words. */
  readonly doing?: string;
}

/** Performs a step. Reports its activity in words, and returns the visitor's new state if it has changed. */
export type Step = (setActivity: (doing: string) => void) => Promise<LogIn | undefined>;

export interface LogInControl extends LogInState {
  /** Does nothing while another step is running. */
  readonly run: (step: Step) => Promise<void>;
  readonly logOut: () => Promise<void>;
}

/** Returns the visitor's state, as the demo's server knows it, and the means to change it. */
export function useLogIn(): LogInControl {
  const [state, setState] = useState<LogInState>({});
  useEffect(() => {
    // Reads the browser while the visitor types, so that the login does not wait for it.
    void prepare();
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
    const setActivity = (doing: string) => setState(({ problem: _, ...earlier }) => ({ ...earlier, doing }));
    setActivity('Contacting the server…');
    try {
      const logIn = await step(setActivity);
      setState(({ doing: _, problem: __, ...earlier }) => ({ ...earlier, ...(logIn && { logIn }) }));
    } catch (error) {
      const problem = problemOf(error);
      setState(({ doing: _, ...earlier }) => ({
        ...earlier,
        problem,
        ...(problem.logIn && { logIn: problem.logIn }),
        // The server has ended this login.
        ...(problem.code === 'not_there' && { logIn: { step: 'signed_out' } as const }),
      }));
    }
  }, []);
  const logOut = useCallback(() => run(() => post('log-out')), [run]);
  useReturn(state, run);
  return { ...state, run, logOut };
}

/** Continues a login after the visitor returns from the service's challenge page. */
function useReturn({ whorl, logIn }: LogInState, run: LogInControl['run']): void {
  const hasReturned = useRef<boolean>(undefined);
  useEffect(() => {
    hasReturned.current ??= takeReturn();
    if (!hasReturned.current || !whorl || !logIn) return;
    hasReturned.current = false;
    if (logIn.step === 'challenge') void run(() => post('challenge/check'));
    if (logIn.step === 'evaluate') void run(continueByBrowser(whorl, logIn.user));
  }, [whorl, logIn, run]);
}

const signedOutElsewhere: Problem = {
  code: 'detached',
  message: 'This device was signed out from another device. Log in again.',
};

function problemOf(error: unknown): Problem {
  if (error instanceof RequestError) return error.problem;
  if (error instanceof WhorlError) {
    const { code, status = 0, message } = error;
    const isUnreachable = code === 'network' || code === 'timeout' || status >= 500;
    return { code, message: isUnreachable ? serviceUnreachable : `${message} (${code})` };
  }
  return { code: 'internal', message: `Something went wrong in this page: ${error}` };
}
