import type { ItemOf } from '@svc/client';
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
import { type Column, listResult, type OutputFormat, recordResult, writeResult } from '../output/formats.ts';
import { waitOption, waitSeconds } from '../wait.ts';
import { showRun } from './run.ts';

const columns: readonly Column<ItemOf<'listSubscriptions'>>[] = [
  { head: 'id', of: ({ id }) => id },
  { head: 'query', of: ({ queryName }) => queryName },
  { head: 'project', of: ({ projectName }) => projectName },
  { head: 'state', of: ({ state, pausedSince }) => (pausedSince === null ? state : 'Paused') },
  { head: 'trigger', of: ({ notificationTrigger }) => notificationTrigger },
  { head: 'last run', of: ({ lastRun }) => lastRun?.status ?? '' },
];

/** `subscription list`, `subscription show` and `subscription test-run`. */
export const addSubscriptionCommands: AddCommands = (program, context, end) => {
  const subscription = program.command('subscription').description('queries on a schedule');
  subscription
    .command('list')
    .description('the subscriptions that the key may read')
    .option('--project <id>', 'of one project', recordId)
    .option('--query <id>', 'of one query', recordId)
    .option('--search <text>', 'part of the query’s name')
    .option('--limit <count>', 'so many at most', entryCount, 100)
    .addOption(outputOption())
    .action(async (options: ListOptions) => {
      const { project, query, search, limit, output } = options;
      const wanted = given({ projectId: project, queryId: query, search });
      const client = connect(context);
      const subscriptions = await firstOf(
        (page) => client.listAll('listSubscriptions', { ...page, ...wanted }, { signal: context.signal }),
        limit,
      );
      writeResult(context, output, listResult(subscriptions, columns));
    });
  subscription
    .command('show')
    .description('one subscription')
    .argument('<id>', 'number of the subscription', recordId)
    .addOption(outputOption())
    .action(async (id: number, { output }: { output: OutputFormat }) =>
      writeResult(
        context,
        output,
        recordResult(await connect(context).getSubscription({ id }, { signal: context.signal })),
      ),
    );
  subscription
    .command('test-run')
    .description('run a subscription now, and notify as it would: 1 when the run fails')
    .argument('<id>', 'number of the subscription', recordId)
    .option(...waitOption, waitSeconds)
    .addOption(outputOption())
    .action((id: number, options: RunOptions) => testRun(context, end, id, options));
};

type ListOptions = {
  project?: number;
  query?: number;
  search?: string;
  limit: number;
  output: OutputFormat;
};
type RunOptions = { wait?: number | true; output: OutputFormat };

async function testRun(
  context: CliContext,
  end: EndWith,
  id: number,
  { wait, output }: RunOptions,
): Promise<void> {
  const client = connect(context);
  const run = await client.testRunSubscription({ id }, { signal: context.signal });
  if (wait === undefined) return writeResult(context, output, recordResult(run));
  await showRun(context, client, end, { id: run.id, wait, output });
}
