import { describe, expect, test } from 'vitest';
import { normaliseGpu } from '../../src/collector/normalise-gpu.js';

/**
 * Renderer strings of real browsers, by their expected model. The model is part of the fingerprint, so a change of the left
 * column requires a new format version.
 */
const models: Readonly<Record<string, readonly string[]>> = {
  'geforce gtx 1050': [
    'ANGLE (NVIDIA GeForce GTX 1050 Direct3D11 vs_5_0 ps_5_0)',
    'ANGLE (NVIDIA, NVIDIA GeForce GTX 1050 Direct3D11 vs_5_0 ps_5_0)',
    'ANGLE (NVIDIA, NVIDIA GeForce GTX 1050 (0x00001C81) Direct3D11 vs_5_0 ps_5_0, D3D11)',
    'ANGLE (NVIDIA, Vulkan 1.4.312 (NVIDIA GeForce GTX 1050), NVIDIA)',
  ],
  'geforce gtx 1050 ti': ['ANGLE (NVIDIA, NVIDIA GeForce GTX 1050 Ti Direct3D11 vs_5_0 ps_5_0, D3D11-27.21.14.5671)'],
  'geforce gtx 1060 3gb': ['ANGLE (NVIDIA, NVIDIA GeForce GTX 1060 3GB Direct3D11 vs_5_0 ps_5_0, D3D11)'],
  'geforce gtx 1060 6gb': [
    'ANGLE (NVIDIA GeForce GTX 1060 6GB Direct3D11 vs_5_0 ps_5_0)',
    'ANGLE (NVIDIA, NVIDIA GeForce GTX 1060 6GB (0x00001C03) Direct3D11 vs_5_0 ps_5_0, D3D11)',
  ],
  'geforce gtx 1650': [
    'GeForce GTX 1650/PCIe/SSE2',
    'NVIDIA GeForce GTX 1650/PCIe/SSE2',
    'ANGLE (NVIDIA Corporation, GeForce GTX 1650/PCIe/SSE2, OpenGL 4.5.0 NVIDIA 461.40)',
    'ANGLE (NVIDIA Corporation, NVIDIA GeForce GTX 1650/PCIe/SSE2, OpenGL 4.5.0)',
    'ANGLE (NVIDIA, NVIDIA GeForce GTX 1650 Direct3D11 vs_5_0 ps_5_0, D3D11-31.0.15.3623)',
    'ANGLE (NVIDIA, NVIDIA GeForce GTX 1650 (0x00001F82) Direct3D11 vs_5_0 ps_5_0, D3D11)',
  ],
  'geforce gtx 1650 ti': [
    'NVIDIA GeForce GTX 1650 Ti/PCIe/SSE2',
    'ANGLE (NVIDIA, NVIDIA GeForce GTX 1650 Ti (0x00001F95) Direct3D11 vs_5_0 ps_5_0, D3D11)',
  ],
  'geforce gtx 1660 super': ['ANGLE (NVIDIA, NVIDIA GeForce GTX 1660 SUPER Direct3D11 vs_5_0 ps_5_0, D3D11)'],
  'geforce rtx 2060': ['NVIDIA GeForce RTX 2060/PCIe/SSE2'],
  'geforce rtx 3070': [
    'ANGLE (NVIDIA, NVIDIA GeForce RTX 3070 Direct3D9Ex vs_3_0 ps_3_0, D3D9Ex)',
    'ANGLE (NVIDIA Corporation, GeForce RTX 3070/PCIe/SSE2, OpenGL 4.5.0 NVIDIA 461.40)',
    'D3D12 (NVIDIA GeForce RTX 3070)',
  ],
  'geforce rtx 4060 laptop gpu': [
    'ANGLE (NVIDIA Corporation, NVIDIA GeForce RTX 4060 Laptop GPU/PCIe/SSE2, OpenGL 4.5.0)',
    'ANGLE (NVIDIA, NVIDIA GeForce RTX 4060 Laptop GPU (0x000028E0) Direct3D11 vs_5_0 ps_5_0, D3D11)',
  ],
  'geforce rtx 4090': [
    'ANGLE (NVIDIA, Vulkan 1.3.277 (NVIDIA NVIDIA GeForce RTX 4090 (0x00002684)), NVIDIA)',
    'ANGLE (NVIDIA Corporation, NVIDIA GeForce RTX 4090/PCIe/SSE2, OpenGL ES 3.2 NVIDIA 610.57.04)',
    'ANGLE (NVIDIA Corporation, NVIDIA GeForce RTX 4090/PCIe/SSE2)',
  ],
  'quadro p1000': [
    'ANGLE (NVIDIA, Vulkan 1.1.119 (NVIDIA Quadro P1000 (0x00001CB1)), NVIDIA-440.400.0)',
    'ANGLE (NVIDIA Corporation, Quadro P1000/PCIe/SSE2, OpenGL 4.5.0 NVIDIA 440.100)',
  ],
  'geforce gtx 980': [
    'GeForce GTX 980/PCIe/SSE2',
    'NVIDIA GeForce GTX 980, or similar',
    'NVIDIA GeForce GTX 980/PCIe/SSE2, or similar',
    'ANGLE (NVIDIA, NVIDIA GeForce GTX 980 Direct3D11 vs_5_0 ps_5_0), or similar',
  ],
  hd: [
    'ANGLE (Intel(R) HD Graphics Direct3D9Ex vs_3_0 ps_3_0)',
    'ANGLE (Intel, Intel(R) HD Graphics Direct3D9Ex vs_3_0 ps_3_0, igdumdim64.dll)',
    'ANGLE (Intel, Intel(R) HD Graphics Direct3D11 vs_5_0 ps_5_0, D3D11-27.21.14.6589)',
    'ANGLE (Intel, Intel(R) HD Graphics Direct3D11 vs_5_0 ps_5_0), or similar',
  ],
  'hd 620': [
    'Mesa DRI Intel(R) HD Graphics 620 (Kaby Lake GT2)',
    'ANGLE (Intel, Intel(R) HD Graphics 620 Direct3D9Ex vs_3_0 ps_3_0)',
    'ANGLE (Mesa, Mesa DRI Intel(R) HD Graphics 620 (KBL GT2), OpenGL 4.5)',
  ],
  'hd 4000': [
    'Mesa DRI Intel(R) HD Graphics 4000 (IVB GT2)',
    'Intel HD Graphics 4000 OpenGL Engine',
    'ANGLE (Intel Inc., Intel HD Graphics 4000 OpenGL Engine, OpenGL 4.1)',
  ],
  'uhd 620': [
    'Mesa DRI Intel(R) UHD Graphics 620 (Kabylake GT2) ',
    'Mesa Intel(R) UHD Graphics 620 (KBL GT2)',
    'ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6 (Core Profile) Mesa 21.2.2)',
    'ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)',
    'ANGLE (Intel, Intel(R) UHD Graphics 620 Direct3D11 vs_5_0 ps_5_0, D3D11-27.20.100.9126)',
    'ANGLE (Intel, Intel(R) UHD Graphics 620 (0x00005917) Direct3D11 vs_5_0 ps_5_0, D3D11)',
    'virgl (Mesa Intel(R) UHD Graphics 620 (KBL GT2))',
  ],
  'uhd 630': [
    'Intel(R) UHD Graphics 630',
    'ANGLE (Intel Inc., Intel(R) UHD Graphics 630, OpenGL 4.1 INTEL-16.5.12)',
    'ANGLE (Intel, ANGLE Metal Renderer: Intel(R) UHD Graphics 630, Unspecified Version)',
    'ANGLE (Intel, Intel(R) UHD Graphics 630 (0x00003E92) Direct3D11 vs_5_0 ps_5_0, D3D11)',
    'ANGLE (Intel, Mesa Intel(R) UHD Graphics 630 (CFL GT2), OpenGL 4.6)',
  ],
  'iris plus 655': [
    'Intel(R) Iris(TM) Plus Graphics 655',
    'ANGLE (Intel Inc., Intel(R) Iris(TM) Plus Graphics 655, OpenGL 4.1)',
  ],
  'iris plus': [
    'ANGLE (Intel Inc., Intel(R) Iris(TM) Plus Graphics OpenGL Engine (1x6x8 (fused) LP, OpenGL 4.1)',
    'ANGLE (Intel Inc., ANGLE Metal Renderer: Intel(R) Iris(TM) Plus Graphics, Unspecified Version)',
  ],
  iris: ['Intel Iris OpenGL Engine', 'ANGLE (Intel Inc., Intel Iris OpenGL Engine, OpenGL 4.1)'],
  'iris xe': [
    'Mesa Intel(R) Iris(R) Xe Graphics (TGL GT2)',
    'ANGLE (Intel, Mesa Intel(R) Iris(R) Xe Graphics (TGL GT2), OpenGL 4.6)',
    'ANGLE (Intel, Intel(R) Iris(R) Xe Graphics (0x00009A49) Direct3D11 vs_5_0 ps_5_0, D3D11)',
    'ANGLE (Intel, Intel(R) Iris(R) Xe Graphics Direct3D11 vs_5_0 ps_5_0, D3D11-30.0.101.1404)',
  ],
  'arc a770': ['ANGLE (Intel, Intel(R) Arc(TM) A770 Graphics (0x000056A0) Direct3D11 vs_5_0 ps_5_0, D3D11)'],
  'radeon rx 580': [
    'Radeon RX 580 Series (POLARIS10, DRM 3.35.0, 5.4.0-65-generic, LLVM 11.0.0)',
    'AMD Radeon RX 580 (POLARIS10, DRM 3.42.0, 5.15.0-91-generic, LLVM 12.0.0)',
    'AMD Radeon RX 580 Series (radeonsi, polaris10, LLVM 17.0.6, DRM 3.57, 6.9.3-76060903-generic)',
    'ANGLE (AMD, AMD Radeon RX 580 (polaris10 LLVM 15.0.7), OpenGL 4.6)',
    'ANGLE (AMD, AMD Radeon RX 580 Series (radeonsi polaris10 ACO), OpenGL 4.6)',
    'ANGLE (AMD, Radeon RX 580 Series Direct3D11 vs_5_0 ps_5_0, D3D11)',
    'ANGLE (AMD, AMD Radeon RX 580 (0x000067DF) Direct3D11 vs_5_0 ps_5_0, D3D11)',
    'ANGLE (AMD, Vulkan 1.3.230 (AMD Radeon RX 580 Series (RADV POLARIS10) (0x000067DF)), radv-22.3.1)',
  ],
  'radeon rx 590': [
    'ANGLE (AMD, AMD Radeon RX 590 OpenGL Engine, OpenGL 4.1)',
    'ANGLE (AMD, Radeon RX 590 Series Direct3D11 vs_5_0 ps_5_0, D3D11)',
  ],
  'radeon rx550/550': ['ANGLE (AMD, Radeon RX550/550 Series Direct3D11 vs_5_0 ps_5_0, D3D11-27.20.14501.18003)'],
  'radeon rx 460': [
    'AMD Radeon (TM) RX 460 Graphics (POLARIS11, DRM 3.35.0, 5.4.0-65-generic, LLVM 11.0.0)',
    'AMD Radeon (TM) RX 460 Graphics (DRM 3.35.0, 5.4.0-65-generic, LLVM 11.0.0)',
  ],
  'radeon rx 470': ['ANGLE (Radeon (TM) RX 470 Series Direct3D11 vs_5_0 ps_5_0)'],
  'radeon rx 6700 xt': [
    'AMD Radeon RX 6700 XT (navi22, LLVM 15.0.7, DRM 3.49, 6.1.0-18-amd64)',
    'ANGLE (AMD, AMD Radeon RX 6700 XT (radeonsi navi22 LLVM 16.0.6), OpenGL 4.6)',
    'zink Vulkan 1.3(AMD Radeon RX 6700 XT (RADV NAVI22))',
  ],
  radeon: [
    'AMD Radeon Graphics (radeonsi, renoir, LLVM 15.0.7, DRM 3.49, 6.1.0-18-amd64)',
    'ANGLE (AMD, AMD Radeon Graphics (radeonsi raven ACO), OpenGL 4.6)',
    'ANGLE (AMD, AMD Radeon Graphics (radeonsi renoir ACO DRM 3.64 6.17.2-1-pve), OpenGL ES 3.2)',
    'ANGLE (AMD, AMD Radeon(TM) Graphics Direct3D11 vs_5_0 ps_5_0, D3D11-27.20.1020.2002)',
    'ANGLE (AMD, AMD Radeon(TM) Graphics (0x00001638) Direct3D11 vs_5_0 ps_5_0, D3D11)',
  ],
  'radeon hd 4200': [
    'ANGLE (AMD, ATI Radeon HD 4200 Direct3D9Ex vs_3_0 ps_3_0, atiumd64.dll-8.14.10.678)',
    'ATI Radeon HD 4200',
  ],
  'radeon hd 6470m': ['ANGLE (Radeon (TM) HD 6470M Direct3D9Ex vs_3_0 ps_3_0)'],
  'radeon hd 3200': ['Radeon HD 3200 Graphics', 'Radeon HD 3200 Graphics, or similar'],
  'radeon r9 200': [
    'Radeon R9 200 Series, or similar',
    'ANGLE (AMD, Radeon R9 200 Series Direct3D11 vs_5_0 ps_5_0), or similar',
  ],
  'radeon pro 555': [
    'AMD Radeon Pro 555 OpenGL Engine',
    'ANGLE (ATI Technologies Inc., AMD Radeon Pro 555 OpenGL Engine, OpenGL 4.1 ATI-4.5.14)',
    'ANGLE (AMD, AMD Radeon Pro 555 OpenGL Engine, OpenGL 4.1)',
    'ANGLE (AMD, ANGLE Metal Renderer: AMD Radeon Pro 555, Unspecified Version)',
  ],
  'radeon pro 555x': ['ANGLE (AMD, ANGLE Metal Renderer: AMD Radeon Pro 555X, Unspecified Version)'],
  'radeon hd - firepro d700': [
    'ANGLE (ATI Technologies Inc., AMD Radeon HD - FirePro D700 OpenGL Engine, OpenGL 4.1 ATI-4.8.101)',
  ],
  polaris10: ['Gallium 0.4 on AMD POLARIS10 (DRM 3.8.0 / 4.10.0-28-generic, LLVM 4.0.0)'],
  'apple m1': [
    'Apple M1',
    'Apple M1, or similar',
    'ANGLE (Apple, Apple M1, OpenGL 4.1)',
    'ANGLE (Apple, Apple M1, OpenGL 4.1 Metal - 76.3)',
    'ANGLE (Apple, ANGLE Metal Renderer: Apple M1, Unspecified Version)',
  ],
  'apple m1 pro': [
    'ANGLE (Apple, Apple M1 Pro, OpenGL 4.1)',
    'ANGLE (Apple, ANGLE Metal Renderer: Apple M1 Pro, Unspecified Version)',
  ],
  'apple m2': [
    'ANGLE (Apple, Apple M2, OpenGL 4.1)',
    'ANGLE (Apple, ANGLE Metal Renderer: Apple M2, Unspecified Version)',
  ],
  'apple gpu': ['Apple GPU'],
  'apple a11 gpu': ['Apple A11 GPU'],
  'radeon pro 570x': [
    'ANGLE (ATI Technologies Inc., AMD Radeon Pro 570X OpenGL Engine, OpenGL 4.1)',
    'ANGLE (AMD, ANGLE Metal Renderer: AMD Radeon Pro 570X, Unspecified Version)',
    'ANGLE (AMD, Radeon Pro 570X (0x000067DF) Direct3D11 vs_5_0 ps_5_0, D3D11)',
  ],
  'ryzen 9 9950x 16-core processor': [
    'ANGLE (AMD, AMD Ryzen 9 9950X 16-Core Processor (radeonsi raphael_mendocino LLVM 20.1.2), OpenGL 4.6)',
    'ANGLE (AMD, AMD Ryzen 9 9950X 16-Core Processor (radeonsi raphael_mendocino LLVM 21.1.7), OpenGL ES 3.2)',
  ],
  'adreno 540': [
    'Adreno (TM) 540',
    'ANGLE (Qualcomm, Vulkan 1.1.128 (Adreno (TM) 540 (0x05040001)), Qualcomm Technologies Inc. Adreno Vulkan Driver-512.555.0)',
  ],
  'adreno 640': ['Adreno (TM) 640', 'ANGLE (Qualcomm, Adreno (TM) 640, OpenGL ES 3.2)'],
  'adreno 650': [
    'Adreno (TM) 650',
    'Adreno (TM) 650, or similar',
    'ANGLE (Qualcomm, Adreno (TM) 650, OpenGL ES 3.2 V@0502.0 (GIT@51216ae9b2))',
  ],
  'adreno 630 gpu': [
    'ANGLE (Unknown, Qualcomm(R) Adreno(TM) 630 GPU Direct3D11 vs_5_0 ps_5_0, D3D11-25.18.10500.0)',
    'ANGLE (Qualcomm, Qualcomm(R) Adreno(TM) 630 GPU (0x00000000) Direct3D11 vs_5_0 ps_5_0, D3D11)',
  ],
  'mali-g77': ['Mali-G77', 'ANGLE (ARM, Mali-G77, OpenGL ES 3.2)'],
  'mali-g78': [
    'Mali-G78',
    'ANGLE (ARM, Mali-G78, OpenGL ES 3.2)',
    'ANGLE (ARM, Vulkan 1.1.177 (Mali-G78 (0x92020010)), Mali-G78-32.1.0)',
  ],
  'mali-g57 mc2': ['ANGLE (ARM, Mali-G57 MC2, OpenGL ES 3.2)'],
  'mali-g715-immortalis mc11': ['ANGLE (ARM, Mali-G715-Immortalis MC11, OpenGL ES 3.2)'],
  'powervr rogue ge8320': [
    'PowerVR Rogue GE8320',
    'ANGLE (Imagination Technologies, PowerVR Rogue GE8320, OpenGL ES 3.2)',
  ],
  'powervr d-series dxt-48-1536': ['ANGLE (Imagination Technologies, PowerVR D-Series DXT-48-1536, OpenGL ES 3.2)'],
  'powervr c-series cxtp-48-1536 mc1': [
    'ANGLE (Imagination Technologies, Vulkan 1.4.317 (PowerVR C-Series CXTP-48-1536 MC1 (0x70061042)), PowerVR C-Series Vulkan Driver 1.662.3024)',
  ],
  'xclipse 920': ['ANGLE (Samsung Xclipse 920) on Vulkan', 'ANGLE (Samsung Xclipse 920) on Vulkan 1.1.179'],
  'xclipse 940': [
    'ANGLE (Samsung Xclipse 940) on Vulkan 1.3.279',
    'ANGLE ((Samsung Xclipse 940) on Vulkan 1.3.279)',
    'ANGLE (Samsung Electronics Co. Ltd., ANGLE (Samsung Xclipse 940) on Vulkan 1.3.279, OpenGL ES 3.2)',
    'ANGLE (Samsung Electronics Co. Ltd., ANGLE ((Samsung Xclipse 940) on Vulkan 1.3.279), OpenGL ES 3.2)',
    'ANGLE (Samsung Electronics Co. Ltd., Vulkan 1.3.279 (Samsung Xclipse 940 (0x02600200)), Samsung Electronics driver)',
  ],
  swiftshader: [
    'Google SwiftShader',
    'ANGLE (Google, Vulkan 1.1.0 (SwiftShader Device (LLVM 10.0.0) (0x0000C0DE)), SwiftShader driver-5.0.0)',
    'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)',
    'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)',
  ],
  llvmpipe: [
    'llvmpipe (LLVM 15.0.6, 256 bits)',
    'llvmpipe, or similar',
    'Gallium 0.4 on llvmpipe (LLVM 3.4, 256 bits)',
    'Mesa/X.org, llvmpipe (LLVM 15.0.7, 256 bits)',
    'ANGLE (Mesa/X.org, llvmpipe (LLVM 15.0.6 256 bits), OpenGL ES 3.2)',
    'ANGLE (Mesa, llvmpipe (LLVM 20.1.2 256 bits), OpenGL 4.5)',
    'ANGLE (Mesa, Vulkan 1.3.238 (llvmpipe (LLVM 15.0.6 256 bits) (0x00000000)), llvmpipe)',
  ],
  'basic render': [
    'Microsoft Basic Render Driver',
    'ANGLE (Microsoft Basic Render Driver Direct3D11 vs_5_0 ps_5_0)',
    'ANGLE (Microsoft, Microsoft Basic Render Driver (0x0000008C) Direct3D11 vs_5_0 ps_5_0, D3D11)',
    'ANGLE (Unknown, Microsoft Basic Render Driver Direct3D11 vs_5_0 ps_5_0), or similar',
  ],
  svga3d: ['SVGA3D; build: RELEASE;  LLVM;', 'ANGLE (VMware Inc., SVGA3D; build: RELEASE;  LLVM;, OpenGL 4.1)'],
  // Firefox with resistFingerprinting. judge.ts relies on this value.
  mozilla: ['Mozilla'],
};

describe.each(Object.entries(models))('%s', (model, renderers) => {
  test.each(renderers)('%s', (renderer) => {
    expect(normaliseGpu(renderer)).toBe(model);
  });
});

test('an empty string has no model', () => {
  expect(normaliseGpu('')).toBe('');
});

// With quadratic time, this would exceed the timeout of the test.
test('a long string of layers is processed in linear time', () => {
  expect(normaliseGpu(`ANGLE (${'Mesa DRI ANGLE (( Vulkan 1.1.1.1 '.repeat(20_000)}`)).toBeTypeOf('string');
});
