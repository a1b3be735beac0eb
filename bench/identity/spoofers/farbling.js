// Adds noise to drawings, audio and properties, as privacy extensions do: different at each load, constant within one.
// Evaluated in the page before its own scripts.
(() => {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  const flips = (index) => Math.imul(index + seed, 0x9e3779b1) >>> 24 < 20;

  function noisy(image) {
    for (let index = 0; index < image.data.length; index += 4) if (flips(index)) image.data[index] ^= 1;
    return image;
  }
  for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
    const { getImageData } = prototype;
    prototype.getImageData = function (...args) {
      return noisy(getImageData.apply(this, args));
    };
  }
  for (const name of ['toDataURL', 'toBlob']) {
    const original = HTMLCanvasElement.prototype[name];
    HTMLCanvasElement.prototype[name] = function (...args) {
      const copy = document.createElement('canvas');
      copy.width = this.width;
      copy.height = this.height;
      const context = copy.getContext('2d');
      if (!context || !copy.width || !copy.height) return original.apply(this, args);
      context.drawImage(this, 0, 0);
      context.putImageData(context.getImageData(0, 0, copy.width, copy.height), 0, 0);
      return original.apply(copy, args);
    };
  }

  const { getChannelData } = AudioBuffer.prototype;
  const changed = new WeakSet();
  AudioBuffer.prototype.getChannelData = function (channel) {
    const samples = getChannelData.call(this, channel);
    if (!changed.has(samples))
      for (let index = 0; index < samples.length; index += 50) samples[index] += 1e-6 * Number(flips(index));
    changed.add(samples);
    return samples;
  };
  const { getFloatFrequencyData } = AnalyserNode.prototype;
  AnalyserNode.prototype.getFloatFrequencyData = function (samples) {
    getFloatFrequencyData.call(this, samples);
    for (let index = 0; index < samples.length; index += 10) samples[index] += 0.01 * Number(flips(index));
  };

  for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
    const { getParameter, readPixels } = prototype;
    prototype.getParameter = function (name) {
      const value = getParameter.call(this, name);
      if (name === 0x9246) return `${value} ${seed.toString(36)}`;
      return name === this.MAX_TEXTURE_SIZE || name === this.MAX_RENDERBUFFER_SIZE ? value - (seed % 2) : value;
    };
    prototype.readPixels = function (...args) {
      readPixels.apply(this, args);
      const pixels = args[6];
      if (pixels) for (let index = 0; index < pixels.length; index += 4) if (flips(index)) pixels[index] ^= 1;
    };
  }
})();
