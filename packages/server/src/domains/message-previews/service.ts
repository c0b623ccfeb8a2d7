import type { BodyOf, MessagePreview, previewMessages } from '@svc/contract';
import { type Caller, holds } from '../../platform/access/index.ts';
import { notFound } from '../../platform/http/index.ts';
import { createFromDryRun, type DryRunDeps } from './dry-run.ts';
import { createFromLastRun, type LastRunDeps } from './last-run.ts';
import { type PayloadsDeps, payloadsFor } from './payloads.ts';
import type { Previewed } from './previewed.ts';
import { attachedRecipients, findPreviewed } from './store.ts';

/** Upper bound for recipients in a preview. */
const recipientsMax = 1_000;

export type PreviewDeps = PayloadsDeps & LastRunDeps & DryRunDeps;

export type PreviewService = ReturnType<typeof createPreviewService>;

type Attached = { readonly id: number; readonly name: string };

/** Creates the service that previews messages: from an earlier run, or from a dry run without delivery. */
export function createPreviewService(deps: PreviewDeps) {
  const { database, rights } = deps;
  const fromLastRun = createFromLastRun(deps);
  const fromDryRun = createFromDryRun(deps);

  return {
    /** Returns the current payload of every channel of a subscription. Sends nothing. */
    preview: async (
      caller: Caller,
      subscriptionId: number,
      { source, recipientId = null, notificationId: runId = null }: BodyOf<typeof previewMessages>,
      signal: AbortSignal,
    ): Promise<MessagePreview> => {
      const subscription = await findPreviewed(database, subscriptionId);
      if (!subscription) throw notFound();
      await rights.require(database, caller, subscription.projectId, 'Read');
      const attached = await attachedRecipients(database, subscriptionId, recipientsMax);
      if (recipientId !== null && !attached.some(({ id }) => id === recipientId)) throw notFound();
      const previewed =
        source === 'LastRun'
          ? await fromLastRun(caller, { subscriptionId, runId, recipientId })
          : await fromDryRun(caller, subscription, recipientId, signal);
      const { message, outcome, notificationId, routed } = previewed;
      const { attachment } = message;
      return {
        source,
        notificationId,
        outcome,
        totalRows: message.totalRows ?? null,
        attachment: attachment
          ? { name: attachment.name, contentType: attachment.contentType, rowCount: attachment.rowCount }
          : null,
        routed: routed && presentRouted(routed, attached),
        payloads: await payloadsFor(deps, recipientsOf(previewed, recipientId, attached), message, {
          showsTemplates: holds(caller, 'SecurityAdmin'),
        }),
      };
    },
  };
}

/** Returns the recipients of the message. */
function recipientsOf({ routed }: Previewed, requestedId: number | null, attached: readonly Attached[]) {
  if (routed && !routed.isSent) return [];
  const only = routed?.recipientId ?? requestedId;
  return only === null ? attached : attached.filter(({ id }) => id === only);
}

function presentRouted(
  { shares, unroutedCount, recipientId }: NonNullable<Previewed['routed']>,
  attached: readonly Attached[],
): NonNullable<MessagePreview['routed']> {
  const rowsOf = new Map(shares.map((share) => [share.recipientId, share.rowCount]));
  const recipients = attached.flatMap(({ id, name }) => {
    const rowCount = rowsOf.get(id);
    return rowCount === undefined ? [] : [{ id, name, rowCount }];
  });
  return { recipientId, recipients, unroutedCount };
}
