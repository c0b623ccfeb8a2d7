import type { Message } from '@svc/channels';
import type { SavedQueryPlan } from '../queries/index.ts';
import {
  type MessageFacts,
  messageOf,
  type OwnMessage,
  ownRowMessages,
  perRowMessages,
  withoutRows,
} from '../run-messages/index.ts';
import type { AskedResult } from './ask.ts';
import type { RunToExecute } from './store.ts';

/** What a run has to tell. */
export type Composed = {
  /** What everybody gets where nobody has a message of their own. */
  readonly message: Message;
  readonly own: readonly OwnMessage[];
  /** There are rows, and nobody gets any of them. */
  readonly isNothingRouted: boolean;
};

/** What decides how the rows of a run come. */
export type ComposedRun = Pick<
  RunToExecute,
  'queryName' | 'subscriptionId' | 'showQuery' | 'maxRows' | 'rowMemory'
>;

/**
 * Makes the messages of a run. Where recipients get rows of their own, the message to everybody holds nothing of the
 * rows: it tells what is true of all, such as that they are gone, and goes out where nobody has rows.
 */
export function composeMessages(
  run: ComposedRun,
  plan: Pick<SavedQueryPlan, 'dataSourceNames' | 'queryText'>,
  found: Pick<AskedResult, 'collected' | 'attachment' | 'routed' | 'executionTimeMs'> | undefined,
  facts: MessageFacts,
): Composed {
  const message = messageOf(run, plan, found, facts);
  const perRow = run.rowMemory?.delivery === 'PerRow' && found !== undefined;
  if (!found?.routed) {
    const own = perRow ? perRowMessages(message, found.collected.rows, run.maxRows) : [];
    return { message, own, isNothingRouted: false };
  }
  const forAll = withoutRows(message);
  if (found.collected.rowCount === 0 || facts.alert?.news === 'Recovered')
    return { message: forAll, own: [], isNothingRouted: false };
  const { columns, kinds } = found.collected;
  const own = found.routed.own.flatMap((each) => {
    const { rows, rowCount, changes, attachment } = each;
    const { executionTimeMs } = found;
    const digest = messageOf(
      run,
      plan,
      { collected: { columns, kinds, rows, rowCount }, attachment, executionTimeMs },
      {
        ...facts,
        // That of all rows says nothing of these.
        previous: null,
        rows: facts.rows && {
          ...facts.rows,
          ...{ newCount: changes.New ?? 0, changedCount: changes.Changed ?? 0, vanishedCount: 0 },
        },
      },
    );
    return ownRowMessages(digest, each, perRow ? { rows, maxRows: run.maxRows } : null);
  });
  return { message: forAll, own, isNothingRouted: own.length === 0 };
}
