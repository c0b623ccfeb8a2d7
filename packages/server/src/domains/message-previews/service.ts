import { type Message, previewRowsMax } from '@svc/channels';
import type { MessagePreview, PreviewSource } from '@svc/contract';
import { type MaskingRules, type RunSql, refusingOverHttp } from '../../doors/run-sql/index.ts';
import { type Caller, holds } from '../../platform/access/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/db/index.ts';
import { conflict, notFound } from '../../platform/http/index.ts';
import { foreseeAlert } from '../alerts/index.ts';
import { assessCount } from '../anomalies/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import type { QueryRunPlan } from '../queries/index.ts';
import { commentOf, visibleRuns } from '../run-history/index.ts';
import type { FrozenMessages } from '../run-messages/index.ts';
import { attachmentHead, collect, messageOf, notificationUrl } from '../run-messages/index.ts';
import { type Decision, decide, hasRows, previousResultCount } from '../runs/index.ts';
import { type PayloadsDeps, payloadsFor } from './payloads.ts';
import { attachedRecipients, findLastMessage, findPreviewed, type PreviewedSubscription } from './store.ts';

/** A dry run is waited for by a person. */
const dryRunSecondsMax = 120;
/** Recipients that a preview covers at most. */
const recipientsMax = 1_000;
/** Stands in for the id of a run that is not made. */
const noRun = 0;

export type PreviewDeps = PayloadsDeps & {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly clock: Clock;
  readonly runSql: RunSql;
  readonly planQuery: (
    executor: Executor,
    queryId: number,
  ) => Promise<QueryRunPlan | 'QueryGone' | 'QueryNotApproved' | 'SourceNotLinked'>;
  readonly messages: Pick<FrozenMessages, 'open'>;
  readonly baseUrl: () => Promise<string | undefined>;
  readonly limits: { readonly maxExecutionRows: number; readonly timeoutSeconds: number };
  readonly masking: MaskingRules;
};

export type PreviewService = ReturnType<typeof createPreviewService>;

type Previewed = {
  readonly message: Message;
  readonly outcome: Decision;
  readonly notificationId: number | null;
};

/** Shows what would leave before it leaves: the message of the last run, or of a run that tells nobody. */
export function createPreviewService(deps: PreviewDeps) {
  const { database, rights } = deps;

  const fromLastRun = async (caller: Caller, subscriptionId: number): Promise<Previewed> => {
    const visible = visibleRuns(caller, await rights.readableIds(database, caller));
    const run = await findLastMessage(database, subscriptionId, visible);
    if (!run)
      throw conflict('no-message', 'No message of an earlier run is kept. Preview a dry run instead.');
    return {
      message: deps.messages.open({ run, messageNo: 0 }, run.messageSealed),
      outcome: 'Notify',
      notificationId: run.id,
    };
  };

  const fromDryRun = async (
    caller: Caller,
    subscription: PreviewedSubscription,
    signal: AbortSignal,
  ): Promise<Previewed> => {
    const plan = await deps.planQuery(database, subscription.queryId);
    if (typeof plan === 'string')
      throw conflict('query-cannot-run', commentOf({ reason: plan, detail: null }) ?? '');
    const timeoutSeconds = Math.min(
      subscription.timeoutSeconds ?? deps.limits.timeoutSeconds,
      dryRunSecondsMax,
    );
    const found = await refusingOverHttp(async () => {
      const result = await deps.runSql.run({
        ...plan.request,
        parameters: { declared: plan.parameters, values: subscription.parameters },
        limits: { timeoutMs: timeoutSeconds * 1_000, maxRows: deps.limits.maxExecutionRows },
        masking: deps.masking,
        signal,
        callerId: `user ${caller.userId ?? caller.kind}`,
      });
      const collected = await collect(result, previewRowsMax);
      return { collected, executionTimeMs: (await result.finished).executionTimeMs };
    });
    const { rowCount } = found.collected;
    const { attachmentFormat: format, maxRows } = subscription;
    const attachment = format && {
      ...attachmentHead(subscription.queryName, format),
      rowCount: Math.min(rowCount, maxRows ?? rowCount),
      read: () => Promise.reject(new Error('A preview has no file.')),
    };
    const previous = await previousResultCount(database, subscription.subscriptionId, {
      id: Number.MAX_SAFE_INTEGER,
      dueAt: deps.clock.now(),
    });
    const assessment = await assessCount(database, subscription, {
      dueAt: deps.clock.now(),
      count: rowCount,
    });
    const { alert: rule, subscriptionId, minimumRowCount } = subscription;
    const alert =
      rule &&
      (await foreseeAlert(
        database,
        {
          subject: { kind: 'Subscription', id: subscriptionId },
          rule,
          isBad: hasRows({ resultCount: rowCount, minimumRowCount }),
        },
        deps.clock.now(),
      ));
    const message = messageOf(
      subscription,
      plan,
      { ...found, attachment: attachment ?? undefined },
      {
        previous,
        assessment,
        alert,
        timestamp: deps.clock.now(),
        notificationUrl: notificationUrl(await deps.baseUrl(), noRun),
      },
    );
    const outcome = decide({
      ...subscription,
      ...{ assessment, alert, resultCount: rowCount, previousResultCount: previous },
    });
    return { message, outcome, notificationId: null };
  };

  return {
    /** The payload of every channel of a subscription, as its recipients would get it now. Sends nothing. */
    preview: async (
      caller: Caller,
      subscriptionId: number,
      source: PreviewSource,
      signal: AbortSignal,
    ): Promise<MessagePreview> => {
      const subscription = await findPreviewed(database, subscriptionId);
      if (!subscription) throw notFound();
      await rights.require(database, caller, subscription.projectId, 'Read');
      const { message, outcome, notificationId } =
        source === 'LastRun'
          ? await fromLastRun(caller, subscriptionId)
          : await fromDryRun(caller, subscription, signal);
      const recipients = await attachedRecipients(database, subscriptionId, recipientsMax);
      const { attachment } = message;
      return {
        source,
        notificationId,
        outcome,
        totalRows: message.totalRows ?? null,
        attachment: attachment
          ? { name: attachment.name, contentType: attachment.contentType, rowCount: attachment.rowCount }
          : null,
        payloads: await payloadsFor(deps, recipients, message, {
          showsTemplates: holds(caller, 'SecurityAdmin'),
        }),
      };
    },
  };
}
