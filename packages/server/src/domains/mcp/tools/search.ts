import { type Static, Type } from 'typebox';
import { personalNames } from '../../../doors/run-sql/index.ts';
import { maskingOf, type RunningDeps } from '../calls/running.ts';
import type { Catalogue, SourceSchema } from '../context/catalogue.ts';
import { tableName } from '../context/describe.ts';
import { dataLine, dataNotice, framed } from '../context/framing.ts';
import { output, projectId } from './shapes.ts';
import type { Tool } from './tool.ts';

const limitDefault = 20;
const queriesMax = 1_000;
const descriptionShown = 300;

const Input = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '\\S',
    description: 'Words to look for in names and comments, in any order.',
  }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default 20.' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000, description: 'Default 0.' })),
  project_id: projectId,
});

const kinds = ['table', 'column', 'query'] as const;
type Hit = {
  readonly kind: (typeof kinds)[number];
  readonly name: string;
  readonly dataSourceId: number | null;
  readonly queryId: number | null;
  readonly databaseType: string | null;
  readonly isMasked: boolean;
  readonly description: string | null;
};

const Output = Type.Object({
  hits: Type.Array(
    Type.Object({
      kind: Type.Unsafe<Hit['kind']>({ type: 'string', enum: [...kinds] }),
      name: Type.String({ description: 'schema.table, schema.table.column, or the name of a saved query.' }),
      dataSourceId: output.nullableInteger,
      queryId: output.nullableInteger,
      databaseType: output.nullableText,
      isMasked: Type.Boolean(),
      description: output.nullableText,
    }),
  ),
  totalCount: Type.Integer(),
  nextOffset: output.nullableInteger,
  notice: output.notice,
});

type Deps = Pick<RunningDeps, 'piiPatterns'> & { readonly catalogue: Catalogue };

/** Finds tables, columns and saved queries by words. No row of a data source is read. */
export const searchTool = (deps: Deps): Tool<Static<typeof Input>> => ({
  name: 'search',
  title: 'Search schemas and queries',
  description:
    'Finds tables, columns and saved queries of the project by words in their names and comments, best match first. It reads no rows.',
  input: Input,
  output: Output,
  run: async ({ query, limit = limitDefault, offset = 0 }, call) => {
    const words = [
      ...new Set(
        query
          .toLowerCase()
          .split(/[^\p{L}\p{N}]+/u)
          .filter(Boolean),
      ),
    ];
    const isPersonal = personalNames(maskingOf(deps, call.project));
    const saved = await deps.catalogue.queries(call.project.id, { limit: queriesMax, offset: 0 });
    const all: Hit[] = [
      ...(await deps.catalogue.schemas(call.caller, call.project.id)).flatMap((schema) =>
        hitsOf(schema, isPersonal),
      ),
      ...saved.queries.map(
        (found): Hit => ({
          ...blank,
          kind: 'query',
          name: found.name,
          queryId: found.id,
          description: found.description,
        }),
      ),
    ];
    const found = all
      .map((hit) => ({ hit, score: scoreOf(hit, words) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || compare(one.hit, other.hit))
      .map(({ hit }) => ({ ...hit, description: hit.description?.slice(0, descriptionShown) ?? null }));
    const hits = found.slice(offset, offset + limit);
    const nextOffset = offset + hits.length < found.length ? offset + hits.length : null;
    const more = nextOffset === null ? '' : ` More from offset ${nextOffset}.`;
    return {
      text: framed(`${hits.length} of ${found.length} matches.${more}`, hits.map(dataLine)),
      structured: { hits, totalCount: found.length, nextOffset, notice: dataNotice },
      rowCount: null,
      maskedColumns: [],
    };
  },
});

const blank = { dataSourceId: null, queryId: null, databaseType: null, isMasked: false } as const;

function hitsOf(schema: SourceSchema, isPersonal: (name: string) => boolean): Hit[] {
  if ('missing' in schema) return [];
  const dataSourceId = schema.source.id;
  return schema.metadata.tables.flatMap((table): Hit[] => [
    { ...blank, kind: 'table', name: tableName(table), dataSourceId, description: table.comment },
    ...table.columns.map(
      (column): Hit => ({
        ...blank,
        kind: 'column',
        name: `${tableName(table)}.${column.name}`,
        dataSourceId,
        databaseType: column.databaseType,
        isMasked: isPersonal(column.name),
        description: column.comment,
      }),
    ),
  ]);
}

const wholeWord = 4;
const inName = 2;
const inDescription = 1;
const isWholeName = 8;

/** Every word counts where it stands: the last part of the name whole, in the name, in the description. */
function scoreOf({ name, description }: Hit, words: readonly string[]): number {
  const lower = name.toLowerCase();
  const own = lower.slice(lower.lastIndexOf('.') + 1);
  const parts = new Set(lower.split(/[^\p{L}\p{N}]+/u));
  const text = description?.toLowerCase() ?? '';
  let score = words.join('') === own.replaceAll(/[^\p{L}\p{N}]+/gu, '') ? isWholeName : 0;
  for (const word of words) {
    if (parts.has(word)) score += wholeWord;
    else if (own.includes(word)) score += inName;
    if (text.includes(word)) score += inDescription;
  }
  return score;
}

/** A total order that depends on no locale. */
function compare(one: Hit, other: Hit): number {
  const keyOf = (hit: Hit) =>
    `${kinds.indexOf(hit.kind)} ${hit.name} ${hit.dataSourceId ?? ''} ${hit.queryId ?? ''}`;
  const [first, second] = [keyOf(one), keyOf(other)];
  return first < second ? -1 : first > second ? 1 : 0;
}
