import { expect, test } from 'vitest';
import { endpointsOf, pathsOf } from './endpoints.ts';

test('the endpoints of an OpenAPI document are its paths that allow GET', () => {
  const document = {
    paths: {
      '/b': { get: {} },
      '/a': { get: { summary: 'All of a' }, post: {} },
      '/c': { post: {} },
      '/d': null,
    },
  };
  expect(endpointsOf(JSON.stringify(document))).toEqual([
    { path: '/a', summary: 'All of a' },
    { path: '/b', summary: null },
  ]);
  for (const text of ['', 'openapi: 3.0.0', '[]', '{"paths": 5}']) expect(endpointsOf(text)).toBeUndefined();
});

test('each line of the endpoints text is one path', () => {
  expect(pathsOf('/a\n\n  /b/{id} \n')).toEqual(['/a', '/b/{id}']);
});
