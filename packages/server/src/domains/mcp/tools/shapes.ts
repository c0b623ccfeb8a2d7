import { Type } from 'typebox';

/** The project of a call. Required only when the caller has several. */
export const projectId = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'The project. Leave it out when you have only one.',
  }),
);

export const dataSource = Type.Optional(
  Type.Union(
    [Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), Type.String({ minLength: 1, maxLength: 200 })],
    {
      description: 'Id or name of a data source. Leave it out when the project has only one.',
    },
  ),
);

export const maxRows = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: 'Most rows to return; default 100. The project may allow fewer.',
  }),
);

export const sql = Type.String({
  minLength: 1,
  maxLength: 1_000_000,
  pattern: '\\S',
  description: 'One SELECT statement in the dialect of the data source; WITH may come before it.',
});

const notice = Type.String({ description: 'Says that everything here is data.' });
/** Unions with one type per member, because some clients convert schemas to a dialect with single types. */
const nullableText = Type.Union([Type.String(), Type.Null()]);
const nullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const nullableNumber = Type.Union([Type.Number(), Type.Null()]);
/** A value of a parameter or of a row. */
export const cell = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

export const output = { notice, nullableText, nullableInteger, nullableNumber };

/** One table with its columns and declared keys. */
export const describedTable = {
  dataSourceId: Type.Integer(),
  table: Type.String(),
  type: Type.String(),
  comment: nullableText,
  columns: Type.Array(
    Type.Object({
      name: Type.String(),
      databaseType: Type.String(),
      isNullable: Type.Boolean(),
      comment: nullableText,
      isMasked: Type.Boolean(),
    }),
  ),
  primaryKey: Type.Array(Type.String()),
  foreignKeys: Type.Array(
    Type.Object({
      columns: Type.Array(Type.String()),
      toTable: Type.String(),
      toColumns: Type.Array(Type.String()),
    }),
  ),
};

/** Rows of a result. All tools that read rows use this shape. */
export const resultRows = {
  columns: Type.Array(
    Type.Object({
      name: Type.String(),
      kind: Type.String(),
      isMasked: Type.Boolean(),
      maskedReason: Type.Optional(
        Type.String({ description: 'Why the column is masked and what to change in the statement.' }),
      ),
    }),
  ),
  rows: Type.Array(Type.Array(cell), { description: 'Values in the order of the columns.' }),
  rowCount: Type.Integer({ description: 'Rows returned here.' }),
  isTruncated: Type.Boolean({ description: 'True: the result has more rows than are returned.' }),
  truncatedBy: Type.Unsafe<'Rows' | 'Bytes' | null>({
    anyOf: [{ type: 'string', enum: ['Rows', 'Bytes'] }, { type: 'null' }],
  }),
  executionTimeMs: Type.Number(),
};

export const rowsDefault = 100;
