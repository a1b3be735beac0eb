import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Connects an assistant over HTTP. Close it before the service. */
export async function connectAssistant(url: string, key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/v2/mcp', url), { requestInit }));
  return client;
}

/** Uses a tool, and returns the JSON between the lines, and the text around it. */
export async function use(client: Client, name: string, given: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [first] = content;
  const text = first?.type === 'text' ? first.text : '';
  const [, boundary = '', json = ''] = text.split('\n');
  return { text, boundary, json: isError ? undefined : JSON.parse(json), isError };
}
