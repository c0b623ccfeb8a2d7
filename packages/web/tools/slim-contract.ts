import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as contract from '@svc/contract';
import type { Plugin } from 'vite';

const source = path.join(import.meta.dirname, '../../contract/src');
const slimId = 'virtual:contract';
const schemaId = (name: string) => `${slimId}/${name}`;
/** Returns the id of the virtual module of an endpoint. */
const endpointId = (name: string) => `virtual:endpoint/${name}`;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isEndpoint = (value: unknown): value is contract.Endpoint =>
  isObject(value) && 'operationId' in value && 'responses' in value;
const isSchema = (value: unknown): boolean => isObject(value) && ('~kind' in value || '~unsafe' in value);

/** Returns the fields of an endpoint that a page needs for a call, without schemas. */
const callOf = (endpoint: contract.Endpoint) => ({
  operationId: endpoint.operationId,
  tag: endpoint.tag,
  method: endpoint.method,
  path: endpoint.path,
  readsLate: endpoint.readsLate,
  access: { needsAntiforgery: endpoint.access.needsAntiforgery },
});

/** One export of the contract as pages get it. Functions are taken from the sources. */
function slimExport([name, value]: [string, unknown]): string[] {
  // Endpoints and schemas have separate modules, which the importing file loads.
  if (isEndpoint(value) || isSchema(value)) return [];
  const text = JSON.stringify(value);
  return isDeepStrictEqual(value, text && JSON.parse(text)) ? [`export const ${name} = ${text};`] : [];
}

const exported = new Map<string, unknown>(Object.entries(contract));
const modules = new Map([
  [
    slimId,
    [
      `export * from ${JSON.stringify(path.join(source, 'index.ts'))};`,
      ...[...exported].flatMap(slimExport),
    ].join('\n'),
  ],
  ...[...exported].map(([name, value]) =>
    isEndpoint(value)
      ? ([endpointId(name), `export const ${name} = ${JSON.stringify(callOf(value))};`] as const)
      : ([schemaId(name), `export const ${name} = ${JSON.stringify(value)};`] as const),
  ),
]);

const importOfContract = /^import \{([^}]*)\} from '@svc\/contract';$/gm;

/** Returns the virtual module of an endpoint or a schema; undefined for other exports. */
function ownModule(name: string): string | undefined {
  const value = exported.get(name);
  return isEndpoint(value) ? endpointId(name) : isSchema(value) ? schemaId(name) : undefined;
}

/**
 * Has schemas and endpoints come from their own modules. Through one module for all, each would be loaded with the
 * first page, which needs few of them.
 */
function withOwnModules(code: string): string {
  return code.replace(importOfContract, (_statement, list: string) => {
    const named = list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => ({ name, from: ownModule(name.split(' as ')[0] ?? '') }));
    const others = named.filter(({ from }) => from === undefined).map(({ name }) => name);
    // On one line: the lines below keep their numbers.
    return [
      `import { ${others.join(', ')} } from '@svc/contract';`,
      ...named.flatMap(({ name, from }) =>
        from === undefined ? [] : [`import { ${name} } from '${from}';`],
      ),
      '\n'.repeat(list.split('\n').length - 1),
    ].join('');
  });
}

/**
 * The contract as pages get it: endpoints without their schemas, schemas of forms as plain JSON Schema, and the
 * constants. The library that schemas are written with stays out of every page but the checker of forms.
 */
export const slimContract = (): Plugin => ({
  name: 'slim-contract',
  enforce: 'post',
  resolveId: {
    order: 'pre',
    handler: (id) => (id === '@svc/contract' ? slimId : modules.has(id) ? id : undefined),
  },
  transform: {
    order: 'pre',
    filter: { id: /\.tsx?$/, code: '@svc/contract' },
    handler: (code) => ({ code: withOwnModules(code), map: null }),
  },
  load: (id) => (modules.has(id) ? { code: modules.get(id) ?? '', moduleSideEffects: false } : undefined),
});
