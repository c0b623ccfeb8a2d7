/** Member of an endpoint's rows, as the document describes it. */
export type DescribedColumn = {
  readonly name: string;
  /** `string`, `integer`, `number`, `boolean`, `array`, `object`, `date`, `date-time`, `uuid`; `any` if unstated. */
  readonly type: string;
  readonly isNullable: boolean;
  readonly comment: string | null;
};

export type Operation = {
  readonly summary: string | null;
  /** Path of the rows in an answer; null if the document does not state it. */
  readonly rows: string | null;
  readonly columns: readonly DescribedColumn[];
};

export type OpenApi = {
  readonly title: string;
  readonly version: string;
  readonly operations: Operations;
};

/** Operations for GET by path. Each is read from the document once, on its first use. */
export type Operations = Pick<ReadonlyMap<string, Operation>, 'get' | 'has'>;

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
/** Maximum number of references and compositions that are followed for one schema. */
const stepsMax = 20;

let last: { readonly document: string; readonly read: OpenApi | undefined } | undefined;

/** Reads OpenAPI 3 and Swagger 2 in JSON; undefined for any other text. The last result is cached. */
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
  const schemas = createSchemas(root);
  const gets = new Map<string, Node>();
  for (const [path, item] of Object.entries(paths)) {
    const get = member(schemas.follow(item), 'get');
    if (isNode(get) && gets.size < operationsMax) gets.set(path, get);
  }
  const info = member(root, 'info');
  return {
    title: text(member(info, 'title'), 200) ?? 'REST API',
    version: text(member(info, 'version'), 50) ?? '',
    operations: {
      has: (path) => gets.has(path),
      get: remembered((path) => {
        const get = gets.get(path);
        return get && readOperation(schemas, get);
      }),
    },
  };
}

/** Caches the result of `read` for each key. */
function remembered<Key, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    const cached = values.get(key);
    if (cached !== undefined) return cached;
    const value = read(key);
    values.set(key, value);
    return value;
  };
}

function readOperation(schemas: Schemas, get: Node): Operation {
  const summary = text(member(get, 'summary') ?? member(get, 'description'), commentLengthMax);
  const rows = rowsIn(schemas, answerSchema(schemas, get));
  return { summary, rows: rows?.rows ?? null, columns: rows ? schemas.columnsOf(rows.item) : [] };
}

/** Returns the schema of a successful answer. */
function answerSchema({ follow }: Schemas, get: Node): unknown {
  const responses = member(get, 'responses');
  if (!isNode(responses)) return undefined;
  const status = Object.keys(responses).find((code) => /^2(\d\d|XX)$/i.test(code)) ?? 'default';
  const response = follow(member(responses, status));
  const content = member(response, 'content');
  if (!isNode(content)) return member(response, 'schema');
  const type = Object.keys(content).find((name) => /[/+]json\b/i.test(name));
  return type === undefined ? undefined : member(member(content, type), 'schema');
}

/** Returns a list, or the first list of objects among the members of an object. Otherwise the object is the only row. */
function rowsIn({ membersOf }: Schemas, schema: unknown): { rows: string; item: unknown } | undefined {
  const root = membersOf(schema);
  if (root.items !== undefined) return { rows: '', item: root.items };
  for (const [name, property] of root.properties) {
    const { items } = membersOf(property);
    if (items !== undefined && membersOf(items).properties.size > 0)
      return { rows: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, item: items };
  }
  return root.properties.size > 0 ? { rows: '', item: schema } : undefined;
}

type Members = {
  readonly type: string | undefined;
  readonly items: unknown;
  /** At most as many properties as a result may have columns. */
  readonly properties: ReadonlyMap<string, unknown>;
  readonly isRequired: (name: string) => boolean;
};

/** Schemas of one document. Each is read once, even with repeated or circular references. */
type Schemas = {
  /** Resolves a reference within the document. */
  readonly follow: (node: unknown) => unknown;
  /** Combines a schema with the schemas that it is composed of. */
  readonly membersOf: (schema: unknown) => Members;
  readonly columnsOf: (item: unknown) => readonly DescribedColumn[];
};

function createSchemas(root: unknown): Schemas {
  const target = remembered((reference: string): unknown =>
    reference
      .slice(2)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce((at: unknown, part) => member(at, part), root),
  );
  const follow = (node: unknown): unknown => {
    let current = node;
    for (let step = 0; step < stepsMax; step++) {
      const reference = member(current, '$ref');
      if (typeof reference !== 'string') return current;
      if (!reference.startsWith('#/')) return undefined;
      current = target(reference);
    }
    return undefined;
  };
  const propertiesOf = remembered((node: Node) => {
    const properties = member(node, 'properties');
    return isNode(properties) ? Object.entries(properties).slice(0, columnsMax) : [];
  });
  const requiredOf = remembered((node: Node): ReadonlySet<unknown> => {
    const names = member(node, 'required');
    return new Set(Array.isArray(names) ? names : []);
  });
  const composed = remembered((schema: unknown): Members => {
    const properties = new Map<string, unknown>();
    const required: ReadonlySet<unknown>[] = [];
    let type: string | undefined;
    let items: unknown;
    const waiting: unknown[] = [schema];
    for (let step = 0; step < stepsMax && waiting.length > 0; step++) {
      const node = follow(waiting.shift());
      if (!isNode(node)) continue;
      const typeName = [member(node, 'type')]
        .flat()
        .find((name) => typeof name === 'string' && name !== 'null');
      if (typeof typeName === 'string') type ??= typeName;
      items ??= member(node, 'items');
      for (const [name, property] of propertiesOf(node))
        if (properties.size < columnsMax || properties.has(name)) properties.set(name, property);
      required.push(requiredOf(node));
      const all = member(node, 'allOf');
      if (Array.isArray(all)) waiting.push(...all.slice(0, stepsMax));
    }
    return { type, items, properties, isRequired: (name) => required.some((names) => names.has(name)) };
  });
  const membersOf = (schema: unknown): Members => composed(follow(schema));
  const described = remembered((item: unknown): readonly DescribedColumn[] => {
    const { properties, isRequired } = membersOf(item);
    return [...properties].map(([name, property]) => {
      const schema = follow(property);
      return {
        name,
        type: typeOf(schema, membersOf(schema)),
        isNullable: !isRequired(name) || mayBeNull(schema),
        comment: text(member(schema, 'description'), commentLengthMax),
      };
    });
  });
  return { follow, membersOf, columnsOf: (item) => described(follow(item)) };
}

const formats = new Set(['date', 'date-time', 'uuid']);

function typeOf(schema: unknown, { type, items, properties }: Members): string {
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
