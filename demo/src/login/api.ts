import type { ListedDevice, LogIn, NonceResponse, Problem, SessionResponse } from '../../server/api.js';

/** An error response from the demo's server, or no response at all. */
export class RequestError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

export function readSession(): Promise<SessionResponse> {
  return sendRequest('GET', 'session');
}

/** Requests the nonce for one login. */
export async function readNonce(): Promise<string> {
  const { nonce } = await sendRequest<NonceResponse>('POST', 'nonce', {});
  return nonce;
}

/** Sends a request, and returns the visitor's new state. */
export async function post(path: string, fields: object = {}): Promise<LogIn> {
  const { logIn } = await sendRequest<{ logIn: LogIn }>('POST', path, fields);
  return logIn;
}

export async function readDevices(): Promise<readonly ListedDevice[]> {
  const { devices } = await sendRequest<{ devices: readonly ListedDevice[] }>('GET', 'devices');
  return devices;
}

/** Changes a device. Returns the remaining devices or, after signing out this one, the visitor's new state. */
export function changeDevice(
  change: 'sign-out' | 'block' | 'unblock',
  device: string,
): Promise<{ devices?: readonly ListedDevice[]; logIn?: LogIn }> {
  return sendRequest('POST', `devices/${change}`, { device });
}

/** @throws RequestError */
async function sendRequest<Answer>(method: 'GET' | 'POST', path: string, fields?: object): Promise<Answer> {
  const body = fields && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(fields) };
  const response = await fetch(`api/${path}`, { method, ...body }).catch(() => undefined);
  const answer = await response?.json().catch(() => undefined);
  if (response?.ok && answer) return answer;
  throw new RequestError(
    answer ?? { code: 'network', message: "The demo's server is not responding. Try again in a moment." },
  );
}
