/** Returns whether the application runs on a developer's machine or in a test. Workers may have no `process`. */
export function isDevelopment(): boolean {
  const mode = globalThis.process?.env?.NODE_ENV;
  return mode === 'development' || mode === 'test';
}
