import { randomUUID } from 'node:crypto';
import type { ItemOf } from '@svc/client';
import { InvalidArgumentError } from 'commander';
import { type AddCommands, connect, entryCount, firstOf, given, outputOption, recordId } from '../command.ts';
import type { CliContext } from '../context.ts';
import { type Column, listResult, type OutputFormat, recordResult, writeResult } from '../output/formats.ts';

type Value = string | number | boolean | null;
type Parameters = Readonly<Record<string, Value>>;

const columns: readonly Column<ItemOf<'listQueries'>>[] = [
  { head: 'id', of: ({ id }) => id },
  { head: 'name', of: ({ name }) => name },
  { head: 'project', of: ({ projectName }) => projectName },
  { head: 'data sources', of: ({ dataSourceNames }) => dataSourceNames.join(', ') },
  { head: 'check', of: ({ check }) => check?.verdict ?? '' },
  { head: 'updated', of: ({ updatedAt }) => updatedAt },
];

/** `query list`, `query show` and `query run`. */
export const addQueryCommands: AddCommands = (program, context) => {
  const query = program.command('query').description('saved queries');
  query
    .command('list')
    .description('the queries that the key may read')
    .option('--project <id>', 'of one project', recordId)
    .option('--search <text>', 'part of the name or the description')
    .option('--limit <count>', 'so many at most', entryCount, 100)
    .addOption(outputOption())
    .action(async (options: ListOptions) => {
      const { project, search, limit, output } = options;
      const client = connect(context);
      const queries = await firstOf(
        (page) =>
          client.listAll(
            'listQueries',
            { ...page, ...given({ projectId: project, search }) },
            { signal: context.signal },
          ),
        limit,
      );
      writeResult(context, output, listResult(queries, columns));
    });
  query
    .command('show')
    .description('one query with its statements')
    .argument('<id>', 'number of the query', recordId)
    .addOption(outputOption())
    .action(async (id: number, { output }: { output: OutputFormat }) =>
      writeResult(
        context,
        output,
        recordResult(await connect(context).getQuery({ id }, { signal: context.signal })),
      ),
    );
  query
    .command('run')
    .description('run a query and write its rows, 10,000 at most')
    .argument('<id>', 'number of the query', recordId)
    .option(
      '--param <name=value>',
      'a parameter as text, or name:=value as JSON; may be repeated',
      parameter,
      {},
    )
    .addOption(outputOption())
    .action((id: number, { param, output }: { param: Parameters; output: OutputFormat }) =>
      runQuery(context, id, param, output),
    );
};

type ListOptions = { project?: number; search?: string; limit: number; output: OutputFormat };

async function runQuery(
  context: CliContext,
  id: number,
  parameters: Parameters,
  output: OutputFormat,
): Promise<void> {
  const client = connect(context);
  const runKey = randomUUID();
  // The database continues a statement after its reader disconnects. Therefore Ctrl-C also stops the statement.
  const stop = () => void client.stopRun({ runKey }, { timeoutMs: stopMaxMs }).catch(() => undefined);
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    const input = { id, extent: 'Whole', runKey, body: { parameters } } as const;
    const result = await client.previewQuery(input, { signal: context.signal, timeoutMs: runMaxMs });
    writeResult(context, output, {
      heads: result.columns.map(({ name }) => name),
      rows: result.rows,
      whole: result,
    });
    if (!result.isComplete) context.say(`Only the first ${result.rows.length} rows: the result has more.`);
  } finally {
    context.signal.removeEventListener('abort', stop);
  }
}

/** Upper bound only: the service's settings end a statement earlier. */
const runMaxMs = 3_600_000;

/** Deadline of the stop request after Ctrl-C. */
const stopMaxMs = 5_000;

/** Parses `name=value`, and `name:=value` as JSON. */
function parameter(text: string, before: Parameters): Parameters {
  const [, name = '', kind, value = ''] = /^(\w+)(:?=)([\s\S]*)$/.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('Give name=value, or name:=value as JSON.');
  return { ...before, [name]: kind === '=' ? value : scalar(value) };
}

function scalar(text: string): Value {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Value;
  } catch {
    // The refusal below covers this case and all other invalid parameters.
  }
  throw new InvalidArgumentError(
    'The value behind := is JSON: a text in quotes, a number, true, false or null.',
  );
}
