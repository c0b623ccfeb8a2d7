import { type Endpoint, isBinary, Problem } from '@svc/contract';
import { describeGrants } from '../../access/guard.ts';
import { type Components, createComponents } from './components.ts';
import { headerComponents, headerParameters, headersOf } from './openapi-headers.ts';
import { problemExamples, refusalResponses } from './openapi-refusals.ts';

type Json = Record<string, unknown>;

/** Creates the OpenAPI 3.1 document of the endpoints. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  info: { version: string; serverUrl: string },
): Json {
  const components = createComponents();
  components.answer(Problem, 'Problem');
  const answers = new Map(endpoints.map((endpoint) => [endpoint, responses(endpoint, components)]));
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const item = paths[endpoint.path] ?? {};
    item[endpoint.method.toLowerCase()] = operation(endpoint, components, answers.get(endpoint) ?? {});
    paths[endpoint.path] = item;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Svc',
      version: info.version,
      description: 'Watches databases: saved queries on a schedule, told to those who need to know.',
      license: { name: 'UNLICENSED' },
    },
    servers: [{ url: info.serverUrl }],
    paths,
    components: {
      schemas: components.schemas(),
      examples: problemExamples(),
      headers: headerComponents(),
      securitySchemes: {
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'Svc.Auth',
          description: 'A signed-in browser session. State-changing requests also send X-XSRF-TOKEN.',
        },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `Authorization: Bearer sk-sem_…`.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An access token of the configured identity provider.',
        },
      },
    },
  };
}

const schemeOf: Readonly<Record<string, string>> = {
  session: 'cookie',
  host: 'cookie',
  apiKey: 'apiKey',
  bearer: 'bearer',
};

function operation(endpoint: Endpoint, components: Components, answers: Json): Json {
  const { access } = endpoint;
  const schemes = [
    ...new Set(access.callers.map((kind) => schemeOf[kind]).filter((scheme) => scheme !== undefined)),
  ];
  const needs = access.grants.length > 0 ? [`Needs ${describeGrants(access.grants)}.`] : [];
  const scope =
    access.callers.includes('apiKey') && access.callers.length < 6
      ? [`API keys need the ${access.scope} scope.`]
      : [];
  const late = endpoint.readsLate
    ? ['May be up to 5 s late, but for changes of the caller; with `Cache-Control: no-cache` it is not.']
    : [];
  const { rateLimit } = endpoint;
  const limit = rateLimit
    ? [`At most ${rateLimit.quota} in ${rateLimit.windowSeconds} s for each ${rateLimit.per}.`]
    : [];
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [...needs, ...scope, ...late, ...limit].join(' ') || 'Open to everybody.',
    ...(parameters(endpoint).length > 0 && { parameters: parameters(endpoint) }),
    ...requestBody(endpoint, components),
    responses: answers,
    security: access.callers.includes('anonymous') ? [] : schemes.map((scheme) => ({ [scheme]: [] })),
    'x-required-scope': access.scope,
    'x-grants': access.grants,
    'x-project-rule': access.project,
  };
}

function parameters(endpoint: Endpoint): Json[] {
  const of = (schema: unknown, place: 'path' | 'query'): Json[] => {
    const { properties, required } = (schema ?? {}) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties ?? {}).map(([name, { description, ...rest }]) => ({
      name,
      in: place,
      required: place === 'path' || (required?.includes(name) ?? false),
      schema: rest,
      ...(description !== undefined && { description }),
    }));
  };
  return [...of(endpoint.params, 'path'), ...of(endpoint.query, 'query'), ...headerParameters(endpoint)];
}

/** Client generators map this schema to bytes. Without a schema, some generate an empty response. */
const file = { schema: { type: 'string', format: 'binary' } };

const pascalCase = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

function requestBody(endpoint: Endpoint, components: Components): { readonly requestBody?: Json } {
  if (endpoint.takesFile)
    return { requestBody: { required: true, content: { 'application/octet-stream': file } } };
  if (!endpoint.body) return {};
  const schema = components.body(endpoint.body, `${pascalCase(endpoint.operationId)}Body`);
  return { requestBody: { required: true, content: { 'application/json': { schema } } } };
}

function responses(endpoint: Endpoint, components: Components): Json {
  const result: Json = {};
  for (const [status, response] of Object.entries(endpoint.responses)) {
    const headers = headersOf(endpoint, Number(status));
    if (response === null) result[status] = { description: withoutContent(status), ...headers };
    else if (isBinary(response)) {
      const { contentType, description } = response;
      result[status] = { description, ...headers, content: { [contentType]: file } };
    } else
      result[status] = {
        description: 'Done.',
        ...headers,
        content: {
          'application/json': {
            schema: components.answer(response, `${pascalCase(endpoint.operationId)}Answer`),
          },
        },
      };
  }
  return { ...result, ...refusalResponses(endpoint) };
}

const withoutContent = (status: string): string =>
  status === '304' ? 'Not changed since the tag that If-None-Match names.' : 'Done; no content.';
