import { Button } from '@mantine/core';
import { type BodyOf, changeSubscriptions, type Subscription, type SubscriptionBulkAct } from '@svc/contract';
import { useState } from 'react';
import { count, plural, viewerZone } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import type { Selection } from '../../ui/list/selection.ts';
import { SnoozeDialog } from '../../views/snooze/snooze-dialog.tsx';
import type { Refusal } from './refused-dialog.tsx';

type Change = Omit<BodyOf<typeof changeSubscriptions>, 'subscriptionIds'>;

type Props = {
  readonly selection: Selection<Subscription>;
  /**
   * Receives the refused subscriptions. Their dialog is outside the bar, because the bar disappears with the last
   * selected row.
   */
  readonly onRefused: (refusal: Refusal) => void;
};

const done: Readonly<Record<SubscriptionBulkAct, string>> = {
  Pause: 'paused',
  Resume: 'resumed',
  Snooze: 'snoozed',
  Archive: 'archived',
  Reactivate: 'reactivated',
};

/** Actions on several subscriptions. Refused subscriptions remain selected, with the reason. */
export function BulkActs({ selection, onRefused }: Props) {
  const [open, setOpen] = useState<'snooze' | 'archive' | null>(null);
  const send = useChange(changeSubscriptions, { touches: ['queries', 'home'] });
  const active = selection.rows.filter(({ state }) => state === 'Active');
  const archived = selection.rows.filter(({ state }) => state === 'Archived');
  const firing = active.filter(({ pausedSince }) => pausedSince === null);
  const paused = active.filter(({ pausedSince }) => pausedSince !== null);
  const snoozed = active.filter(({ snoozedUntil }) => snoozedUntil !== null);
  const change = async (rows: readonly Subscription[], what: Change) => {
    const { results } = await send.mutateAsync({
      body: { ...what, subscriptionIds: rows.map(({ id }) => id) },
    });
    const refused = results.filter(({ isDone }) => !isDone);
    const doneCount = results.length - refused.length;
    const verb = what.act === 'Snooze' && what.until === null ? 'no longer snoozed' : done[what.act];
    if (doneCount > 0) toastDone(`${plural(doneCount, 'subscription')} ${verb}.`);
    if (refused.length > 0) {
      const nameOf = (id: number) => rows.find((row) => row.id === id)?.queryName ?? '';
      onRefused({
        summary: `${count(doneCount)} of ${plural(results.length, 'subscription')} ${verb}.`,
        refused: refused.map(({ id, detail, code }) => ({
          id,
          name: nameOf(id),
          why: detail ?? code ?? 'It was refused.',
        })),
      });
    }
    selection.keep(refused.map(({ id }) => id));
  };
  const now = (rows: readonly Subscription[], what: Change) => void change(rows, what).catch(toastProblem);
  const close = () => setOpen(null);
  return (
    <>
      {firing.length > 0 && <Button onClick={() => now(firing, { act: 'Pause' })}>Pause</Button>}
      {paused.length > 0 && <Button onClick={() => now(paused, { act: 'Resume' })}>Resume</Button>}
      {active.length > 0 && <Button onClick={() => setOpen('snooze')}>Snooze</Button>}
      {snoozed.length > 0 && (
        <Button onClick={() => now(snoozed, { act: 'Snooze', until: null })}>End the snooze</Button>
      )}
      {active.length > 0 && <Button onClick={() => setOpen('archive')}>Archive</Button>}
      {archived.length > 0 && (
        <Button onClick={() => now(archived, { act: 'Reactivate' })}>Reactivate</Button>
      )}
      {open === 'snooze' && (
        <SnoozeDialog
          reason={null}
          timeZone={viewerZone}
          onSnooze={(body) => change(active, { act: 'Snooze', ...body })}
          onClose={close}
        >
          {plural(active.length, 'subscription')}. They still run; recipients get nothing from scheduled runs.
        </SnoozeDialog>
      )}
      {open === 'archive' && (
        <ConfirmDialog
          title={`Archive ${plural(active.length, 'subscription')}?`}
          act="Archive"
          onConfirm={() => change(active, { act: 'Archive' })}
          onClose={close}
        >
          Their schedules and alerts stop. Their history stays, and they can be reactivated.
        </ConfirmDialog>
      )}
    </>
  );
}
