import { describe } from '../descriptor.js';
import type { ReadingValue } from '../result.js';

/** The formats asked for. Those that every browser plays, or none, tell nothing and are left out. */
const formats = [
  'audio/mp4;codecs="mp4a.40.2"',
  'audio/mp4;codecs="ac-3"',
  'audio/mp4;codecs="ec-3"',
  'audio/mp4;codecs="flac"',
  'audio/mp4;codecs="alac"',
  'audio/ogg;codecs="vorbis"',
  'audio/wav;codecs="1"',
  'video/mp4;codecs="avc1.42E01E"',
  'video/mp4;codecs="hvc1.1.6.L93.B0"',
  'video/mp4;codecs="dvh1.05.06"',
  'video/mp4;codecs="av01.0.04M.08"',
  'video/ogg;codecs="theora"',
  'video/webm;codecs="vp8"',
  'video/webm;codecs="vp9"',
  'application/x-mpegURL',
];

/**
 * How sure the browser is to play a format. Licensed codecs depend on the build, the system's on the system. Not in
 * Firefox, whose answer changes within seconds of its start as its decoders report. Rights management is not asked for:
 * Firefox answers that question with a bar in front of its user.
 */
export function codecs(): ReadingValue | undefined {
  if (describe().browser === 'f') return undefined;
  const video = document.createElement('video');
  return formats.map((format) => video.canPlayType(format));
}
