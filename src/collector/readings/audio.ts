import type { ReadingValue } from '../result.js';

const frames = 2500;
/** Where the compressor has settled. */
const settled = 2000;

/**
 * A triangle wave through a compressor, rendered offline and summed: the result depends on the engine's maths and the
 * processor's vector instructions. Beside it, in a second channel, a constant that must come back exact: the
 * second value says whether it did (browsers that add noise to audio change it too).
 */
export async function audio(): Promise<ReadingValue | undefined> {
  if (typeof OfflineAudioContext !== 'function') return undefined;
  const context = new OfflineAudioContext(2, frames, 44_100);
  const channels = context.createChannelMerger(2);
  channels.connect(context.destination);

  const compressor = context.createDynamicsCompressor();
  compressor.connect(channels, 0, 0);
  const wave = context.createOscillator();
  wave.type = 'triangle';
  wave.frequency.value = 10_000;
  wave.connect(compressor);
  wave.start();

  const constant = context.createConstantSource();
  constant.offset.value = 0.5;
  constant.connect(channels, 0, 1);
  constant.start();

  // Older WebKit resolves no promise here, but fires the event.
  const rendered = await new Promise<AudioBuffer>((resolve, reject) => {
    context.oncomplete = (event) => resolve(event.renderedBuffer);
    context.startRendering().catch(reject);
  });
  const sum = rendered
    .getChannelData(0)
    .subarray(settled)
    .reduce((total, sample) => total + Math.abs(sample), 0);
  return [
    // Two builds of one engine differ from the ninth digit on.
    sum.toPrecision(7),
    rendered
      .getChannelData(1)
      .subarray(settled)
      .every((sample) => sample === 0.5),
  ];
}
