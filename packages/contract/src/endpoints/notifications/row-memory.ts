import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { IdParams, nullable, Time, wordOf } from '../../shapes.ts';
import { plural } from '../../wording.ts';

/** Kinds of row change between two runs. */
export const rowChanges = ['New', 'Changed', 'Vanished'] as const;
export type RowChange = (typeof rowChanges)[number];
export const rowDeliveries = ['Digest', 'PerRow'] as const;
export type RowDelivery = (typeof rowDeliveries)[number];

/** Columns that identify a row, at most. */
export const keyColumnsMax = 16;
const watchedColumnsMax = 1_000;
/** Rows with a separate message, at most. Further rows share one message. */
export const rowMessagesMax = 20;

export const ColumnName = Type.String({ minLength: 1, maxLength: 200 });

const memory = {
  keyColumns: Type.Array(ColumnName, {
    minItems: 1,
    maxItems: keyColumnsMax,
    uniqueItems: true,
    description: 'Columns of the result that identify a row.',
  }),
  watchedColumns: nullable(
    Type.Array(ColumnName, { minItems: 1, maxItems: watchedColumnsMax, uniqueItems: true }),
    {
      description:
        'A row counts as changed if the value of one of these columns changed. Null: all columns of the result.',
    },
  ),
  changes: Type.Array(wordOf(rowChanges), {
    minItems: 1,
    maxItems: rowChanges.length,
    uniqueItems: true,
    description: 'Kinds of changes that are reported.',
  }),
  delivery: wordOf(rowDeliveries, {
    description: `\`Digest\`: one message for each run. \`PerRow\`: one message for each of the first ${plural(rowMessagesMax, 'row')}, and one for all other rows.`,
  }),
  keepsKeys: Type.Boolean({
    description:
      'Stores the key columns of up to 100,000 rows, masked and encrypted, so that messages can name a vanished row.',
  }),
};

/** Columns by which a subscription with the trigger `OnRowChange` remembers rows, and the changes that it reports. */
export const RowMemory = Type.Object(memory, { $id: 'RowMemory' });
export type RowMemory = Static<typeof RowMemory>;

/** Defaults of omitted members; key columns have none. */
export const rowMemoryDefaults: Omit<RowMemory, 'keyColumns'> = {
  watchedColumns: null,
  changes: ['New'],
  delivery: 'Digest',
  keepsKeys: false,
};

/** Row memory of a request body. An omitted member gets its default. */
export const RowMemoryInput = Type.Object({
  keyColumns: memory.keyColumns,
  watchedColumns: Type.Optional(memory.watchedColumns),
  changes: Type.Optional(memory.changes),
  delivery: Type.Optional(memory.delivery),
  keepsKeys: Type.Optional(memory.keepsKeys),
});
export type RowMemoryInput = Static<typeof RowMemoryInput>;

/** Stored state of the rows of the last run that counted. */
export const RememberedRows = Type.Object(
  {
    rowCount: Type.Integer({ minimum: 0, description: 'Stored rows, counted by their keys.' }),
    duplicateKeyCount: Type.Integer({
      minimum: 0,
      description: 'Keys that several rows have. Rows with the same key count as one row.',
    }),
    updatedAt: Time,
  },
  { $id: 'RememberedRows' },
);
export type RememberedRows = Static<typeof RememberedRows>;

export const resetRowMemory = defineEndpoint({
  operationId: 'resetRowMemory',
  tag: 'subscriptions',
  summary:
    'Deletes the remembered rows of a subscription; the next run stores its rows again and notifies no recipients',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/row-memory-reset',
  params: IdParams,
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
});
