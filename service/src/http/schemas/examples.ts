/** Example values shared across the OpenAPI document. */
export const example = {
  fingerprint: 'w1.dlc156.7Z9v0pT8aKuEwGT748W68JVnrQ7d.fuCmklxImC2ebtiRjVDCF3p-chyVrMAXdjzc.TNbCyWxtd9m8OWLtvKaE.AAAA',
  user: 'ada',
  userId: '019aa4c0-52ec-7d32-8a16-7d1f0a6d3c01',
  project: '019aa4c0-1f00-7c11-9c0e-51f6f8f3aa02',
  device: '019aa4c0-52f1-7f0b-b0f1-2b4f1e0c9d03',
  otherDevice: '019aa4c0-52f9-7a5e-8d3c-90ab12cd3404',
  identity: '019aa4c0-52ef-7b44-a5d2-6cc0de5fab05',
  hardware: '6f0b2c1e-8d47-5a39-9c52-1e7fb03d4a08',
  evaluation: '019aa4c0-5301-7e10-9f77-3d2c1b0a9f06',
  listEntry: '019aa4c0-5301-7e10-9f77-3d2c1b0a9f0b',
  challenge: '019aa4c0-5303-76aa-8b61-4f5e6d7c8b07',
  access: '019aa4c0-5301-7e10-9f77-3d2c1b0a9f06',
  ip: '203.0.113.7',
  token: 'eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiIwMTlhIn0.c2ln',
  deviceToken:
    '019aa4c0-52f1-7f0b-b0f1-2b4f1e0c9d03.019aa4c0-1f00-7c11-9c0e-51f6f8f3aa02.1795339800.q7Jx0bV5Yk2cT9dZrW4mHn8sLfA1uGe6PiXo3KjBtRQ',
  nonce: 'AZqkwFLsfTKKFn0fCm08AQAAAAAAAAAAAAAAAAAA',
  proof: 'eyJhbGciOiJFUzI1NiJ9.eyJub25jZSI6IkFacWsifQ.c2ln',
  now: '2026-11-21T09:30:00.000Z',
  later: '2026-11-22T09:30:00.000Z',
} as const;
