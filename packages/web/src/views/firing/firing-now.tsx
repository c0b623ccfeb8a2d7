import type { FiringItem } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { count, plural, shortTime } from '../../lib/format.ts';
import { usePollMs } from '../../lib/liveness.ts';
import { paths } from '../../lib/paths.ts';
import { firing } from '../../requests/firing.ts';
import { LazyPart, later } from '../../ui/feedback/lazy-part.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { Mark, Sentence, Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import classes from './firing-now.module.css';

const everyMs = 15_000;
const listed = 10;
/** Menu and dialogs: loaded when something is firing. */
const actions = later(async () => (await import('./firing-actions.tsx')).FiringActions);

type Props = {
  readonly isEnabled: boolean;
  /** Drawn when the list is loaded, so that it does not move. */
  readonly children?: ReactNode;
};

/** Problems that exist now, with their rows, an acknowledgement and a snooze one click away. */
export function FiringNow({ isEnabled, children }: Props) {
  const { data, isPending, isLoadingError, error, refetch } = useQuery({
    ...firing({ pageSize: String(listed) }),
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

/** What happens, in a few words. */
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
      <span className={`grow ${classes['text']}`}>
        <Link to={pathOf(item)}>{item.name}</Link>{' '}
        <span className={classes['detail']}>
          {stateOf(item)} since <Time at={item.since} /> · {item.projectName}
        </span>
        {item.comment !== null && <span className={classes['line']}>{item.comment}</span>}
        {acknowledgement && (
          <span className={classes['line']}>
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
      {canWrite && (
        <LazyPart code={actions} onMissing={() => undefined}>
          {(FiringActions) => <FiringActions item={item} />}
        </LazyPart>
      )}
    </li>
  );
}
