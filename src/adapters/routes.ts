/** The routes that a page calls, by the last segment of their paths. */
export const routeNames = ['nonce', 'open', 'send', 'begin', 'verify'] as const;

export type RouteName = (typeof routeNames)[number];

/** Returns the route that a path ends with. */
export function routeOf(path: string): RouteName | undefined {
  return routeNames.find((name) => path.endsWith(`/${name}`));
}
