/** A member of the rows of an endpoint, as the document describes it. */
export type DescribedColumn = {
  readonly name: string;
  /** `string`, `integer`, `number`, `boolean`, `array`, `object`, `date`, `date-time`, `uuid`; `any` where it says none. */
  readonly type: string;
  readonly isNullable: boolean;
  readonly comment: string | null;
};

export type Operation = {
  readonly summary: string | null;
  /** Where the rows stand in an answer; null where the document does not say. */
  readonly rows: string | null;
  readonly columns: readonly DescribedColumn[];
};

export type OpenApi = {
  readonly title: string;
  readonly version: string;
  /** What may be read by GET, by path. */
  readonly operations: ReadonlyMap<string, Operation>;
};

type Node = { readonly [name: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const member = (node: unknown, name: string): unknown =>
  isNode(node) && Object.hasOwn(node, name) ? node[name] : undefined;
const text = (value: unknown, lengthMax: number): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, lengthMax) : null;

const commentLengthMax = 500;
const operationsMax = 5_000;
const columnsMax = 1_000;
/** References and compositions that are followed for one schema. */
const stepsMax = 20;

let last: { readonly document: string; readonly read: OpenApi | undefined } | undefined;

/** Reads OpenAPI 3 and Swagger 2 in JSON; undefined where the text is neither. The last one is remembered. */
export function parseOpenApi(document: string): OpenApi | undefined {
  if (last?.document !== document) last = { document, read: read(document) };
  return last.read;
}

function read(document: string): OpenApi | undefined {
  let root: unknown;
  try {
    root = JSON.parse(document);
  } catch {
    return undefined;
  }
  const paths = member(root, 'paths');
  const version = member(root, 'openapi') ?? member(root, 'swagger');
  if (typeof version !== 'string' || !isNode(paths)) return undefined;
  const operations = new Map<string, Operation>();
  for (const [path, item] of Object.entries(paths)) {
    const get = member(follow(root, item), 'get');
    if (isNode(get) && operations.size < operationsMax) operations.set(path, readOperation(root, get));
  }
  const info = member(root, 'info');
  return {
    title: text(member(info, 'title'), 200) ?? 'REST API',
    version: text(member(info, 'version'), 50) ?? '',
    operations,
  };
}

function readOperation(root: unknown, get: Node): Operation {
  const summary = text(member(get, 'summary') ?? member(get, 'description'), commentLengthMax);
  const found = rowsIn(root, answerSchema(root, get));
  return { summary, rows: found?.rows ?? null, columns: found ? columnsOf(root, found.item) : [] };
}

/** The schema of what a good answer holds. */
function answerSchema(root: unknown, get: Node): unknown {
  const responses = member(get, 'responses');
  if (!isNode(responses)) return undefined;
  const status = Object.keys(responses).find((code) => /^2(\d\d|XX)$/i.test(code)) ?? 'default';
  const response = follow(root, member(responses, status));
  const content = member(response, 'content');
  if (!isNode(content)) return member(response, 'schema');
  const type = Object.keys(content).find((name) => /[/+]json\b/i.test(name));
  return type === undefined ? undefined : member(member(content, type), 'schema');
}

/** A list, or the first list of objects among the members of an object; else the object is the only row. */
function rowsIn(root: unknown, schema: unknown): { rows: string; item: unknown } | undefined {
  const whole = membersOf(root, schema);
  if (whole.items !== undefined) return { rows: '', item: whole.items };
  for (const [name, property] of whole.properties) {
    const { items } = membersOf(root, property);
    if (items !== undefined && membersOf(root, items).properties.size > 0)
      return { rows: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, item: items };
  }
  return whole.properties.size > 0 ? { rows: '', item: schema } : undefined;
}

const columnsOf = (root: unknown, item: unknown): DescribedColumn[] => {
  const { properties, required } = membersOf(root, item);
  return [...properties].slice(0, columnsMax).map(([name, property]) => {
    const schema = follow(root, property);
    return {
      ...{ name, type: typeOf(root, schema), isNullable: !required.has(name) || mayBeNull(schema) },
      comment: text(member(schema, 'description'), commentLengthMax),
    };
  });
};

const formats = new Set(['date', 'date-time', 'uuid']);

function typeOf(root: unknown, schema: unknown): string {
  const { type, items, properties } = membersOf(root, schema);
  if (type === 'string') {
    const format = member(schema, 'format');
    return typeof format === 'string' && formats.has(format) ? format : 'string';
  }
  if (type !== undefined) return type;
  return items !== undefined ? 'array' : properties.size > 0 ? 'object' : 'any';
}

const mayBeNull = (schema: unknown): boolean => {
  const type = member(schema, 'type');
  return member(schema, 'nullable') === true || (Array.isArray(type) && type.includes('null'));
};

type Members = {
  readonly type: string | undefined;
  readonly items: unknown;
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
};

/** What a schema says with those that it is composed of. */
function membersOf(root: unknown, schema: unknown): Members {
  const properties = new Map<string, unknown>();
  const required = new Set<string>();
  let type: string | undefined;
  let items: unknown;
  const waiting: unknown[] = [schema];
  for (let step = 0; step < stepsMax && waiting.length > 0; step++) {
    const node = follow(root, waiting.shift());
    if (!isNode(node)) continue;
    const said = [member(node, 'type')].flat().find((name) => typeof name === 'string' && name !== 'null');
    if (typeof said === 'string') type ??= said;
    items ??= member(node, 'items');
    const own = member(node, 'properties');
    if (isNode(own)) for (const [name, property] of Object.entries(own)) properties.set(name, property);
    const names = member(node, 'required');
    if (Array.isArray(names)) for (const name of names) required.add(String(name));
    const all = member(node, 'allOf');
    if (Array.isArray(all)) waiting.push(...all.slice(0, stepsMax));
  }
  return { type, items, properties, required };
}

/** What a reference within the document stands for. */
function follow(root: unknown, node: unknown): unknown {
  let current = node;
  for (let step = 0; step < stepsMax; step++) {
    const reference = member(current, '$ref');
    if (typeof reference !== 'string') return current;
    if (!reference.startsWith('#/')) return undefined;
    current = reference
      .slice(2)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce((at: unknown, part) => member(at, part), root);
  }
  return undefined;
}
