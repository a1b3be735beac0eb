import { z } from '@hono/zod-openapi';
import { type Endpoint, endpoint } from '../../http/endpoint.js';
import { OwnResponse } from '../../http/response.js';
import { originOfKey } from '../../resources/audit/audit.js';

const message = z.record(z.string(), z.unknown()).openapi('McpMessage', {
  description: 'A JSON-RPC message of the Model Context Protocol.',
});

export const assistantEndpoints: readonly Endpoint[] = [
  endpoint(
    {
      method: 'post',
      path: '/v2/mcp',
      operationId: 'mcp',
      tag: 'Assistants',
      summary: 'Ask from an assistant',
      description:
        'An endpoint of the Model Context Protocol (streamable HTTP, without sessions), with tools that only read. Each use ' +
        'of a tool is recorded in the audit log. Errors of the protocol are JSON-RPC errors, and others are problem ' +
        'documents. An `Idempotency-Key` is ignored. Each message of a batch counts against the rate limit.',
      scope: 'read',
      onlyReads: true,
      // Version 2025-03-26 of the protocol requires servers to accept batches of JSON-RPC.
      requestsIn: (body) => (Array.isArray(body) ? body.length : 1),
      bodyInDocs: message,
      response: z.unknown(),
    },
    async ({ service, caller, address, headers, body }): Promise<OwnResponse> => {
      // Loaded when an assistant asks, because it takes a fifth of a start's time.
      const { createMcpHandler } = await import('@modelcontextprotocol/server');
      const { createAssistantServer } = await import('./server.js');
      const origin = originOfKey(caller, address);
      // A subscription would never end, and the tools never change.
      const handler = createMcpHandler(() => createAssistantServer({ service, caller }, origin), {
        maxSubscriptions: 0,
      });
      const request = new Request(`${service.publicUrl}/v2/mcp`, { method: 'POST', headers });
      const response = await handler.fetch(request, { parsedBody: body });
      const type = response.headers.get('Content-Type') ?? 'application/json';
      return new OwnResponse(response.status, type, await response.text());
    },
  ),
];
