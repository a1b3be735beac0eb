import type { FacetGroup, FacetName, IntegrityBit } from 'whorl/fingerprint';

/** What changes the facets of a group. */
export const groupNotes: Readonly<Record<FacetGroup, { readonly title: string; readonly note: string }>> = {
  hardware: {
    title: 'Hardware',
    note: 'Changes with another machine or another browser family, and rarely otherwise.',
  },
  software: { title: 'Software', note: 'Changes when the browser, system or fonts are updated.' },
  setting: { title: 'Setting', note: "Changes with travel, another monitor, a mouse, or the user's preferences." },
};

/** What a facet contains. */
export const facetNotes: Readonly<Record<FacetName, string>> = {
  engine: 'engine family and behaviour that all its versions share',
  platform: 'operating system, processor architecture and bitness',
  cpu: 'logical cores, in classes',
  memory: 'memory, in classes',
  memoryFrom8: 'memory from 8 GiB up, where the browser reports it',
  gpu: 'model of the graphics processor',
  touch: 'touch points',
  gl: 'WebGL parameters, precision and extensions',
  raster: 'shapes drawn on a canvas and read back',
  text: 'text and emoji drawn on a canvas and read back',
  audio: 'sound rendered offline',
  fonts: 'installed fonts and the fallback for each script',
  metrics: 'sizes of text and boxes',
  media: 'codecs that can be played',
  maths: 'results of mathematical functions',
  surface: 'which CSS properties exist',
  screen: 'size, depth and colours of the screen',
  input: 'pointers and hovering',
  locale: 'first language, and the locale of formats',
  timezone: 'time zone',
  preferences: 'colour scheme, contrast, motion, forced colours',
};

/** What a set bit of the integrity facet means. */
export const integrityNotes: Readonly<Record<IntegrityBit, string>> = {
  webdriver: 'the browser reports that it is automated',
  headless_user_agent: 'the user agent names a headless browser',
  driver_traces: 'an automation tool left traces in the page',
  proxied_function: 'a built-in function was replaced by a proxy',
  accepts_wrong_receiver: 'a built-in getter returns a value for an object of another kind',
  inconsistent_getter: 'a built-in getter returns different values for different calls',
  resolution_contradiction: 'the screen sizes contradict each other',
  engine_contradiction: 'the user agent contradicts the engine',
  system_contradiction: 'the reported operating system contradicts the platform',
  worker_contradiction: 'a worker and the page report different values',
  canvas_noise: 'drawings are not read back exactly: the browser adds noise, often for everyone',
  audio_noise: 'sound is not read back exactly: the browser adds noise, often for everyone',
  inspected: 'a debugger is active: an automation tool, or open developer tools',
  scripted_function: 'a built-in function was replaced by a script',
  unreadable_check: 'a check could not run, because something in the page prevents it',
};
