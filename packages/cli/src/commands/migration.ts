import type { ItemOf, MigrationExecution, SvcClient } from '@svc/client';
import {
  type AddCommands,
  connect,
  type EndWith,
  entryCount,
  firstOf,
  given,
  outputOption,
  recordId,
} from '../command.ts';
import type { CliContext } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Column, listResult, type OutputFormat, recordResult, writeResult } from '../output/formats.ts';
import { waitForEnd, waitOption, waitSeconds } from '../wait.ts';

const columns: readonly Column<ItemOf<'listMigrationJobs'>>[] = [
  { head: 'id', of: ({ id }) => id },
  { head: 'name', of: ({ name }) => name },
  { head: 'from', of: ({ dataSourceName }) => dataSourceName },
  { head: 'to', of: ({ destinationDataSourceName }) => destinationDataSourceName },
  { head: 'mode', of: ({ mode }) => mode },
  { head: 'last', of: ({ lastExecution }) => lastExecution?.status ?? '' },
];

const unfinished: ReadonlySet<string> = new Set<MigrationExecution['status']>(['Queued', 'Running']);

/** `migration list`, `migration run` and `migration cancel`. */
export const addMigrationCommands: AddCommands = (program, context, end) => {
  const migration = program.command('migration').description('copies between data sources');
  migration
    .command('list')
    .description('migration jobs')
    .option('--search <text>', 'part of the name')
    .option('--limit <count>', 'so many at most', entryCount, 100)
    .addOption(outputOption())
    .action(async ({ search, limit, output }: { search?: string; limit: number; output: OutputFormat }) => {
      const client = connect(context);
      const migrationJobs = await firstOf(
        (page) =>
          client.listAll('listMigrationJobs', { ...page, ...given({ search }) }, { signal: context.signal }),
        limit,
      );
      writeResult(context, output, listResult(migrationJobs, columns));
    });
  migration
    .command('run')
    .description('start a migration job: with --wait, 1 unless every row came through')
    .argument('<id>', 'number of the job', recordId)
    .option('--trial', 'try it, and change nothing')
    .option(...waitOption, waitSeconds)
    .addOption(outputOption())
    .action((id: number, options: RunOptions) => runJob(context, end, id, options));
  migration
    .command('cancel')
    .description('end an execution of a job')
    .argument('<execution>', 'number of the execution', recordId)
    .option(...waitOption, waitSeconds)
    .addOption(outputOption())
    .action(async (id: number, { wait, output }: { wait?: number | true; output: OutputFormat }) => {
      const client = connect(context);
      const answer = await client.cancelMigrationExecution({ id }, { signal: context.signal });
      if (wait === undefined) return writeResult(context, output, recordResult(answer));
      writeResult(context, output, recordResult(await untilEnd(context, client, id, wait)));
    });
};

type RunOptions = { trial?: boolean; wait?: number | true; output: OutputFormat };

async function runJob(context: CliContext, end: EndWith, id: number, options: RunOptions): Promise<void> {
  const { trial, wait, output } = options;
  const client = connect(context);
  const started = await client.runMigrationJob(
    { id, body: trial ? { isTrial: true } : {} },
    { signal: context.signal },
  );
  if (wait === undefined) return writeResult(context, output, recordResult(started));
  const execution = await untilEnd(context, client, started.executionId, wait);
  writeResult(context, output, recordResult(execution));
  if (execution.status !== 'Completed') end(exitCodes.failed);
}

const untilEnd = (context: CliContext, client: SvcClient, id: number, wait: number | true) =>
  waitForEnd(context, {
    wait,
    read: () => client.getMigrationExecution({ id }, { signal: context.signal }),
    hasEnded: ({ status }) => !unfinished.has(status),
    progress: ({ status, stage, rowsRead, estimatedRows, message }) =>
      [
        `Execution ${id}: ${status}`,
        ...(stage === null ? [] : [stage]),
        `${rowsRead}${estimatedRows === null ? '' : ` of about ${estimatedRows}`} rows read`,
        ...(message === null ? [] : [message]),
      ].join(', '),
  });
