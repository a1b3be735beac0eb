import { readHeader } from '../server/headers.js';
import { type RequestHeaders, type WhenUnavailable, type Whorl, WhorlClientError } from '../server/index.js';
import type { VisitorRequest } from './visitor-request.js';

/** What a sign-in keeps with the session, so that the sign-out finds the device. */
export const deviceField = 'whorlDeviceId';

const kept = ['accept', 'cookie', 'user-agent', 'host', 'x-forwarded-host', 'x-forwarded-proto'];

/**
 * Returns the headers of a sign-in without those that say which page sent the request: the framework has checked that,
 * and another provider may have sent the browser back.
 */
export function signInHeaders(headers: RequestHeaders): Record<string, string> {
  const read = (name: string): [string, string][] => {
    const value = readHeader(headers, name);
    return value === undefined ? [] : [[name, value]];
  };
  return Object.fromEntries(kept.flatMap(read));
}

/** Returns what a framework that has checked the origin of a request knows of it. */
export function signInVisitor(
  headers: RequestHeaders | undefined,
  body: unknown,
  ip: string | null | undefined,
): VisitorRequest {
  return { headers: signInHeaders(headers ?? {}), body, ip: ip || undefined };
}

/** Detaches the device of a session that ends. The sign-out succeeds even if the service is unavailable. */
export async function detachDevice(whorl: Whorl<WhenUnavailable>, device: unknown): Promise<void> {
  if (typeof device !== 'string') return;
  try {
    await whorl.devices.detach(device);
  } catch (error) {
    if (!(error instanceof WhorlClientError)) throw error;
  }
}

/** Returns the ID of the device in an evaluation, if the evaluation has one. */
export function deviceOf(evaluation: object | undefined): string | undefined {
  const id: unknown = evaluation && Reflect.get(evaluation, 'device_id');
  return typeof id === 'string' ? id : undefined;
}
