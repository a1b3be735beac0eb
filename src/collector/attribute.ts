import { attempt } from '../attempt.js';

/**
 * The value of an attribute, read through the getter that its interface has (Web IDL, section 3.7.6), and with an
 * argument. A native getter does not look at it; one that spoofers put around it answers calls without any, and hands
 * others on. What was put on the object itself, in front of the getter, is passed by.
 */
export function attribute<Host extends object, Name extends string>(
  host: Host,
  name: Name,
): Name extends keyof Host ? Host[Name] : unknown {
  const getter = getterOf(host, name);
  // Whoever replaced the object as a whole has it refused by the native getter.
  return attempt(() => getter && Reflect.apply(getter, host, [name])) ?? Reflect.get(host, name);
}

/** The getter of an attribute on the interface of its object. */
export function getterOf(host: object, name: string): (() => unknown) | undefined {
  return Object.getOwnPropertyDescriptor(Object.getPrototypeOf(host), name)?.get;
}

/** A WebGL parameter, asked for by its number as text: engines take it for the number, those in between do not. */
export function parameter(gl: WebGLRenderingContext, name: number): unknown {
  return Reflect.apply(gl.getParameter, gl, [`${name}`]);
}
