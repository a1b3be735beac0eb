/**
 * How a device changes in a year. Each attribute of FP-Stalker (Vastel, Laperdrix, Rudametkin, Rouvoy, IEEE S&P 2018,
 * table 2) has a published number of days until 50, 10 and 5 % of browsers have changed it. A share of devices that
 * change it at all, and how often those do so a day, are set to go through the 10 and 5 %, or as near as a share and a
 * rate can: `published` is what they stand for.
 */
export const published = {
  canvas: { share: 1, perDay: 0.0027, published: [290, 35.3, 17.2], everywhere: true },
  timezone: { share: 1, perDay: 0.0025, published: [206, 53.8, 26.8], everywhere: true },
  languages: { share: 0.115, perDay: 0.01, published: [Infinity, 216, 57], everywhere: true },
  fonts: { share: 0.334, perDay: 0.03, published: [Infinity, 11.8, 5.4], everywhere: false },
  resolution: { share: 0.3, perDay: 0.11, published: [Infinity, 3.1, 1.8], everywhere: false },
  renderer: { share: 0.152, perDay: 0.0133, published: [Infinity, 81, 30], everywhere: false },
};

/** Set by judgement: nothing published says how often these change. */
export const judged = {
  /** Of the devices whose renderer text changes, how many switch between two graphics processors; others, drivers. */
  switchGpu: 0.25,
  /** New graphics processor, or memory added, a year and desktop. */
  replacedGpuPerDay: 0.005 / 365,
  addedMemoryPerDay: 0.005 / 365,
  /** Devices that turn dark by the time of day, and how often the others' preferences change. */
  darkAtNight: 0.15,
  preferencesPerDay: 0.0005,
  /** A mouse at a device with a touch screen, or without one. */
  inputPerDay: 0.0005,
  /** Days abroad before going home. */
  daysAway: 7,
  /** Devices on which a system update, of which there is one a year, has reached the fonts. */
  systemUpdatePerDay: 1 / 500,
};

/** Days between two releases, from the makers' calendars, and how long a device takes to update. */
export const releases = {
  c: { everyDays: 28, lagDays: 5, majorEvery: 1 },
  f: { everyDays: 28, lagDays: 5, majorEvery: 1 },
  w: { everyDays: 45, lagDays: 20, majorEvery: 8 },
};

/** Devices that update late, and how late. */
export const late = { share: 0.06, lagDays: 120 };
