import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as contract from '@svc/contract';
import { openApiDocument } from '../../server/src/platform/http/index.ts';
import { commentOf, memberName, type Schema, typeOf } from './schema-types.ts';

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
};
type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};
type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly examples: Readonly<Record<string, unknown>>;
  };
};

const source = path.join(import.meta.dirname, '../src');
const head = '// Written by `npm run docs` from the OpenAPI document.\n';
const json = 'application/json';
const bytes = 'application/octet-stream';

const isEndpoint = (value: unknown): value is contract.Endpoint =>
  typeof value === 'object' && value !== null && 'operationId' in value;

/** Returns the generated files of the client with the content that the contract requires. */
export function generateClient(): { readonly file: string; readonly content: string }[] {
  const document = openApiDocument(Object.values<unknown>(contract).filter(isEndpoint), {
    version: '',
    serverUrl: '/',
  }) as unknown as OpenApi;
  const operations = Object.entries(document.paths)
    .flatMap(([at, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ at, method, operation })),
    )
    .sort((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1));
  return [
    { file: path.join(source, 'formula-text.generated.ts'), content: formulaTextFile() },
    { file: path.join(source, 'schemas.generated.ts'), content: schemasFile(document) },
    {
      file: path.join(source, 'operations.generated.ts'),
      content: operationsFile(
        operations.map(({ operation }) => operation),
        Object.keys(document.components.schemas),
      ),
    },
    {
      file: path.join(source, 'routes.generated.ts'),
      content: `${head}
/** Method, path and further facts about the request and the response, by operation. */
export const routes = {
${operations.map(({ at, method, operation }) => `  ${operation.operationId}: '${routeOf(method, at, operation)}',`).join('\n')}
} as const;
`,
    },
  ];
}

/** Returns the rule against formulas as a copy, because the client imports no other package. */
const formulaTextFile = (): string =>
  `// Written by \`npm run docs\` from packages/contract/src/formula-text.ts.\n\n${readFileSync(
    path.join(source, '../../contract/src/formula-text.ts'),
    'utf8',
  )}`;

/**
 * Returns method and path, then flags: `keyed` accepts an Idempotency-Key, `file` accepts bytes, `raw` returns no JSON.
 */
function routeOf(method: string, at: string, operation: Operation): string {
  const isKeyed = operation.parameters?.some(({ name }) => name === 'Idempotency-Key') ?? false;
  const takesFile = operation.requestBody?.content[bytes] !== undefined;
  const words = [
    ...(isKeyed ? ['keyed'] : []),
    ...(takesFile ? ['file'] : []),
    ...(isRaw(operation) ? ['raw'] : []),
  ];
  return [method.toUpperCase(), at, ...words].join(' ');
}

/** Returns the success responses: statuses below 300. */
const answersOf = ({ responses }: Operation) =>
  Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([, { content }]) => content);

const isRaw = (operation: Operation): boolean =>
  answersOf(operation).length === 0 || answersOf(operation).some((content) => content && !content[json]);

function schemasFile({ components }: OpenApi): string {
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `${commentOf(schema.description)}export type ${name} = ${typeOf(schema)};`,
  );
  const codes = Object.keys(components.examples).map((code) => `  | ${JSON.stringify(code)}`);
  return `${head}
${types.join('\n\n')}

/** Codes of problems that the service answers. */
export type ProblemCode =
${codes.join('\n')};
`;
}

function operationsFile(operations: readonly Operation[], names: readonly string[]): string {
  const text = operations.map(operationType).join('\n');
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return `${head}import type { FileBody } from './request.ts';
import type {
${used.map((name) => `  ${name},`).join('\n')}
} from './schemas.generated.ts';

/** Every operation by its id: what it takes and what it answers. */
export type Operations = {
${text}
};
`;
}

function operationType(operation: Operation): string {
  const { operationId, summary, description } = operation;
  const answers = answersOf(operation).map((content) => {
    if (!content) return 'undefined';
    const schema = content[json]?.schema;
    return schema ? typeOf(schema) : 'Response';
  });
  const answer = isRaw(operation) ? 'Response' : [...new Set(answers)].join(' | ');
  return `${commentOf(`${summary}. ${description}`)}readonly ${operationId}: { readonly input: ${inputOf(operation)}; readonly answer: ${answer} };`;
}

/**
 * Returns the input type of a call: path and query parameters by name, and the body.
 *
 * @throws Error if two members have the same name.
 */
function inputOf({ operationId, parameters = [], requestBody }: Operation): string {
  const named = parameters.filter((one) => one.in !== 'header');
  const members = named.map(({ name, required, description, schema, in: place }) => {
    const isText = place === 'query' && schema.type === 'string' && !schema.enum;
    // A query string is text, so a number is sent as its digits.
    const type = isText ? 'string | number' : typeOf(schema);
    return `${commentOf(description)}readonly ${memberName(name)}${required ? '' : '?'}: ${type};`;
  });
  if (requestBody) {
    const schema = requestBody.content[json]?.schema;
    members.push(`readonly body: ${schema ? typeOf(schema) : 'FileBody'};`);
  }
  const names = [...named.map(({ name }) => name), ...(requestBody ? ['body'] : [])];
  if (new Set(names).size < names.length)
    throw new Error(`${operationId} takes two parameters of one name: ${names.join(', ')}.`);
  return members.length === 0 ? '{ readonly [name: string]: never }' : `{\n${members.join('\n')}\n}`;
}
