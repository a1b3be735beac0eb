import type { MemberName } from '../fingerprint/facets.js';
import { architecture } from './readings/architecture.js';
import { audio } from './readings/audio.js';
import { automation } from './readings/automation.js';
import { codecs } from './readings/codecs.js';
import { cores } from './readings/cores.js';
import { engine } from './readings/engine.js';
import { fonts } from './readings/fonts.js';
import { glExtensions } from './readings/gl-extensions.js';
import { glParameters } from './readings/gl-parameters.js';
import { gpu } from './readings/gpu.js';
import { locale } from './readings/locale.js';
import { maths } from './readings/maths.js';
import { memory } from './readings/memory.js';
import { memoryFrom8 } from './readings/memory-from-8.js';
import { metrics } from './readings/metrics.js';
import { operatingSystem } from './readings/operating-system.js';
import { pointers } from './readings/pointers.js';
import { preferences } from './readings/preferences.js';
import { raster } from './readings/raster.js';
import { screenSize } from './readings/screen-size.js';
import { scripts } from './readings/scripts.js';
import { surface } from './readings/surface.js';
import { tampering } from './readings/tampering.js';
import { text } from './readings/text.js';
import { timezone } from './readings/timezone.js';
import { touchPoints } from './readings/touch-points.js';
import { worker } from './readings/worker.js';
import type { Reading } from './result.js';

/** The name of a reading: a member of a facet, or one of the three that only the integrity facet uses. */
export type ReadingName = MemberName | 'automation' | 'tampering' | 'worker';

/**
 * All readings, in the order in which they start. Readings that mostly wait come first, so that the others run
 * meanwhile. Readings that need the GPU process come last, because that process is busy while a page loads. The first
 * drawing needs it too, even in main memory.
 */
export const registry: Readonly<Record<ReadingName, Reading>> = {
  worker,
  audio,
  fonts,
  engine,
  operatingSystem,
  architecture,
  cores,
  memory,
  memoryFrom8,
  touchPoints,
  codecs,
  maths,
  surface,
  screen: screenSize,
  pointers,
  locale,
  timezone,
  preferences,
  automation,
  tampering,
  raster,
  text,
  metrics,
  scripts,
  gpu,
  glParameters,
  glExtensions,
};
