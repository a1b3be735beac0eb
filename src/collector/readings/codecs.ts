import { engineFamily } from '../descriptor.js';
import type { ReadingValue } from '../result.js';

/**
 * The formats to query. Left out are formats that every browser or no browser plays, and those that versions of one
 * browser have added or removed, such as Theora and HLS.
 */
const formats = [
  'audio/mp4;codecs="mp4a.40.2"',
  'audio/mp4;codecs="ac-3"',
  'audio/mp4;codecs="ec-3"',
  'audio/mp4;codecs="flac"',
  'audio/mp4;codecs="alac"',
  'video/mp4;codecs="avc1.42E01E"',
  'video/mp4;codecs="hvc1.1.6.L93.B0"',
  'video/mp4;codecs="dvh1.05.06"',
  'video/mp4;codecs="av01.0.04M.08"',
  'video/webm;codecs="vp9"',
];

/**
 * Reads how confident the browser is that it can play each format. Licensed codecs depend on the build, and system
 * codecs on the operating system. Not read in Firefox.
 *
 * In Firefox, the result changes within seconds of its start, as decoders report. Rights management is not queried,
 * because Firefox then shows its user a notification bar.
 */
export function codecs(): ReadingValue | undefined {
  if (engineFamily() === 'f') return undefined;
  const video = document.createElement('video');
  return formats.map((format) => video.canPlayType(format));
}
