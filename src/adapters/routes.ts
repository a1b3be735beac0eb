/** The routes about a challenge, and for a nonce. */
const challengeRoutes = ['nonce', 'open', 'send', 'begin', 'verify'] as const;

/** The routes about the devices of the user who is logged in. */
const deviceRoutes = ['devices', 'rename', 'detach', 'disown'] as const;

/** The routes that a page calls, by the last segment of their paths. */
export const routeNames = [...challengeRoutes, ...deviceRoutes] as const;

export type ChallengeRouteName = (typeof challengeRoutes)[number];
export type DeviceRouteName = (typeof deviceRoutes)[number];
export type RouteName = ChallengeRouteName | DeviceRouteName;

/** Returns the route that a path ends with. */
export function routeOf(path: string): RouteName | undefined {
  return routeNames.find((name) => path.endsWith(`/${name}`));
}

/** Returns whether a route is about the devices of the user who is logged in. */
export function isAboutDevices(route: RouteName): route is DeviceRouteName {
  return deviceRoutes.some((name) => name === route);
}
