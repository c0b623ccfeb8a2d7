import { Button } from '@mantine/core';
import type { FiringItem } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { count, plural, shortTime } from '../../lib/format.ts';
import { usePollMs } from '../../lib/liveness.ts';
import { paths } from '../../lib/paths.ts';
import { firing } from '../../requests/firing.ts';
import { LazyPart, later } from '../../ui/feedback/lazy-part.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import classes from '../../ui/list/entries.module.css';
import { Mark, Sentence, Tag } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time } from '../../ui/text/time.tsx';

const everyMs = 15_000;
/** Menu and dialogs. Their code loads at the first press of the button. */
const actions = later(async () => (await import('./firing-actions.tsx')).FiringActions);

type Props = {
  readonly isEnabled: boolean;
  /** Rendered after the list has loaded, so that it does not shift. */
  readonly children?: ReactNode;
};

/** Problems that exist now, with their rows. One click acknowledges or snoozes each. */
export function FiringNow({ isEnabled, children }: Props) {
  const { data, isPending, isLoadingError, error, refetch } = useQuery({
    ...firing,
    enabled: isEnabled,
    refetchInterval: usePollMs(everyMs),
  });
  if (isEnabled && isPending) return null;
  return (
    <>
      {isLoadingError && <ProblemView error={error} onRetry={() => void refetch()} />}
      {data && <Items items={data.items} total={data.totalCount} />}
      {children}
    </>
  );
}

function Items({ items, total }: { readonly items: readonly FiringItem[]; readonly total: number }) {
  if (total === 0) return <Sentence tone="green">Nothing is firing.</Sentence>;
  return (
    <section className="stack-tight" aria-labelledby="firing-now">
      <h2 id="firing-now">Firing now ({count(total)})</h2>
      <ul className={classes['list']}>
        {items.map((item) => (
          <Item key={`${item.kind} ${item.subscriptionId ?? item.contractId}`} item={item} />
        ))}
      </ul>
      {total > items.length && (
        <p className="soft">{`${plural(total - items.length, 'more problem')}: see the control tower.`}</p>
      )}
    </section>
  );
}

const pathOf = ({ subscriptionId, contractId }: FiringItem): string => {
  if (subscriptionId !== null) return paths.subscription(subscriptionId);
  return contractId === null ? paths.home() : paths.contract(contractId);
};

/** Describes the problem. */
function stateOf({ kind, rowCount }: FiringItem): string {
  switch (kind) {
    case 'Alert':
      return rowCount === null ? 'Alert' : `Alert with ${plural(rowCount, 'row')}`;
    case 'Contract':
      return 'The data contract fails';
    case 'FailedRun':
      return 'The last run failed';
  }
}

function Item({ item }: { readonly item: FiringItem }) {
  const { canWrite } = useRights();
  const { acknowledgement, snoozedUntil } = item;
  return (
    <li>
      <Mark tone={acknowledgement || snoozedUntil ? 'amber' : 'red'} />
      <span className="grow">
        <Link to={pathOf(item)}>{item.name}</Link>{' '}
        <span className={'soft'}>
          {stateOf(item)} since <Time at={item.since} /> · {item.projectName}
        </span>
        {item.comment !== null && <span className={classes['comment']}>{item.comment}</span>}
        {acknowledgement && (
          <span className={classes['comment']}>
            {`Acknowledged by ${acknowledgement.userName ?? 'a program'}`}
            {acknowledgement.note !== null && `: ${acknowledgement.note}`}
          </span>
        )}
        {snoozedUntil !== null && <Tag>{`Snoozed until ${shortTime(snoozedUntil)}`}</Tag>}
      </span>
      {item.notificationId !== null && (
        <LinkButton to={paths.notification(item.notificationId)}>
          {item.hasRows ? 'See rows' : 'See run'}
        </LinkButton>
      )}
      {canWrite && <MoreActions item={item} />}
    </li>
  );
}

function MoreActions({ item }: { readonly item: FiringItem }) {
  const [isWanted, want] = useState(false);
  const button = (
    <Button
      variant="default"
      px={8}
      aria-label={`Actions for ${item.name}`}
      aria-haspopup="menu"
      onClick={() => want(true)}
    >
      <Icon name="more" />
    </Button>
  );
  if (!isWanted) return button;
  return (
    <LazyPart code={actions} fallback={button} onMissing={() => want(false)}>
      {(FiringActions) => <FiringActions item={item} target={button} />}
    </LazyPart>
  );
}
