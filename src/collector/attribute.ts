import { attempt } from '../attempt.js';
import type { WebGl } from './result.js';

/**
 * Returns the value of an attribute. Calls the getter on the interface prototype (Web IDL, section 3.7.6) with an extra
 * argument. Native getters ignore the argument. Getters that spoofing tools wrap around them return the spoofed value
 * only for calls without arguments, and pass other calls on to the native getter. Properties defined on the object
 * itself, in front of the getter, are ignored.
 */
export function attribute<Host extends object, Name extends string>(
  host: Host,
  name: Name,
): Name extends keyof Host ? Host[Name] : unknown {
  const getter = getterOf(host, name);
  // If the whole object was replaced, the native getter throws.
  return attempt(() => getter && Reflect.apply(getter, host, [name])) ?? Reflect.get(host, name);
}

/** Returns the getter of an attribute from the prototype of its object. */
export function getterOf(host: object, name: string): (() => unknown) | undefined {
  return Object.getOwnPropertyDescriptor(Object.getPrototypeOf(host), name)?.get;
}

/**
 * Returns a WebGL parameter. Passes its number as a string: engines convert it, spoofing wrappers do not recognise it.
 */
export function parameter(gl: WebGl, name: number): unknown {
  return Reflect.apply(gl.getParameter, gl, [`${name}`]);
}
