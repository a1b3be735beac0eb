for (const name of ['OffscreenCanvas', 'FontFace']) Object.defineProperty(globalThis, name, { value: undefined });
importScripts('/dist/whorl-worker.min.js');
