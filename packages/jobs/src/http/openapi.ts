import type { EndpointDeclaration, JsonSchema } from './declare-endpoint.ts';
import type { RouteTemplate } from './route-template.ts';

type Json = Readonly<Record<string, unknown>>;

/** Mapped endpoint. */
export type DescribedEndpoint = {
  readonly declaration: EndpointDeclaration;
  readonly template: RouteTemplate;
};

const jsonBody = (schema: JsonSchema | undefined) => ({ 'application/json': { schema: schema ?? {} } });
const problem = (description: string) => ({
  description,
  content: {
    'application/problem+json': {
      schema: {
        type: 'object',
        required: ['title', 'status'],
        properties: {
          type: { type: 'string' },
          title: { type: 'string' },
          status: { type: 'integer' },
          detail: { type: 'string' },
        },
      },
    },
  },
});

const accepted = {
  description: 'The job was enqueued.',
  headers: { Location: { schema: { type: 'string' }, description: 'Where its status is.' } },
  content: jsonBody({
    type: 'object',
    required: ['jobId'],
    properties: { jobId: { type: 'string', format: 'uuid' }, statusUrl: { type: 'string' } },
  }),
};

/** Returns the query parameters of a request without a body: members of the input schema that are not in the path. */
function queryParameters(declaration: EndpointDeclaration, pathNames: ReadonlySet<string>): Json[] {
  const { properties, required } = declaration.schemas?.input ?? {};
  if (typeof properties !== 'object' || properties === null) return [];
  const names = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties)
    .filter(([name]) => !pathNames.has(name))
    .map(([name, schema]) => ({ name, in: 'query', required: names.has(name), schema }));
}

function operation({ declaration, template }: DescribedEndpoint): Json {
  const takesBody = declaration.method !== 'GET' && declaration.method !== 'DELETE';
  const pathNames = new Set(template.parameters.map(({ name }) => name));
  const parameters = [
    ...template.parameters.map(({ name, schema }) => ({ name, in: 'path', required: true, schema })),
    ...(takesBody ? [] : queryParameters(declaration, pathNames)),
  ];
  const tag = template.identity.split('/').find((part) => part !== '' && !part.startsWith('{'));
  const output = declaration.schemas?.output;
  return {
    ...(declaration.operation !== undefined && { operationId: declaration.operation }),
    ...(declaration.summary !== undefined && { summary: declaration.summary }),
    ...(tag !== undefined && { tags: [tag] }),
    ...(parameters.length > 0 && { parameters }),
    ...(takesBody && { requestBody: { required: true, content: jsonBody(declaration.schemas?.input) } }),
    responses: {
      ...(declaration.mode === 'Enqueue'
        ? { 202: accepted }
        : {
            200: { description: 'The answer.', content: jsonBody(output) },
            ...(output === undefined && { 204: { description: 'Nothing to answer.' } }),
          }),
      400: problem('The input was refused.'),
      ...(takesBody && {
        413: problem('The body is too large.'),
        415: problem('The body is not JSON.'),
      }),
      500: problem('The endpoint failed.'),
      503: problem('The database is away; see Retry-After.'),
    },
  };
}

/** Returns the `paths` of an OpenAPI 3.1 document. */
export function openApiPaths(endpoints: readonly DescribedEndpoint[]): Record<string, Record<string, Json>> {
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.template.identity.replace(/\{\*/g, '{');
    paths[path] = { ...paths[path], [endpoint.declaration.method.toLowerCase()]: operation(endpoint) };
  }
  return paths;
}
