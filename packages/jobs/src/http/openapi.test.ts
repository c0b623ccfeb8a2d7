import { describe, expect, it } from 'vitest';
import { defineJob } from '../client/declare.ts';
import { endpointHosts } from '../testing/endpoint-hosts.ts';
import { answeringEndpoint, enqueueingEndpoint } from './declare-endpoint.ts';

const hosts = endpointHosts();
const parseId = (value: unknown) => value as { id: string };

describe('the OpenAPI document of endpoints', () => {
  it('describes every mapped endpoint with its parameters, bodies and responses', () => {
    const job = defineJob<{ id: string }>({ name: 'documented', parse: parseId });
    const endpoints = hosts.endpoints();
    endpoints.map(
      [
        answeringEndpoint({
          method: 'GET',
          route: '/orders/{id:int}',
          operation: 'getOrder',
          summary: 'One order.',
          parse: parseId,
          schemas: {
            input: { type: 'object', required: ['id'], properties: { id: {}, lines: { type: 'boolean' } } },
            output: { type: 'object' },
          },
          handler: () => ({}),
        }),
        enqueueingEndpoint({ method: 'POST', route: '/orders', job, schemas: { input: { type: 'object' } } }),
      ],
      { prefix: '/api' },
    );
    const paths = endpoints.openApiPaths();
    expect(Object.keys(paths)).toEqual(['/api/orders/{id}', '/api/jobs/{jobId}', '/api/orders']);
    expect(paths['/api/orders/{id}']?.['get']).toMatchObject({
      operationId: 'getOrder',
      summary: 'One order.',
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
        { name: 'lines', in: 'query', required: false, schema: { type: 'boolean' } },
      ],
      responses: {
        200: { content: { 'application/json': { schema: { type: 'object' } } } },
        400: { content: { 'application/problem+json': {} } },
      },
    });
    expect(paths['/api/orders']?.['post']).toMatchObject({
      requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
      responses: { 202: { headers: { Location: {} } }, 413: {}, 415: {} },
    });
  });
});
