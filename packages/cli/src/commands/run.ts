import type { ItemOf, NotificationDetail, SvcClient } from '@svc/client';
import { Option } from 'commander';
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

type Run = ItemOf<'listNotifications'>;

const columns: readonly Column<Run>[] = [
  { head: 'id', of: ({ id }) => id },
  { head: 'due', of: ({ dueAt }) => dueAt },
  { head: 'query', of: ({ queryName }) => queryName },
  { head: 'status', of: ({ status }) => status },
  { head: 'rows', of: ({ resultCount }) => resultCount },
  { head: 'comment', of: ({ comment }) => comment },
];

const statuses = [
  'Created',
  'Sent',
  'Silenced',
  'NoResults',
  'Timeout',
  'BelowThreshold',
  'Failed',
  'Skipped',
] as const satisfies readonly Run['status'][];

/** Statuses of runs that did not fulfil their purpose. */
const failures: ReadonlySet<string> = new Set<Run['status']>(['Failed', 'Timeout', 'Skipped']);

/** `run list` and `run show`. */
export const addRunCommands: AddCommands = (program, context, end) => {
  const run = program.command('run').description('runs of subscriptions');
  run
    .command('list')
    .description('runs, newest first')
    .option('--subscription <id>', 'of one subscription', recordId)
    .option('--query <id>', 'of one query', recordId)
    .addOption(new Option('--status <status>', 'that ended so').choices(statuses))
    .option('--from <time>', 'due at this time or later')
    .option('--to <time>', 'due before')
    .option('--limit <count>', 'so many at most', entryCount, 20)
    .addOption(outputOption())
    .action(async ({ subscription, query, status, from, to, limit, output }: ListOptions) => {
      const wanted = given({ subscriptionId: subscription, queryId: query, status, from, to });
      const client = connect(context);
      const notifications = await firstOf(
        (page) => client.listAll('listNotifications', { ...page, ...wanted }, { signal: context.signal }),
        limit,
      );
      writeResult(context, output, listResult(notifications, columns));
    });
  run
    .command('show')
    .description('one run and its deliveries; with --wait, 1 when it fails')
    .argument('<id>', 'number of the run', recordId)
    .option(...waitOption, waitSeconds)
    .addOption(outputOption())
    .action((id: number, { wait, output }: ShowOptions) =>
      showRun(context, connect(context), end, { id, wait, output }),
    );
};

type ListOptions = {
  subscription?: number;
  query?: number;
  status?: Run['status'];
  from?: string;
  to?: string;
  limit: number;
  output: OutputFormat;
};
type ShowOptions = { wait?: number | true; output: OutputFormat };

/** Writes a run. With `wait`, it writes the run after its end, and a failed run fails the command. */
export async function showRun(
  context: CliContext,
  client: SvcClient,
  end: EndWith,
  { id, wait, output }: { id: number; wait: number | true | undefined; output: OutputFormat },
): Promise<void> {
  const read = () => client.getNotification({ id }, { signal: context.signal });
  const run =
    wait === undefined
      ? await read()
      : await waitForEnd(context, {
          wait,
          read,
          hasEnded: ({ finishedAt }) => finishedAt !== null,
          progress: progressOf,
        });
  writeResult(context, output, recordResult(run));
  if (wait !== undefined && failures.has(run.status)) end(exitCodes.failed);
}

function progressOf({ id, status, resultCount, comment, deliveries }: NotificationDetail): string {
  const made = deliveries.filter(({ state }) => state === 'Sent').length;
  return [
    `Run ${id}: ${status}`,
    ...(resultCount === null ? [] : [resultCount === 1 ? '1 row' : `${resultCount} rows`]),
    ...(deliveries.length === 0 ? [] : [`${made} of ${deliveries.length} delivered`]),
    ...(comment === null ? [] : [comment]),
  ].join(', ');
}
