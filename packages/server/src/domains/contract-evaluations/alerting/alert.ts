import { type Message, previewRowsMax } from '@svc/channels';
import type { AlertRule } from '@svc/contract';
import { plural } from '@svc/contract';
import { defineJob, type Jobs } from '@svc/jobs';
import type { MessageKey, RunKey } from '../../../gateways/send/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/db/index.ts';
import { type AlertFinding, advanceAlert } from '../../alerts/index.ts';
import type { ContractRow } from '../../data-contracts/index.ts';
import { deliveryResults, markInterruptedDeliveries, outcomeOf } from '../../deliveries/index.ts';
import type { TellResponsible } from '../../notices/index.ts';
import { type FrozenMessages, notificationUrl } from '../../run-messages/index.ts';
import type { RunEnding } from '../../runs/index.ts';
import type { RuleResult } from '../asking/ask-rules.ts';
import { badness, decideHeld, decideTelling, type EndedEvaluation, type Telling } from './decide.ts';
import { notifyOwner } from './owner-notice.ts';
import * as store from './store.ts';

export type AlertDeps = {
  readonly jobs: Jobs;
  readonly database: Database;
  readonly clock: Clock;
  readonly messages: FrozenMessages;
  readonly ending: RunEnding;
  readonly tellResponsible: TellResponsible;
  readonly deliver: (options: {
    key: MessageKey;
    message: Message;
    recipientIds: readonly number[];
    signal: AbortSignal;
  }) => Promise<void>;
  readonly baseUrl: () => Promise<string | undefined>;
};

/** Notifies the recipients of a contract of its state, after the evaluation is committed. */
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

/** Effects of an evaluation in addition to its record. */
export type AlertedEvaluation = {
  /** The run of the notification. Null: no notification is sent. */
  readonly runId: number | null;
  /** To be called after the transaction is committed. */
  readonly announcements: readonly (() => void)[];
};

/** Creates alerts of data contracts. Each alert is a run with a frozen message, deliveries and an entry in the history. */
export function createAlerts(deps: AlertDeps) {
  const { database, jobs, messages } = deps;
  const keyOf = (run: RunKey): MessageKey => ({ run, messageNo: 0 });

  const deliver = async (run: RunKey, signal: AbortSignal): Promise<void> => {
    const open = await store.findOpenAlert(database, run);
    if (!open) return;
    const turn = decideHeld(open, deps.clock.now());
    if (turn === 'Early') return;
    if (turn !== 'Tell') return deps.ending.end(run, 'Silenced', { reason: turn });
    const begun = await store.beginAlert(database, run);
    if (begun) await tell(run, begun, signal);
  };

  /** Ends a run. The owner gets a notice if the message did not reach every recipient. */
  const end = async (run: RunKey, { status, reason }: ReturnType<typeof outcomeOf>): Promise<void> => {
    const hasNoRecipient = reason?.reason === 'NoRecipients';
    const announce = await database.transaction(async (tx) => {
      if (status !== 'Sent') await notifyOwner(tx, deps.tellResponsible, run, hasNoRecipient);
      return deps.ending.endIn(tx, run, status, hasNoRecipient ? { reason: 'OwnerNotified' } : reason);
    });
    announce();
  };

  const tell = async (
    run: RunKey,
    { contractId, messageSealed }: { readonly contractId: number; readonly messageSealed: string },
    signal: AbortSignal,
  ): Promise<void> => {
    const key = keyOf(run);
    await markInterruptedDeliveries(database, run);
    const message = messages.open(key, messageSealed);
    const recipientIds = await store.pendingOfContract(database, key, contractId);
    await deps.deliver({ key, message, recipientIds, signal });
    signal.throwIfAborted();
    const left = await store.pendingOfContract(database, key, contractId);
    // They have no ledger entry, so nothing was sent: the retry of the job resumes the run.
    if (left.length > 0)
      throw new Error(
        `${plural(left.length, 'delivery', 'deliveries')} of run ${run.id} could not be written into the ledger.`,
      );
    await markInterruptedDeliveries(database, run);
    await end(run, outcomeOf(await deliveryResults(database, run), { hasTask: false }));
  };
  jobs.handle(tellContract, (run, { signal }) => deliver(run, signal));

  /** Creates the run of a notification and enqueues its message. */
  const order = async (
    tx: Tx,
    { contract, evaluation, results }: EndedEvaluation,
    telling: Telling,
    alert: AlertFinding | null,
  ): Promise<RunKey> => {
    const broken = results.filter(({ outcome }) => outcome !== 'Passed');
    const counted = { id: evaluation.id, brokenCount: broken.length };
    const run = await store.insertAlertRun(tx, contract, counted, telling);
    const message = messageOf(contract, broken, alert, {
      timestamp: deps.clock.now(),
      url: notificationUrl(await deps.baseUrl(), run.id),
    });
    const { heldUntil } = telling;
    const { jobId } = await jobs.enqueue(tx, tellContract, run, heldUntil ? { dueAt: heldUntil } : {});
    await store.setAlert(tx, run, messages.seal(keyOf(run), message), jobId);
    return run;
  };

  return async (tx: Tx, ended: EndedEvaluation): Promise<AlertedEvaluation> => {
    const isBad = badness(ended);
    if (isBad === undefined) return { runId: null, announcements: [] };
    const { contract } = ended;
    const now = deps.clock.now();
    const alert = contract.alert && (await advance(tx, ended, contract.alert, isBad, now));
    const wanted = decideTelling(ended, { isBad, alert }, now);
    // While a notification is being sent, a new state is reported by the next evaluation.
    const telling =
      alert !== null && wanted !== null && (await store.isTelling(tx, contract.id)) ? null : wanted;
    const announcements: (() => void)[] = [];
    // An evaluation with an alert replaces held messages. Held failures are replaced only by a new failure.
    if (telling !== null || alert !== null)
      for (const earlier of await store.heldAlerts(tx, contract.id))
        announcements.push(await deps.ending.endIn(tx, earlier, 'Silenced', { reason: 'Superseded' }));
    const run = telling && (await order(tx, ended, telling, alert));
    return { runId: run?.id ?? null, announcements };
  };
}

const advance = (
  tx: Tx,
  { contract, evaluation }: EndedEvaluation,
  rule: AlertRule,
  isBad: boolean,
  now: Date,
): Promise<AlertFinding> =>
  advanceAlert(tx, { subject: { kind: 'Contract', id: contract.id }, by: evaluation.id, rule, isBad }, now);

/** Returns the sum of the violations, over the rules that count them. */
function violationsOf(broken: readonly RuleResult[]): NonNullable<Message['failedRules']> {
  const counts = broken.flatMap(({ failing }) => (failing === null ? [] : [failing]));
  return counts.length === 0 ? {} : { violationCount: counts.reduce((sum, each) => sum + each, 0) };
}

/** Returns a message whose rows are the rules that did not pass. It contains no cell of the table. */
const messageOf = (
  contract: ContractRow,
  broken: readonly RuleResult[],
  alert: AlertFinding | null,
  { timestamp, url }: { readonly timestamp: Date; readonly url: string | undefined },
): Message => ({
  subscriptionName: contract.name,
  dataSourceName: contract.dataSourceName,
  totalRows: broken.length,
  failedRules: violationsOf(broken),
  columns: ['rule', 'outcome', 'failing', 'total'],
  rows: broken
    .slice(0, previewRowsMax)
    .map(({ rule, outcome, failing, total }) => [rule.name, outcome, failing, total]),
  ...(alert && {
    alert: {
      state: alert.state,
      since: alert.since.toISOString(),
      ...(alert.news !== null && { news: alert.news }),
    },
  }),
  timedOut: false,
  ...(url !== undefined && { notificationUrl: url }),
  timestamp,
});
