import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import {
  type LlmProviderProcess,
  type ProviderRequest,
  startLlmProvider,
} from '../../packages/testkit/src/outside/llm-provider.ts';
import type { Bench } from '../run/bench.ts';
import { type BenchDatabase, startBenchDatabase } from '../run/database.ts';
import { setupToken } from '../run/people.ts';
import { rounded } from '../run/report.ts';
import type { Figure } from '../run/result.ts';
import { type Subject, startSubject } from '../run/subject.ts';
import { type Made, watchShop } from '../run/watching.ts';
import { type BenchTable, readGold, readTables } from '../search/cases.ts';

const tokensMax = 8_000;
const shareMsMax = 300;
const rowCount = 100;
/** Untimed questions first: code is compiled, pools are filled. */
const warmUps = 10;
const patienceMs = 30_000;

/** Questions of one sentence that one statement answers. */
const simpleFile = 'instruct_basic_postgres.csv';

/** Measures the tokens of a question, and the service's share of the answer time. */
export const bench: Bench = {
  purpose:
    'tokens of a question about 72 tables, and the time of an answer with 100 rows if the model answers immediately',
  run: async ({ rounds }) => {
    const database = await startBenchDatabase();
    const provider = await startLlmProvider();
    const service = await startSubject('answering', path.join(import.meta.dirname, '../run/service.ts'), {
      connection: database.connection,
      settings: {
        'Svc:UserManagement:SetupToken': setupToken,
        'Svc:EncryptionKey': 'k'.repeat(32),
        'Svc:LLM:TrustedHosts': ['127.0.0.1'],
        'Svc:LLM:Provider': 'OpenAiCompatible',
        'Svc:LLM:Endpoint': `${provider.origin}/v1`,
        'Svc:LLM:Model': 'script',
        'Svc:LLM:CallsPerMinute': 100_000,
        'Svc:LLM:TokensPerMinute': 1_000_000_000,
        'Svc:LLM:DailyTokensPerUser': 1_000_000_000,
        'Svc:Jobs:Workers': 4,
      },
    });
    try {
      const tables = readTables();
      const ask = await prepare(service, { database, provider, tables });
      const simple = readGold().filter(({ file }) => file === simpleFile);
      const questions = Array.from({ length: Math.max(1, rounds) }, () => simple).flat();
      const asked = [...simple.slice(0, warmUps), ...questions];
      const times: number[] = [];
      for (const { question, schema } of asked)
        times.push(
          await ask(
            question,
            tables.find(({ name }) => name.startsWith(`${schema}.`)),
          ),
        );
      const sent = (await provider.seen()).slice(warmUps, warmUps + simple.length).map(tokensOf);
      return [
        ...figuresOf(`a simple question, ${simple.length} of them`, 'tokens sent', sent, tokensMax),
        ...figuresOf(`an answer, ${questions.length} times`, 'ms', times.slice(warmUps), shareMsMax),
      ];
    } finally {
      await Promise.all([service.stop(), provider.close()]);
      await database.stop();
    }
  },
};

/** Returns the tokens of a request: its messages and the schema of the answer. */
const tokensOf = ({ body }: ProviderRequest): number => {
  const { messages, response_format: format } = body;
  const texts = (messages as { readonly content: string | { readonly text: string }[] }[]).flatMap(
    ({ content }) => (typeof content === 'string' ? [content] : content.map(({ text }) => text)),
  );
  return countTokens([...texts, JSON.stringify(format ?? '')].join('\n'));
};

const quoted = (name: string): string =>
  name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');

/** Returns statements that create the tables of the questions without rows, with comments on columns. */
const createTables = (tables: readonly BenchTable[]): string =>
  [
    ...new Set(tables.map(({ name }) => `create schema if not exists ${quoted(name.split('.')[0] ?? '')}`)),
    ...tables.flatMap(({ name, columns }) => [
      `create table ${quoted(name)} (${columns.map((column) => `"${column.name}" ${column.type}`).join(', ')})`,
      ...columns.flatMap(({ name: column, comment }) =>
        comment === null
          ? []
          : [`comment on column ${quoted(name)}."${column}" is '${comment.replaceAll("'", "''")}'`],
      ),
    ]),
  ].join(';\n');

type Place = {
  readonly database: BenchDatabase;
  readonly provider: LlmProviderProcess;
  readonly tables: readonly BenchTable[];
};

/** Creates a project with the tables. Returns a function that asks about a table and returns the time in ms. */
async function prepare(service: Subject, { database, provider, tables }: Place) {
  const { post } = await watchShop(service, database, {
    createTable: createTables(tables),
    sql: 'select 1 as one',
  });
  const [made] = await database.sql<{ projectId: number; sourceId: number }>(
    `select p.id as "projectId", d.id as "sourceId" from svc.projects p, svc.data_sources d where p.name = 'Bench'`,
  );
  await post(`/svc/api/data-sources/${made?.sourceId}/refresh-metadata`, {});
  return async (question: string, table: BenchTable | undefined): Promise<number> => {
    if (!table) throw new Error(`No table is known for "${question}".`);
    // A new conversation for each question, since a question is sent with the earlier ones of its conversation.
    const talk = await post<Made>('/svc/api/ask/conversations', { projectId: made?.projectId });
    const columns = table.columns.map(({ name }) => `t."${name}"`).join(', ');
    await provider.script({
      kind: 'Sql',
      sql: `select n, 'Row ' || n as label, ${columns} from generate_series(1, ${rowCount}) n left join ${quoted(table.name)} t on true order by n`,
      assumptions: [],
      question: null,
      options: [],
      missing: null,
    });
    const { id } = await post<Made>(`/svc/api/ask/conversations/${talk.id}/questions`, { question });
    return ended(database, id);
  };
}

/** Waits for an answer. Returns the milliseconds from the question to the end, by the database's timestamps. */
async function ended(database: BenchDatabase, id: number): Promise<number> {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    const [answer] = await database.sql<{ state: string; ms: number | null }>(
      `select state, (extract(epoch from finished_at - asked_at) * 1000)::float8 as ms from svc.answers where id = $1`,
      [id],
    );
    if (answer?.ms != null) {
      if (answer.state !== 'Answered') throw new Error(`A question came to ${answer.state}.`);
      return answer.ms;
    }
    if (Date.now() > giveUpAt) throw new Error('An answer did not come.');
    await pause(10);
  }
}

const shareOf = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;

function figuresOf(title: string, unit: string, values: readonly number[], valueMax: number): Figure[] {
  const sorted = values.toSorted((one, other) => one - other);
  const figure = (what: string, share: number, target: Figure['target']): Figure => {
    const value = rounded(shareOf(sorted, share));
    process.stdout.write(`${title.padEnd(36)} ${value} ${unit}, ${what}\n`);
    return {
      title,
      unit: `${unit}, ${what}`,
      against: null,
      values: [value],
      floorValues: [],
      ratios: [],
      pairs: null,
      target,
    };
  };
  return [
    figure('p50', 0.5, null),
    figure('p95', 0.95, unit === 'ms' ? { valueMax } : null),
    figure('most', 1, unit === 'ms' ? null : { valueMax }),
  ];
}
