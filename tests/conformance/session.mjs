// One scripted session of the official TypeScript client, printed as JSON:
// node session.mjs NODE_MODULES URL MODE REQUESTS   (REQUESTS is {"good", "refused", "unknown"}: names of tools)
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, url, mode, requests] = process.argv.slice(2);
const entry = join(modules, '@modelcontextprotocol', 'client', 'dist', 'index.mjs');
const { Client, StreamableHTTPClientTransport } = await import(pathToFileURL(entry));
const { good, refused, unknown } = JSON.parse(requests);

const negotiation = mode === 'legacy' || mode === 'auto' ? mode : { pin: mode };
const client = new Client(
  { name: 'conformance', version: '1.0.0' },
  { versionNegotiation: { mode: negotiation } },
);
await client.connect(new StreamableHTTPClientTransport(new URL(url)));

const call = name => client.callTool({ name, arguments: {} });
const failure = promise => promise.then(() => null, error => error);
const text = result => result.content.map(block => block.text).join('');

const { tools } = await client.listTools();
const answer = await call(good);
const refusal = await call(refused);
const missing = await failure(call(unknown));
const unanswered = await failure(client.ping());
console.log(
  JSON.stringify({
    version: client.getNegotiatedProtocolVersion(),
    tools: tools.map(tool => tool.name),
    good: answer.isError ? null : text(answer),
    refused: refusal.isError ? text(refusal) : null,
    unknown: `${missing?.code} ${missing?.message}`,
    ping: unanswered === null,
  }),
);
await client.close();
