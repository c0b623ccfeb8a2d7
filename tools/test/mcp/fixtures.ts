import { setTimeout as pause } from 'node:timers/promises';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequests,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** Tools, resources and prompts that the MCP conformance suite expects of a server. They use no product code. */

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const stateKey = 'a key of the conformance fixtures, 32 bytes or more';
const stepMs = 50;

const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: pixel, mimeType: 'image/png' };
const says = (value: string) => ({ content: [text(value)] });
const embedded = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
});
const noInput = fromJsonSchema({ type: 'object', properties: {} });
const one = (name: string) =>
  fromJsonSchema<Record<string, string>>({
    type: 'object',
    properties: { [name]: { type: 'string' } },
    required: [name],
  });
const asking = (message: string, properties: object, required: string[] = []) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties, ...(required.length > 0 && { required }) },
  } as never);
const sampling = (question: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(question) }], maxTokens });

const named = asking('What is your name?', { name: { type: 'string' } }, ['name']);
const codec = createRequestStateCodec<{ step: number }>({ key: stateKey });

/** Creates the server for one request, or for one session of the older protocol versions. */
export function conformanceServer(): McpServer {
  const server = new McpServer(
    { name: 'conformance-fixtures', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: codec.verify },
    },
  );
  addPlainTools(server);
  addAskingTools(server);
  addInputTools(server);
  addResources(server);
  addPrompts(server);
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: [], hasMore: false },
  }));
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  return server;
}

/** Keywords of JSON Schema 2020-12 that a tool list must return unchanged. */
const richInput = fromJsonSchema<Record<string, string>>({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of the schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
});

type Answer = ReturnType<typeof says> | ReturnType<typeof inputRequired>;
type Content = Parameters<typeof contentTool>[2];

function tool(
  server: McpServer,
  name: string,
  run: (args: Readonly<Record<string, unknown>>, context: ServerContext) => Promise<Answer> | Answer,
  input = noInput as ReturnType<typeof one>,
): void {
  server.registerTool(name, { description: `The fixture ${name}.`, inputSchema: input }, (async (
    args: Record<string, unknown>,
    context: ServerContext,
  ) => run(args, context)) as never);
}

function contentTool(server: McpServer, name: string, content: readonly object[]): void {
  tool(server, name, () => ({ content: [...content] }) as ReturnType<typeof says>);
}

const contents: Readonly<Record<string, Content>> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: silence, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
};

function addPlainTools(server: McpServer): void {
  for (const [name, content] of Object.entries(contents)) contentTool(server, name, content);
  tool(server, 'json_schema_2020_12_tool', () => says('Read.'), richInput);
  tool(server, 'test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  tool(server, 'test_tool_with_logging', async (_args, { mcpReq }) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', line);
      await pause(stepMs);
    }
    return says('Logged three times.');
  });
  tool(server, 'test_tool_with_progress', async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      await pause(stepMs);
    }
    return says('Made progress.');
  });
  server.registerTool(
    'test_custom_header',
    {
      description: 'A tool with a parameter that is sent as a header too.',
      inputSchema: fromJsonSchema({
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
        required: ['region'],
      } as never),
    },
    (async () => says('ok')) as never,
  );
}

/** Adds tools that query the client during a call. In older protocol versions, the server sends a request. */
function addAskingTools(server: McpServer): void {
  const completed = (result: { action: string; content?: unknown }) =>
    says(`Elicitation completed: action=${result.action}, content=${JSON.stringify(result.content ?? {})}`);
  tool(
    server,
    'test_sampling',
    async ({ prompt }, { mcpReq }) => {
      const message = { role: 'user' as const, content: text(String(prompt)) };
      const { content } = await mcpReq.requestSampling(
        { messages: [message], maxTokens: 100 },
        // Sent on the stream of this call, because the server has no other stream.
        { relatedRequestId: mcpReq.id },
      );
      return says(`LLM response: ${'text' in content ? content.text : ''}`);
    },
    one('prompt'),
  );
  tool(
    server,
    'test_elicitation',
    async ({ message }, { mcpReq }) => {
      const properties = {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      };
      const requestedSchema = { type: 'object', properties, required: ['username', 'email'] };
      const result = await mcpReq.elicitInput({ message: String(message), requestedSchema } as never, {
        relatedRequestId: mcpReq.id,
      });
      return says(`User response: action=${result.action}, content=${JSON.stringify(result.content ?? {})}`);
    },
    one('message'),
  );
  const asks = (name: string, properties: object) =>
    tool(server, name, async (_args, { mcpReq }) =>
      completed(
        await mcpReq.elicitInput(
          {
            message: 'Please fill this in',
            requestedSchema: { type: 'object', properties, required: [] },
          } as never,
          { relatedRequestId: mcpReq.id },
        ),
      ),
    );
  asks('test_elicitation_sep1034_defaults', {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  });
  const titled = (word: string) =>
    ['First', 'Second', 'Third'].map((order, index) => ({
      const: `value${index + 1}`,
      title: `${order} ${word}`,
    }));
  const options = ['option1', 'option2', 'option3'];
  asks('test_elicitation_sep1330_enums', {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
  });
}

/** Adds tools that query the client by an answer with input requests, as in newer protocol versions. */
function addInputTools(server: McpServer): void {
  const asksFor = (
    name: string,
    inputRequests: InputRequests,
    answer: (responses: Record<string, unknown> | undefined) => string | undefined,
    hasState = false,
  ) =>
    tool(server, `test_input_required_result_${name}`, async (_args, { mcpReq }) => {
      const hasKept = !hasState || mcpReq.requestState<{ step: number }>()?.step === 1;
      const done = hasKept ? answer(mcpReq.inputResponses) : undefined;
      if (done !== undefined) return says(done);
      return inputRequired({
        inputRequests,
        ...(hasState && { requestState: await codec.mint({ step: 1 }) }),
      });
    });
  const nameIn = (responses: Record<string, unknown> | undefined): string | undefined => {
    const name = acceptedContent<{ name?: unknown }>(responses, 'user_name')?.name;
    return typeof name === 'string' ? name : undefined;
  };
  const confirm = asking('Please confirm', { ok: { type: 'boolean' } }, ['ok']);
  const confirmed = (responses: Record<string, unknown> | undefined) =>
    acceptedContent(responses, 'confirm') ? 'state-ok' : undefined;
  asksFor('elicitation', { user_name: named }, (responses) => {
    const name = nameIn(responses);
    return name === undefined ? undefined : `Hello, ${name}!`;
  });
  asksFor('sampling', { capital_question: sampling('What is the capital of France?', 100) }, (responses) => {
    const view = inputResponse(responses, 'capital_question');
    return view.kind === 'sampling' ? JSON.stringify(view.result.content) : undefined;
  });
  asksFor('list_roots', { client_roots: inputRequired.listRoots() }, (responses) => {
    const view = inputResponse(responses, 'client_roots');
    return view.kind === 'roots' ? `Roots: ${view.roots.map(({ uri }) => uri).join(', ')}` : undefined;
  });
  asksFor('request_state', { confirm }, confirmed, true);
  asksFor('tampered_state', { confirm }, confirmed, true);
  const several = {
    user_name: named,
    greeting: sampling('Generate a greeting', 50),
    client_roots: inputRequired.listRoots(),
  };
  asksFor(
    'multiple_inputs',
    several,
    (responses) =>
      Object.keys(several).every((key) => inputResponse(responses, key).kind !== 'missing')
        ? 'All is there.'
        : undefined,
    true,
  );
  tool(server, 'test_input_required_result_multi_round', async (_args, { mcpReq }) => {
    const step = mcpReq.requestState<{ step: number }>()?.step ?? 0;
    const { inputResponses } = mcpReq;
    if (step === 2 && acceptedContent(inputResponses, 'step2')) return says('Both steps are done.');
    const isSecond = step === 2 || (step === 1 && acceptedContent(inputResponses, 'step1') !== undefined);
    return inputRequired({
      inputRequests: isSecond
        ? { step2: asking('Step 2: What is your favorite color?', { color: { type: 'string' } }, ['color']) }
        : { step1: asking('Step 1: What is your name?', { name: { type: 'string' } }, ['name']) },
      requestState: await codec.mint({ step: isSecond ? 2 : 1 }),
    });
  });
  // Diagnostic tools of the newer protocol versions.
  tool(server, 'test_missing_capability', () =>
    inputRequired({ inputRequests: { greeting: sampling('Generate a greeting', 50) } }),
  );
  tool(server, 'test_streaming_elicitation', async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 'streaming';
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress: 1, total: 2 },
    });
    return nameIn(mcpReq.inputResponses) === undefined
      ? inputRequired({ inputRequests: { user_name: named } })
      : says('Asked and answered.');
  });
  tool(server, 'test_logging_tool', async (_args, { mcpReq }) => {
    await mcpReq.log('info', 'A line of the log.');
    return says('Logged.');
  });
  // Requests only input that the client can provide.
  tool(server, 'test_input_required_result_capabilities', (_args, { mcpReq }) => {
    const can = ((mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ??
      {}) as Record<string, unknown>;
    const wanted: InputRequests = {
      ...(can['elicitation'] !== undefined && { user_name: named }),
      ...(can['sampling'] !== undefined && { greeting: sampling('Generate a greeting', 50) }),
      ...(can['roots'] !== undefined && { client_roots: inputRequired.listRoots() }),
    };
    const isAnswered = Object.keys(wanted).every(
      (key) => inputResponse(mcpReq.inputResponses, key).kind !== 'missing',
    );
    return isAnswered ? says('Nothing is missing.') : inputRequired({ inputRequests: wanted });
  });
}

function addResources(server: McpServer): void {
  const about = { description: 'A fixture.' };
  server.registerResource(
    'static-text',
    'test://static-text',
    { ...about, mimeType: 'text/plain' },
    async ({ href }) => ({
      contents: [
        { uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
      ],
    }),
  );
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { ...about, mimeType: 'image/png' },
    async ({ href }) => ({
      contents: [{ uri: href, mimeType: 'image/png', blob: pixel }],
    }),
  );
  server.registerResource(
    'watched',
    'test://watched-resource',
    { ...about, mimeType: 'text/plain' },
    async ({ href }) => ({
      contents: [{ uri: href, mimeType: 'text/plain', text: 'Watched.' }],
    }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { ...about, mimeType: 'application/json' },
    async ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
}

function addPrompts(server: McpServer): void {
  const user = (content: object) => ({ role: 'user' as const, content }) as never;
  const two = fromJsonSchema<{ arg1: string; arg2: string }>({
    type: 'object',
    properties: { arg1: { type: 'string' }, arg2: { type: 'string' } },
    required: ['arg1', 'arg2'],
  });
  const prompt = (name: string, config: object, run: (...given: never[]) => unknown) =>
    server.registerPrompt(name, { description: `The fixture ${name}.`, ...config } as never, run as never);
  prompt('test_simple_prompt', {}, () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }));
  prompt('test_prompt_with_arguments', { argsSchema: two }, (({
    arg1,
    arg2,
  }: {
    arg1: string;
    arg2: string;
  }) => ({
    messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  })) as never);
  prompt('test_prompt_with_embedded_resource', { argsSchema: one('resourceUri') }, (({
    resourceUri,
  }: {
    resourceUri: string;
  }) => ({
    messages: [
      user(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
      user(text('Please process the embedded resource above.')),
    ],
  })) as never);
  prompt('test_prompt_with_image', {}, () => ({
    messages: [user(image), user(text('Please analyze the image above.'))],
  }));
  prompt('test_input_required_result_prompt', {}, (({ mcpReq }: ServerContext) => {
    const context = acceptedContent<{ context?: unknown }>(mcpReq.inputResponses, 'user_context')?.context;
    if (context !== undefined) return { messages: [user(text(`Context: ${String(context)}`))] };
    const wanted = asking('What context should the prompt use?', { context: { type: 'string' } }, [
      'context',
    ]);
    return inputRequired({ inputRequests: { user_context: wanted } });
  }) as never);
}
