/**
 * Returns what an earlier script-tag file put on `window.Whorl`, or undefined.
 *
 * Only the window's own property counts. Markup can also give the name to an element or a frame (`<form id="Whorl">`,
 * DOM clobbering), but such names are not own properties (HTML, named access on the Window object).
 */
export function ownPageObject<Members extends object>(): Partial<Members> | undefined {
  return Object.getOwnPropertyDescriptor(globalThis, 'Whorl')?.value;
}
