import type { ReadingValue } from '../result.js';

const frames = 2500;
/** The sample at which the compressor has settled. */
const settled = 2000;

/**
 * Renders a triangle wave through a compressor offline and sums the samples. The result depends on the maths of the
 * engine and the vector instructions of the processor.
 *
 * A second channel holds a constant that must be returned exactly. The second value is false if it was not, because
 * browsers that add noise to audio change the constant too.
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

  // Older WebKit returns no promise here, but fires the event.
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
