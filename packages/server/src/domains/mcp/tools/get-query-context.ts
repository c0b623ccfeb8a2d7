import { type Static, Type } from 'typebox';
import { personalNames } from '../../../gateways/run-sql/index.ts';
import { plainText } from '../../../platform/text/index.ts';
import { type Grounding, groundingOf, type Known } from '../../grounding/index.ts';
import { ToolRefusal } from '../calls/refusal.ts';
import { maskingOf, type RunningDeps } from '../calls/running.ts';
import type { Catalogue } from '../context/catalogue.ts';
import { dataLine, dataNotice, framed } from '../context/framing.ts';
import { dataSource, output, projectId } from './shapes.ts';
import type { Tool } from './tool.ts';

const questionLengthMax = 4_000;
const charsDefault = 12_000;
const charsMax = 30_000;
/** Share of the schema. The remainder is for descriptions of the tables. */
const schemaShare = 2 / 3;

const Input = Type.Object({
  question: Type.String({
    minLength: 1,
    maxLength: questionLengthMax,
    pattern: '\\S',
    description: 'The question in plain language that a statement is to answer.',
  }),
  max_chars: Type.Optional(
    Type.Integer({
      minimum: 1_000,
      maximum: charsMax,
      description: `Most characters of all parts; default ${charsDefault}.`,
    }),
  ),
  data_source: dataSource,
  project_id: projectId,
});

const Output = Type.Object({
  dataSourceId: Type.Integer(),
  dataSource: Type.String(),
  engine: Type.String(),
  isWholeSchema: Type.Boolean({ description: 'Every table of the data source is told.' }),
  parts: Type.Array(Type.Object({ name: Type.String(), text: Type.String() }), {
    description:
      'schema: a table a line. glossary: what words of the business mean here. examples: questions whose statement people have checked. learned: how this data is used.',
  }),
  isCut: Type.Boolean({ description: 'Lines did not fit: raise max_chars, or ask about less.' }),
  notice: output.notice,
});

type Part = Grounding['data'][number];
export type QueryContextDeps = Pick<RunningDeps, 'piiPatterns'> & {
  readonly catalogue: Catalogue;
  /** Returns all context of a data source. Contains no permission check. */
  readonly knownOf: (projectId: number, dataSourceId: number) => Promise<Known>;
};

/** Tool that returns the context that the service's own language model would receive for a question. Reads no row. */
export const getQueryContextTool = (deps: QueryContextDeps): Tool<Static<typeof Input>> => ({
  name: 'get_query_context',
  title: 'What a question needs',
  description:
    'Call this before you write SQL of your own for a question. Tells the tables of a data source that the question is about, with their columns, keys and comments, the words of the glossary, questions whose statement people have checked, and how the data is used. It reads no rows.',
  input: Input,
  output: Output,
  needsSources: true,
  run: async ({ question, max_chars: maxChars = charsDefault, data_source }, call) => {
    const source = await deps.catalogue.pickSource(call.project, data_source);
    call.touch({ dataSourceId: source.id });
    const schema = await deps.catalogue.schemaOf(call.caller, source);
    if ('missing' in schema) throw new ToolRefusal('schema-unknown', schema.missing);
    const knowledge = await deps.knownOf(call.project.id, source.id);
    const isPersonal = personalNames(maskingOf(deps, call.project));
    const { data, isWhole } = groundingOf(knowledge, {
      question,
      isPersonal,
      schemaLengthMax: Math.floor(maxChars * schemaShare),
    });
    const fitted = fitting(
      data.filter(({ name }) => name !== 'engine'),
      maxChars,
    );
    const { id: dataSourceId, name: dataSource, engine } = source;
    const summary = { dataSourceId, dataSource, engine, isWholeSchema: isWhole && !fitted.isSchemaCut };
    const cut = fitted.isCut ? ' Not everything fitted: raise max_chars, or ask about less.' : '';
    return {
      text: framed(
        `What is known for the question of data source ${dataSourceId} (${plainText(engine)}).${cut}`,
        [dataLine(summary), ...fitted.parts.map(dataLine)],
      ),
      structured: { ...summary, parts: fitted.parts, isCut: fitted.isCut, notice: dataNotice },
      rowCount: null,
      maskedColumns: [],
    };
  },
});

/** Returns complete lines within the length limit: first the schema, then the other parts. */
function fitting(
  data: readonly Part[],
  charsMax: number,
): { parts: Part[]; isCut: boolean; isSchemaCut: boolean } {
  let remaining = charsMax;
  const cut = new Set<string>();
  const parts = data.flatMap(({ name, text }): Part[] => {
    const lines: string[] = [];
    for (const line of text.split('\n')) {
      if (line.length + 1 > remaining) {
        cut.add(name);
        continue;
      }
      remaining -= line.length + 1;
      lines.push(line);
    }
    return lines.length > 0 ? [{ name, text: lines.join('\n') }] : [];
  });
  return { parts, isCut: cut.size > 0, isSchemaCut: cut.has('schema') };
}
