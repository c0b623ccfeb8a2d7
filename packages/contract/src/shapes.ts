import { type Static, type TSchema, Type } from 'typebox';

/** A point in time: RFC 3339, UTC. */
export const Time = Type.String({ format: 'date-time' });

/** The largest id of a record. */
export const idMax = 2_147_483_647;

/** A record's id. */
export const Id = Type.Integer({ minimum: 1, maximum: idMax });

/** A record's id in a table that outgrows 32 bits: the largest whole number that JSON programs keep exact. */
export const BigId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** Any finite number: what JSON can hold and a computer can compute with. */
export const FiniteNumber = Type.Number({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE });

/** Path parameters of a by-id route. */
export const IdParams = Type.Object({ id: Id });

/** String that holds something other than spaces. */
export const NonBlank = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' });

/** The value or null; `description` is of both. */
export function nullable<T extends TSchema>(schema: T, options: { readonly description?: string } = {}) {
  const { type, enum: words } = schema as { type?: unknown; enum?: readonly unknown[] };
  // A list of types serialises faster than a choice between two schemas.
  const either =
    typeof type === 'string'
      ? { ...schema, ...options, type: [type, 'null'], ...(words && { enum: [...words, null] }) }
      : { ...options, anyOf: [schema, { type: 'null' }] };
  return Type.Unsafe<Static<T> | null>(either as TSchema);
}

/**
 * An object that holds values of one kind under free names. Said plainly rather than with `Type.Record`, which
 * brings the whole type engine (40 kB) into the browser.
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

/**
 * The same object with every member optional. Said plainly rather than with `Type.Partial`, for the same reason as
 * `mapOf`.
 */
export const partly = <T>(
  schema: TSchema,
  options: { description?: string; additionalProperties?: false; minProperties?: number } = {},
) => Type.Unsafe<Partial<T>>({ ...schema, ...options, required: [] });

/** One of a closed list of words. */
export const wordOf = <const T extends readonly string[]>(
  words: T,
  options: { readonly description?: string } = {},
) => Type.Unsafe<T[number]>({ ...options, type: 'string', enum: [...words] });

/**
 * Query parameters of every list. `page` is zero-based and counts from 0 when negative; `pageSize` is clamped to
 * 1 to 200, never refused; unknown names in `sort` are passed over.
 */
export const listQuery = {
  page: Type.Optional(Type.String({ description: 'Zero-based page; default 0.' })),
  pageSize: Type.Optional(Type.String({ description: 'Rows a page, 1 to 200; default 20.' })),
  sort: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Property names, comma-separated; a leading "-" means descending.',
    }),
  ),
};
export const ListQuery = Type.Object(listQuery);
export type ListQuery = Static<typeof ListQuery>;

/** Answer of every list. */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item),
    totalCount: Type.Integer({ minimum: 0 }),
    pageCount: Type.Integer({ minimum: 0 }),
  });
export type Page<T> = { items: T[]; totalCount: number; pageCount: number };

/** Absent where nothing was sent again. */
export const Retries = Type.Optional(
  Type.Object(
    {
      count: Type.Integer({ minimum: 1 }),
      waitedMs: Type.Number({ minimum: 0, description: 'Waiting before them, all together.' }),
    },
    { description: 'Requests that the data source made the service send again.' },
  ),
);

/** Absent where an engine does not bill by them. */
export const ScannedBytes = Type.Optional(
  Type.Number({ minimum: 0, description: 'Bytes that the engine has scanned, where it bills by them.' }),
);

/** Absent where an engine does not bill by them. */
export const BilledBytes = Type.Optional(
  nullable(
    Type.Number({
      minimum: 0,
      description: 'Bytes that the engine bills for; null where it bills by them and has not told how many.',
    }),
  ),
);

export const numberFormats = ['Text', 'Number'] as const;
/** Form of whole numbers of 64 bits and of decimals in JSON. */
export type NumberFormat = (typeof numberFormats)[number];
export const NumberFormat = Type.Unsafe<(typeof numberFormats)[number]>({
  ...wordOf(numberFormats),
  description:
    'Form of whole numbers of 64 bits and of decimals in JSON. Text: as text, which every receiver reads exactly. Number: as numbers with all their digits, which JavaScript rounds beyond 2^53.',
});
