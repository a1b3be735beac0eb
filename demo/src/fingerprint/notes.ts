import type { FacetGroup, FacetName, IntegrityBit } from 'whorl/fingerprint';

/** What makes the facets of a group change. */
export const groupNotes: Readonly<Record<FacetGroup, { readonly title: string; readonly note: string }>> = {
  hardware: {
    title: 'Hardware',
    note: 'Changes with another machine or another browser family, and seldom otherwise.',
  },
  software: { title: 'Software', note: 'Changes when browser, system or fonts are updated.' },
  setting: { title: 'Setting', note: 'Changes with travel, another monitor, a mouse, or a choice of the user.' },
};

/** What a facet holds. */
export const facetNotes: Readonly<Record<FacetName, string>> = {
  engine: 'engine family and how it behaves in every version',
  platform: 'operating system, processor architecture and bitness',
  cpu: 'logical cores, in classes',
  memory: 'memory, in classes',
  gpu: 'model of the graphics processor',
  touch: 'touch points',
  gl: 'WebGL parameters, precision and extensions',
  raster: 'shapes drawn on a canvas and read back',
  text: 'text and emoji drawn on a canvas and read back',
  audio: 'sound rendered off line',
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
  webdriver: 'the browser says that it is driven by a program',
  headless_user_agent: 'the user agent names a headless browser',
  driver_traces: 'a driver left its traces in the page',
  proxied_function: 'a built-in function was replaced by a proxy',
  answers_strangers: 'a built-in getter answers for objects that are not its own',
  two_answers: 'a built-in getter answers otherwise when asked in another way',
  resolution_contradiction: 'the screen sizes contradict each other',
  engine_contradiction: 'the user agent contradicts the engine',
  system_contradiction: 'the stated operating system contradicts what was found',
  worker_contradiction: 'a worker says something else than the page',
  canvas_noise: 'drawings come back changed: the browser adds noise, often for everybody',
  audio_noise: 'sound comes back changed: the browser adds noise, often for everybody',
  inspected: 'a debugger is at work: a driver, or open developer tools',
  scripted_function: 'a built-in function was replaced by a script',
};
