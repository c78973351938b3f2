// The official TypeScript SDK's server doing the fake's work: node typescript_peer.mjs NODE_MODULES TOOLS
// Prints its port, and ends when its standard input does.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, captured] = process.argv.slice(2);
const load = name => import(pathToFileURL(join(modules, '@modelcontextprotocol', name, 'dist', 'index.mjs')));
const { createMcpHandler, fromJsonSchema, isLegacyRequest, McpServer, WebStandardStreamableHTTPServerTransport } =
  await load('server');
const { localhostHostValidation, localhostOriginValidation, toNodeHandler } = await load('node');

const { tools } = JSON.parse(readFileSync(captured, 'utf8'));
const text = value => ({ content: [{ type: 'text', text: value }] });
const structured = value => ({ ...text(JSON.stringify(value)), structuredContent: value });
const picture = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
const work = {
  echo: args => structured({ value: args.value }),
  'find-deals': args => structured({ asked: args, deals: ['Acme', 'Bolt'].slice(0, args.limit) }),
  greet: args => text(`Hello, ${args.name}.`),
  refuse: () => ({ ...text('The office is closed.'), isError: true }),
  show: () => ({ content: [{ type: 'text', text: 'Look:' }, picture] }),
  route: () => text('There.'),
};

// Compiled once: the SDK keeps what it compiles for as long as it runs
const registered = tools.map(({ name, inputSchema, outputSchema, ...rest }) => {
  const properties = Object.entries(inputSchema.properties ?? {});
  const defaults = Object.fromEntries(
    properties.filter(([, schema]) => 'default' in schema).map(([key, schema]) => [key, schema.default]),
  );
  const config = {
    ...rest,
    inputSchema: fromJsonSchema(inputSchema),
    ...(outputSchema && { outputSchema: fromJsonSchema(outputSchema) }),
  };
  return [name, config, async args => work[name]({ ...defaults, ...args })];
});

function build() {
  const server = new McpServer({ name: 'peer', version: '1.0.0' });
  for (const [name, config, answer] of registered) server.registerTool(name, config, answer);
  return server;
}

const handler = createMcpHandler(build);

// The handler would answer the handshake era in an event stream; this answers it in JSON
async function serveJson(request) {
  const server = build();
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await server.connect(transport);
  return transport.handleRequest(request);
}

const route = async request =>
  request.method === 'POST' && (await isLegacyRequest(request)) ? serveJson(request) : handler.fetch(request);
const serve = toNodeHandler({ fetch: route });
const [allowsHost, allowsOrigin] = [localhostHostValidation(), localhostOriginValidation()];

const listener = createServer((request, response) => {
  if (allowsHost(request, response) && allowsOrigin(request, response)) void serve(request, response);
});
listener.listen(0, '127.0.0.1', () => console.log(listener.address().port));
process.stdin.resume().on('close', () => process.exit(0));
