import { createHash } from 'node:crypto';
import type { TableMetadata } from '@svc/connectors';
import Type from 'typebox';
import type { Llm, LlmAnswer, LlmFailure } from '../../gateways/llm/index.ts';
import type { Facts } from './facts.ts';
import type { TableNote } from './notes-store.ts';
import { describedMax } from './sections.ts';

/** Increment it when the instructions or their inputs change. All tables are then described again. */
const promptVersion = 1;

const instructions = `You describe tables of a database for people who are new to it.
- "engine" names the database, "tables" holds tables, one a line: columns with their types, "key" for those of the primary key, "masked" for personal data, "->" for what they refer to, and comments in quotes.
- Say for each table in "purpose" what one row stands for and what the table is for, in one or two plain sentences.
- Say only what names, types, keys and comments show. Where they show nothing, "purpose" is empty.
- Repeat the name of each table in "name" exactly.
- No Markdown, no HTML, no links.`;

const purposeMax = 600;
const Purposes = Type.Object(
  {
    tables: Type.Array(
      Type.Object({ name: Type.String(), purpose: Type.String() }, { additionalProperties: false }),
    ),
  },
  { additionalProperties: false },
);

/** Tables per call. */
export const batchSize = 15;
const outputTokensMax = 2_500;
const columnsMax = 60;
const tableCommentMax = 160;
const columnCommentMax = 80;
/** Length limit per table, so that a full batch fits in a prompt. */
const toldLengthMax = 3_500;

const short = (text: string | null, lengthMax: number): string =>
  (text ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, lengthMax).toWellFormed();

export const nameOf = ({ schema, name }: Pick<TableMetadata, 'schema' | 'name'>): string =>
  schema === '' ? name : `${schema}.${name}`;

/** Returns the text that describes a table to the model. It contains only metadata. */
function describeTable(table: TableMetadata, isPersonal: (column: string) => boolean): string {
  const targets = new Map(
    table.foreignKeys.flatMap(({ columns, toSchema, toTable }) =>
      columns.map((column) => [column, nameOf({ schema: toSchema, name: toTable })] as const),
    ),
  );
  const columns = table.columns.slice(0, columnsMax).map(({ name, databaseType, comment }) => {
    const about = short(comment, columnCommentMax);
    return [
      name,
      databaseType,
      table.primaryKey.includes(name) ? 'key' : '',
      isPersonal(name) ? 'masked' : '',
      targets.has(name) ? `-> ${targets.get(name)}` : '',
      about && `"${about}"`,
    ]
      .filter(Boolean)
      .join(' ');
  });
  const about = short(table.comment, tableCommentMax);
  const kind = table.type === 'View' ? 'view ' : '';
  const text = `${kind}${nameOf(table)}(${columns.join(', ')})${about && ` -- "${about}"`}`;
  return text.slice(0, toldLengthMax).toWellFormed();
}

/** A table for which a description is requested. */
type Asked = { readonly table: TableMetadata; readonly told: string; readonly toldHash: string };

/** Tables of one data source in one call. */
export type Batch = {
  readonly dataSourceId: number;
  readonly engine: string;
  readonly tables: readonly Asked[];
};

const keyOf = (dataSourceId: number, { schema, name }: Pick<TableMetadata, 'schema' | 'name'>): string =>
  JSON.stringify([dataSourceId, schema, name]);

/** Returns the stored descriptions that are still valid, and batches of the remaining tables. */
export function planDescriptions(
  { sources }: Facts,
  notes: readonly TableNote[],
  isPersonal: (column: string) => boolean,
): { readonly purposeOf: PurposeOf; readonly batches: readonly Batch[] } {
  const byKey = new Map(notes.map((note) => [keyOf(note.dataSourceId, note), note]));
  const valid = new Map<string, string>();
  const batches = sources.flatMap(({ id: dataSourceId, engine, snapshot }) => {
    const asked: Asked[] = [];
    for (const table of snapshot?.tables.slice(0, describedMax) ?? []) {
      const text = describeTable(table, isPersonal);
      const toldHash = createHash('sha256').update(`${promptVersion} ${engine} ${text}`).digest('hex');
      const key = keyOf(dataSourceId, table);
      const note = byKey.get(key);
      if (note?.toldHash === toldHash) valid.set(key, note.purpose);
      else asked.push({ table, told: text, toldHash });
    }
    return Array.from({ length: Math.ceil(asked.length / batchSize) }, (_, at) => ({
      dataSourceId,
      engine,
      tables: asked.slice(at * batchSize, (at + 1) * batchSize),
    }));
  });
  return { purposeOf: (dataSourceId, table) => valid.get(keyOf(dataSourceId, table)) ?? '', batches };
}

/** Returns the model's description of a table; empty without a description. */
export type PurposeOf = (dataSourceId: number, table: Pick<TableMetadata, 'schema' | 'name'>) => string;

/** Requests descriptions of the tables of a batch. */
export const askAbout = (
  llm: Pick<Llm, 'call'>,
  batch: Batch,
  call: { readonly userId: number | null; readonly projectId: number; readonly signal: AbortSignal },
) =>
  llm.call({
    purpose: 'Documentation',
    role: 'Fast',
    instructions,
    data: [
      { name: 'engine', text: batch.engine },
      { name: 'tables', text: batch.tables.map((one) => one.told).join('\n') },
    ],
    schema: Purposes,
    maxOutputTokens: outputTokensMax,
    charge: { userId: call.userId, projectId: call.projectId },
    signal: call.signal,
  });

/** Returns the descriptions of requested tables. Ignores all other tables of the answer. */
export function notesOf(
  { dataSourceId, tables }: Batch,
  value: { readonly tables: readonly { readonly name: string; readonly purpose: string }[] },
): TableNote[] {
  const said = new Map(value.tables.map(({ name, purpose }) => [name, purpose]));
  return tables.map(({ table, toldHash }) => ({
    dataSourceId,
    schema: table.schema,
    name: table.name,
    toldHash,
    purpose: short(said.get(nameOf(table)) ?? '', purposeMax),
  }));
}

/** Failures that concern one batch only. The next batch may succeed. */
const ofBatch: ReadonlySet<LlmFailure> = new Set<LlmFailure>([
  'BadAnswer',
  'CutShort',
  'RequestRefused',
  'PromptTooLarge',
]);

/** Returns the failure that ends all further batches; null to continue. */
export const endOf = (answer: LlmAnswer<unknown>): LlmFailure | null =>
  answer.kind === 'Failed' && !ofBatch.has(answer.failure) ? answer.failure : null;
