import { type Static, type TSchema, Type } from 'typebox';

/** Timestamp: RFC 3339, UTC. */
export const Time = Type.String({ format: 'date-time' });

/** The largest id of a record. */
export const idMax = 2_147_483_647;

export const Id = Type.Integer({ minimum: 1, maximum: idMax });

/** Id of a record in a table that outgrows 32 bits. Maximum: the largest integer that JSON clients read exactly. */
export const BigId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** Any finite number. */
export const FiniteNumber = Type.Number({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE });

/** Path parameters of a by-id route. */
export const IdParams = Type.Object({ id: Id });

/** String with at least one character that is not white space. */
export const NonBlank = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' });

/** Returns a schema for the value or null. `description` applies to both. */
export function nullable<T extends TSchema>(schema: T, options: { readonly description?: string } = {}) {
  const { type, enum: words } = schema as { type?: unknown; enum?: readonly unknown[] };
  // A list of types serialises faster than a union of two schemas.
  const either =
    typeof type === 'string'
      ? { ...schema, ...options, type: [type, 'null'], ...(words && { enum: [...words, null] }) }
      : { ...options, anyOf: [schema, { type: 'null' }] };
  return Type.Unsafe<Static<T> | null>(either as TSchema);
}

/**
 * Returns the schema of an object with arbitrary names and values of one kind. Avoids `Type.Record`, which adds the
 * whole type engine (40 kB) to the browser bundle.
 */
export const mapOf = <T extends TSchema>(
  value: T,
  options: { description?: string; nameLengthMax?: number; sizeMax?: number } = {},
) =>
  Type.Unsafe<Record<string, Static<T>>>({
    type: 'object',
    additionalProperties: value,
    ...(options.nameLengthMax !== undefined && { propertyNames: { maxLength: options.nameLengthMax } }),
    ...(options.sizeMax !== undefined && { maxProperties: options.sizeMax }),
    ...(options.description !== undefined && { description: options.description }),
  });

/** Returns the object schema with every member optional. Avoids `Type.Partial` for the same reason as `mapOf`. */
export const partly = <T>(
  schema: TSchema,
  options: { description?: string; additionalProperties?: false; minProperties?: number } = {},
) => Type.Unsafe<Partial<T>>({ ...schema, ...options, required: [] });

/** Returns the schema of one word of a closed list. */
export const wordOf = <const T extends readonly string[]>(
  words: T,
  options: { readonly description?: string } = {},
) => Type.Unsafe<T[number]>({ ...options, type: 'string', enum: [...words] });

/**
 * Query parameters of every list. `page` is zero-based, and a negative value counts as 0. `pageSize` is clamped to 1 to
 * 200, never refused. Unknown names in `sort` are ignored.
 */
export const listQuery = {
  page: Type.Optional(Type.String({ description: 'Zero-based page number; default 0.' })),
  pageSize: Type.Optional(Type.String({ description: 'Rows per page, 1 to 200; default 20.' })),
  sort: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Property names, separated by commas. A leading "-" means descending order.',
    }),
  ),
};
export const ListQuery = Type.Object(listQuery);
export type ListQuery = Static<typeof ListQuery>;

/** Returns the schema of a list response. */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item),
    totalCount: Type.Integer({ minimum: 0 }),
    pageCount: Type.Integer({ minimum: 0 }),
  });
export type Page<T> = { items: T[]; totalCount: number; pageCount: number };

/** Absent without retries. */
export const Retries = Type.Optional(
  Type.Object(
    {
      count: Type.Integer({ minimum: 1 }),
      waitedMs: Type.Number({ minimum: 0, description: 'Total wait before the retries, in milliseconds.' }),
    },
    { description: 'Requests that the service repeated, because the data source required it.' },
  ),
);

/** Absent if the engine does not bill by scanned bytes. */
export const ScannedBytes = Type.Optional(
  Type.Number({ minimum: 0, description: 'Bytes that the engine scanned, if it bills by scanned bytes.' }),
);

/** Absent if the engine does not bill by bytes. */
export const BilledBytes = Type.Optional(
  nullable(
    Type.Number({
      minimum: 0,
      description: 'Bytes that the engine bills. Null if it bills by bytes but has not reported the number.',
    }),
  ),
);

export const numberFormats = ['Text', 'Number'] as const;
/** JSON form of 64-bit integers and of decimals. */
export type NumberFormat = (typeof numberFormats)[number];
export const NumberFormat = Type.Unsafe<(typeof numberFormats)[number]>({
  ...wordOf(numberFormats),
  description:
    'JSON form of 64-bit whole numbers and of decimals. `Text`: a string, which every client reads exactly. `Number`: a number with all its digits, which JavaScript rounds beyond 2^53.',
});
