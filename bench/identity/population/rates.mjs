/**
 * How a device changes within a year. FP-Stalker (Vastel, Laperdrix, Rudametkin, Rouvoy, IEEE S&P 2018, table 2) gives
 * for each attribute the number of days until 50, 10 and 5% of browsers have changed it (`published`). Two parameters,
 * the share of devices that change it at all and their rate per day, are fitted to the 10 and 5% points as closely as
 * possible.
 */
export const published = {
  canvas: { share: 1, perDay: 0.0027, published: [290, 35.3, 17.2], everywhere: true },
  timezone: { share: 1, perDay: 0.0025, published: [206, 53.8, 26.8], everywhere: true },
  languages: { share: 0.115, perDay: 0.01, published: [Infinity, 216, 57], everywhere: true },
  fonts: { share: 0.334, perDay: 0.03, published: [Infinity, 11.8, 5.4], everywhere: false },
  resolution: { share: 0.3, perDay: 0.11, published: [Infinity, 3.1, 1.8], everywhere: false },
  renderer: { share: 0.152, perDay: 0.0133, published: [Infinity, 81, 30], everywhere: false },
};

/** Estimates: there are no published rates for these. */
export const judged = {
  /**
   * The share of devices with a changing renderer that switch between two graphics processors. The others update
   * drivers.
   */
  switchGpu: 0.25,
  /** New graphics processors and added memory, per desktop and year. */
  replacedGpuPerDay: 0.005 / 365,
  addedMemoryPerDay: 0.005 / 365,
  /** Devices that use dark mode by time of day, and how often the preferences of the others change. */
  darkAtNight: 0.15,
  preferencesPerDay: 0.0005,
  /** A mouse on a device with a touch screen, or without one. */
  inputPerDay: 0.0005,
  /** Days of travel before returning home. */
  daysAway: 7,
  /** The share of devices whose fonts a system update (once a year) changes. */
  systemUpdatePerDay: 1 / 500,
};

/** Days between two releases, from the vendors' calendars, and the mean number of days until a device updates. */
export const releases = {
  c: { everyDays: 28, lagDays: 5, majorEvery: 1 },
  f: { everyDays: 28, lagDays: 5, majorEvery: 1 },
  w: { everyDays: 45, lagDays: 20, majorEvery: 8 },
};

/** The share of devices that update late, and their mean delay in days. */
export const late = { share: 0.06, lagDays: 120 };
