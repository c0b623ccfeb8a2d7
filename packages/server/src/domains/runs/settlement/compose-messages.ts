import type { Message } from '@svc/channels';
import type { SavedQueryPlan } from '../../queries/index.ts';
import {
  type MessageFacts,
  messageOf,
  type OwnMessage,
  ownRowMessages,
  perRowMessages,
  withoutRows,
} from '../../run-messages/index.ts';
import type { QueryResult } from '../execute-query.ts';
import type { RunToExecute } from '../store/load-run.ts';

/** Messages of a run. */
export type Composed = {
  /** Message for all recipients, if no recipient has its own. */
  readonly message: Message;
  /** Messages that replace it, each for one recipient or for all. */
  readonly ownMessages: readonly OwnMessage[];
  /** True: the result has rows, but no recipient gets any of them. */
  readonly isNothingRouted: boolean;
};

/** Settings that determine the messages of a run. */
export type ComposedRun = Pick<
  RunToExecute,
  'queryName' | 'subscriptionId' | 'showQuery' | 'maxRows' | 'rowMemory'
>;

/**
 * Creates the messages of a run. If recipients get their own rows, the message for all contains no data of the rows. It
 * states only facts about the whole result, such as a recovery. It is sent if no recipient has rows.
 */
export function composeMessages(
  run: ComposedRun,
  plan: Pick<SavedQueryPlan, 'dataSourceNames' | 'queryText'>,
  result: Pick<QueryResult, 'collected' | 'attachment' | 'routed' | 'executionTimeMs'> | undefined,
  facts: MessageFacts,
): Composed {
  const message = messageOf(run, plan, result, facts);
  const isPerRow = run.rowMemory?.delivery === 'PerRow' && result !== undefined;
  if (!result?.routed) {
    const ownMessages = isPerRow ? perRowMessages(message, result.collected.rows, run.maxRows) : [];
    return { message, ownMessages, isNothingRouted: false };
  }
  const forAll = withoutRows(message);
  if (result.collected.rowCount === 0 || facts.alert?.notification === 'Recovered')
    return { message: forAll, ownMessages: [], isNothingRouted: false };
  const { columns, kinds } = result.collected;
  const ownMessages = result.routed.results.flatMap((each) => {
    const { rows, rowCount, changes, attachment } = each;
    const { executionTimeMs } = result;
    const digest = messageOf(
      run,
      plan,
      { collected: { columns, kinds, rows, rowCount }, attachment, executionTimeMs },
      {
        ...facts,
        // Facts about all rows do not apply to these rows.
        previousResultCount: null,
        rowChanges: facts.rowChanges && {
          ...facts.rowChanges,
          newCount: changes.New ?? 0,
          changedCount: changes.Changed ?? 0,
          vanishedCount: 0,
        },
      },
    );
    return ownRowMessages(digest, each, isPerRow ? { rows, maxRows: run.maxRows } : null);
  });
  return { message: forAll, ownMessages, isNothingRouted: ownMessages.length === 0 };
}
