let isRemembering = false;

/**
 * Makes Node keep the address of each connection: after a connection's end, Node has it only if it was read before. So a
 * visitor who ends the connection early is counted too, whichever adapter or framework reads the address.
 */
export function rememberAddresses(): void {
  if (isRemembering) return;
  isRemembering = true;
  // Not imported, because the adapters also run where Node's modules do not exist.
  const channels = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel');
  channels?.subscribe('http.server.request.start', (message) => {
    void Reflect.get(Object(Reflect.get(Object(message), 'socket')), 'remoteAddress');
  });
}
