import { type Message, previewRowsMax } from '@svc/channels';
import { defineJob, type Jobs } from '@svc/jobs';
import type { MessageKey, RunKey } from '../../doors/send/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import type { ContractRow } from '../data-contracts/index.ts';
import { deliveryResults, markInterruptedDeliveries, outcomeOf } from '../deliveries/index.ts';
import { type FrozenMessages, notificationUrl } from '../run-messages/index.ts';
import type { RunEnding } from '../runs/index.ts';
import * as store from './alert-store.ts';
import type { RuleResult } from './asking/ask-rules.ts';
import type { EvaluationEnd, Taken } from './store.ts';

export type AlertDeps = {
  readonly jobs: Jobs;
  readonly database: Database;
  readonly clock: Clock;
  readonly messages: FrozenMessages;
  readonly ending: RunEnding;
  readonly deliver: (options: {
    key: MessageKey;
    message: Message;
    recipientIds: readonly number[];
    signal: AbortSignal;
  }) => Promise<void>;
  readonly baseUrl: () => Promise<string | undefined>;
};

/** Tells the recipients of a contract how it stands, once the evaluation is committed. */
const tellContract = defineJob<RunKey>({
  name: 'tell-contract',
  queue: 'contracts',
  retry: { attemptsMax: 6, delaysMs: [1_000, 5_000, 15_000, 60_000] },
  parse: (value) => {
    const { id, dueAt } = Object(value) as Record<string, unknown>;
    const time = new Date(String(dueAt));
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || Number.isNaN(time.getTime()))
      throw new TypeError('A run is named by its id and its due time.');
    return { id, dueAt: time };
  },
});

/** An evaluation that has ended, in the transaction of its end. */
export type EndedEvaluation = {
  readonly contract: ContractRow;
  readonly evaluation: Taken;
  readonly end: EvaluationEnd;
  readonly results: readonly RuleResult[];
};

/** What is told of scheduled evaluations: a failure, and a warning where the contract wants it; nothing while snoozed. */
const notifies = ({ contract, evaluation, end }: EndedEvaluation): boolean =>
  evaluation.trigger === 'Schedule' &&
  contract.snoozedUntil === null &&
  contract.recipients.length > 0 &&
  (end.status === 'Failed' || (end.status === 'Warned' && contract.alertsOnWarning));

/** Alerts of data contracts: each is a run, with its frozen message, its deliveries and its place in the history. */
export function createAlerts(deps: AlertDeps) {
  const { database, jobs, messages } = deps;
  const keyOf = (run: RunKey): MessageKey => ({ run, messageNo: 0 });

  const deliver = async (run: RunKey, signal: AbortSignal): Promise<void> => {
    const begun = await store.beginAlert(database, run);
    if (!begun) return;
    const key = keyOf(run);
    await markInterruptedDeliveries(database, run);
    const message = messages.open(key, begun.messageSealed);
    const recipientIds = await store.pendingOfContract(database, key, begun.contractId);
    await deps.deliver({ key, message, recipientIds, signal });
    signal.throwIfAborted();
    const left = await store.pendingOfContract(database, key, begun.contractId);
    // Nothing was written for them, so nothing was sent: the job takes the run up again.
    if (left.length > 0)
      throw new Error(`${left.length} deliveries of run ${run.id} could not be written into the ledger.`);
    await markInterruptedDeliveries(database, run);
    const { status, reason } = outcomeOf(await deliveryResults(database, run), { hasTask: false });
    await deps.ending.end(run, status, reason);
  };
  jobs.handle(tellContract, (run, { signal }) => deliver(run, signal));

  return async (tx: Tx, ended: EndedEvaluation): Promise<void> => {
    if (!notifies(ended)) return;
    const { contract, evaluation, results } = ended;
    const broken = results.filter(({ outcome }) => outcome !== 'Passed');
    const run = await store.insertAlertRun(tx, contract, {
      id: evaluation.id,
      brokenCount: broken.length,
    });
    const message = messageOf(contract, broken, {
      timestamp: deps.clock.now(),
      url: notificationUrl(await deps.baseUrl(), run.id),
    });
    const { jobId } = await jobs.enqueue(tx, tellContract, run);
    await store.setAlert(tx, run, messages.seal(keyOf(run), message), jobId);
  };
}

/** The rules that did not pass are the rows; no cell of the table is among them. */
const messageOf = (
  contract: ContractRow,
  broken: readonly RuleResult[],
  { timestamp, url }: { readonly timestamp: Date; readonly url: string | undefined },
): Message => ({
  subscriptionName: contract.name,
  dataSourceName: contract.dataSourceName,
  totalRows: broken.length,
  columns: ['rule', 'outcome', 'failing', 'total'],
  rows: broken
    .slice(0, previewRowsMax)
    .map(({ rule, outcome, failing, total }) => [rule.name, outcome, failing, total]),
  timedOut: false,
  ...(url !== undefined && { notificationUrl: url }),
  timestamp,
});
