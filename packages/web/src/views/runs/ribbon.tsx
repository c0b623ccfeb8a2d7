import type { Notification, RecentDelivery, RecentRun } from '@svc/contract';
import { plural, relativeTime, words } from '../../lib/format.ts';
import type { Tone } from '../../ui/record/status.tsx';
import { Hint } from '../../ui/text/hint.tsx';
import { useNow } from '../../ui/text/time.tsx';
import classes from './ribbon.module.css';
import { toneOf, toneOfDelivery } from './run-status.tsx';

const shown = 50;

type RibbonMark = {
  readonly key: number;
  readonly tone: Tone;
  readonly hint: string;
  /** True for the mark of the page's record. */
  readonly isPresent?: boolean;
};

/** Sequence of events as a line of marks, oldest on the left. Height and colour show the result. */
const Ribbon = ({ label, marks }: { readonly label: string; readonly marks: readonly RibbonMark[] }) => (
  <div className={classes['ribbon']} role="img" aria-label={label}>
    {marks.map(({ key, tone, hint, isPresent = false }) => (
      <Hint key={key} label={hint}>
        <span data-tone={tone} data-present={isPresent || undefined} />
      </Hint>
    ))}
  </div>
);

const badOf = (marks: readonly RibbonMark[]) => marks.filter(({ tone }) => tone === 'red').length;

/** Ribbon of the last visible runs. `runs`: newest first. */
export function RunRibbon({ runs }: { readonly runs: readonly Notification[] | undefined }) {
  const now = useNow();
  const marks = (runs ?? [])
    .slice(0, shown)
    .toReversed()
    .map(({ id, status, queryName, createdTime }) => ({
      key: id,
      tone: toneOf(status),
      hint: `${queryName}: ${words(status)}, ${relativeTime(createdTime, now)}`,
    }));
  const label = `${plural(marks.length, 'run')}, ${badOf(marks)} of them failed or timed out. The table below lists the latest.`;
  return <Ribbon label={label} marks={marks} />;
}

/** Ribbon of one query's last runs, of all subscriptions. `runs`: newest first. */
export function QueryRibbon({ runs }: { readonly runs: readonly Notification[] }) {
  return (
    <SubscriptionRibbon
      runs={runs.toReversed().map(({ id, ...run }) => ({ notificationId: id, ...run }))}
      presentId={undefined}
    />
  );
}

type SubscriptionRibbonProps = {
  readonly runs: readonly RecentRun[];
  /** Run of the page. */
  readonly presentId?: number | undefined;
};

/** Ribbon of one subscription's last runs. The runs are oldest first. */
export function SubscriptionRibbon({ runs, presentId }: SubscriptionRibbonProps) {
  const now = useNow();
  const marks = runs.map(({ notificationId, status, dueAt, resultCount }) => ({
    key: notificationId,
    tone: toneOf(status),
    isPresent: notificationId === presentId,
    hint: `${notificationId === presentId ? 'This run: ' : ''}${words(status)}${resultCount === null ? '' : `, ${plural(resultCount, 'row')}`}, ${relativeTime(dueAt, now)}`,
  }));
  const label = `The last ${plural(marks.length, 'run')}: ${badOf(marks)} failed or timed out.`;
  return <Ribbon label={label} marks={marks} />;
}

/** Ribbon of the last deliveries to one recipient. `deliveries`: oldest first. */
export function RecipientRibbon({ deliveries }: { readonly deliveries: readonly RecentDelivery[] }) {
  const now = useNow();
  const marks = deliveries.map(({ notificationId, state, queryName, startedAt }, at) => ({
    key: at,
    tone: toneOfDelivery(state),
    notificationId,
    hint: `${queryName}: ${words(state)}, ${relativeTime(startedAt, now)}`,
  }));
  const label = `The last ${plural(marks.length, 'attempt')}: ${badOf(marks)} failed.`;
  return <Ribbon label={label} marks={marks} />;
}
