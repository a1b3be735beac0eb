import type { AuthConfig } from '@auth/core';

type Provider = AuthConfig['providers'][number];
type Authorize = (credentials: Record<string, unknown>, ...rest: readonly unknown[]) => unknown;
/** Returns whether to respond as to a right password. */
type Report = (credentials: Record<string, unknown>) => Promise<boolean>;

/** Stands for a user until the callback `signIn` refuses: Auth.js calls it for users only. */
const refusedUser = { id: 'refused' };

/** Returns a provider that reports what its `authorize` rejects. Providers without passwords stay as they are. */
export function reportFailures(provider: Provider, report: Report): Provider {
  if (typeof provider === 'function') {
    return ((...options: []) => wrap(provider(...options), report)) as typeof provider;
  }
  return wrap(provider, report);
}

function wrap<Built extends object>(provider: Built, report: Report): Built {
  if (Reflect.get(provider, 'type') !== 'credentials') return provider;
  // Auth.js merges `options`, where the application's functions are, into the provider.
  const options: unknown = Reflect.get(provider, 'options');
  const authorize: unknown = Reflect.get(Object(options), 'authorize') ?? Reflect.get(provider, 'authorize');
  if (typeof authorize !== 'function') return provider;
  const reporting: Authorize = async (credentials, ...rest) => {
    let user: unknown;
    try {
      user = await authorize(credentials, ...rest);
    } catch (error) {
      if (Reflect.get(Object(error), 'type') !== 'CredentialsSignin' || !(await report(credentials))) throw error;
      return refusedUser;
    }
    return user || ((await report(credentials)) ? refusedUser : null);
  };
  return { ...provider, authorize: reporting, options: { ...Object(options), authorize: reporting } };
}
