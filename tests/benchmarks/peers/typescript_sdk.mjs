// The official TypeScript SDK's server: node typescript_sdk.mjs NODE_MODULES SHAPE TOOLS STATE
// SHAPE is how it is hosted: handler (createMcpHandler, the documented way, both eras), json
// (stateless transports with JSON answers) or sessions (one transport a session, event streams).
// Prints its port, and ends when its standard input does.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, shape, toolsFile, stateFile] = process.argv.slice(2);
const load = name => import(pathToFileURL(join(modules, '@modelcontextprotocol', name, 'dist', 'index.mjs')));
const { createMcpHandler, fromJsonSchema, McpServer } = await load('server');
const { localhostHostValidation, localhostOriginValidation, NodeStreamableHTTPServerTransport, toNodeHandler } =
  await load('node');

const { tools } = JSON.parse(readFileSync(toolsFile, 'utf8'));
const { records } = JSON.parse(readFileSync(stateFile, 'utf8'));

function page({ object, offset }) {
  const large = object === 'archive';
  const end = offset + (large ? 260 : 5);
  return { records: records.slice(offset, end), total: records.length, next_offset: large ? null : end };
}

// Compiled once: the SDK keeps what it compiles for as long as it runs
const registered = tools.map(({ name, inputSchema, outputSchema, execution, ...rest }) => {
  const properties = Object.entries(inputSchema.properties ?? {});
  const defaults = Object.fromEntries(
    properties.filter(([, schema]) => 'default' in schema).map(([key, schema]) => [key, schema.default]),
  );
  const config = {
    ...rest,
    inputSchema: fromJsonSchema(inputSchema),
    ...(outputSchema && { outputSchema: fromJsonSchema(outputSchema) }),
  };
  const answer = async args => {
    const value = page({ ...defaults, ...args });
    const content = [{ type: 'text', text: JSON.stringify(value) }];
    return outputSchema ? { content, structuredContent: value } : { content };
  };
  return [name, config, answer];
});

function build() {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  for (const [name, config, answer] of registered) server.registerTool(name, config, answer);
  return server;
}

async function serveJson(request, response) {
  const server = build();
  const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  response.on('close', () => {
    transport.close();
    server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

const sessions = new Map();
async function serveSession(request, response) {
  let transport = sessions.get(request.headers['mcp-session-id']);
  if (!transport) {
    const onsessioninitialized = id => sessions.set(id, transport);
    transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID(), onsessioninitialized });
    await build().connect(transport);
  }
  await transport.handleRequest(request, response);
}

const serve = { handler: toNodeHandler(createMcpHandler(build)), json: serveJson, sessions: serveSession }[shape];
const [allowsHost, allowsOrigin] = [localhostHostValidation(), localhostOriginValidation()];
const listener = createServer((request, response) => {
  if (allowsHost(request, response) && allowsOrigin(request, response)) void serve(request, response);
});
listener.listen(0, '127.0.0.1', () => console.log(listener.address().port));
process.stdin.resume().on('close', () => process.exit(0));
