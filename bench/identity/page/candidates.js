// Properties that a fingerprint could contain besides its facets. Each function returns a value that JSON can contain.
// docs/research/readings.md, "Candidates that were measured", describes what was decided, and why.
// @ts-nocheck: runs in the page, also in browsers that lack these functions.
globalThis.candidates = {
  // First, because the media devices would start the audio process too.
  audioHardware: () => {
    const context = new AudioContext();
    const { sampleRate, baseLatency, destination } = context;
    context.close();
    return [sampleRate, baseLatency, destination.maxChannelCount];
  },
  keyboard: async () => {
    const layout = await navigator.keyboard?.getLayoutMap();
    return layout && [...layout].flat().sort().join();
  },
  dynamicRange: () => ['dynamic-range', 'video-dynamic-range'].map((name) => matchMedia(`(${name}: high)`).matches),
  voices: async () => {
    const { speechSynthesis } = globalThis;
    if (!speechSynthesis) return undefined;
    if (speechSynthesis.getVoices().length === 0) {
      await new Promise((resolve) => {
        speechSynthesis.onvoiceschanged = resolve;
        setTimeout(resolve, 1500);
      });
    }
    return speechSynthesis.getVoices().map(({ voiceURI }) => voiceURI);
  },
  quota: async () => (await navigator.storage?.estimate())?.quota,
  mediaDevices: async () => (await navigator.mediaDevices?.enumerateDevices())?.map(({ kind }) => kind),
  touchEvents: () => ['ontouchstart' in window, navigator.maxTouchPoints, screen.isExtended],
  webgpu: async () => {
    const adapter = await navigator.gpu?.requestAdapter();
    if (!adapter) return navigator.gpu ? 'no adapter' : undefined;
    const limits = [];
    for (const name in adapter.limits) limits.push(adapter.limits[name]);
    return [...limits, ...[...adapter.features].sort()];
  },
  shaderPrecision: () => {
    const gl = context();
    if (!gl) return undefined;
    const kinds = ['LOW_FLOAT', 'MEDIUM_FLOAT', 'HIGH_FLOAT', 'LOW_INT', 'MEDIUM_INT', 'HIGH_INT'];
    return ['VERTEX_SHADER', 'FRAGMENT_SHADER'].flatMap((shader) =>
      kinds.map((kind) => {
        const { rangeMin, rangeMax, precision } = gl.getShaderPrecisionFormat(gl[shader], gl[kind]);
        return [rangeMin, rangeMax, precision].join();
      }),
    );
  },
  compressedTextures: () =>
    context()
      ?.getSupportedExtensions()
      .filter((name) => name.includes('compressed')),
  shaderDrawing: () => {
    const gl = context();
    if (!gl) return undefined;
    const program = gl.createProgram();
    const sources = {
      VERTEX_SHADER: 'attribute vec2 a; varying vec2 v; void main() { v = a; gl_Position = vec4(a, 0., 1.); }',
      FRAGMENT_SHADER: `precision highp float; varying vec2 v; void main() {
        float x = sin(v.x * 9999.) * pow(abs(v.y), .31) + inversesqrt(abs(v.x) + .01);
        gl_FragColor = vec4(fract(x * 17.), fract(exp(x)), fract(log(abs(x) + .1)), 1.);
      }`,
    };
    for (const [kind, source] of Object.entries(sources)) {
      const shader = gl.createShader(gl[kind]);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
    const place = gl.getAttribLocation(program, 'a');
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 2, gl.FLOAT, false, 0, 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    const pixels = new Uint8Array(4 * 32 * 32);
    gl.readPixels(0, 0, 32, 32, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return [...pixels];
  },
};

let gl;
/** All candidates of WebGL share a context, as whorl's own readings do. Its creation is measured separately. */
function context() {
  if (gl === undefined) {
    const canvas = Object.assign(document.createElement('canvas'), { width: 32, height: 32 });
    gl = canvas.getContext('webgl', { antialias: false, depth: false, stencil: false });
  }
  return gl;
}

globalThis.measureCandidates = async () => {
  const results = {};
  context();
  for (const [name, read] of Object.entries(globalThis.candidates)) {
    const startedAt = performance.now();
    let value;
    try {
      value = await Promise.race([
        read(),
        new Promise((resolve) => setTimeout(resolve, 20_000, 'no response in 20 s')),
      ]);
    } catch (error) {
      value = `error: ${error.message}`;
    }
    results[name] = { value: JSON.stringify(value) ?? 'not available', ms: performance.now() - startedAt };
  }
  return results;
};
