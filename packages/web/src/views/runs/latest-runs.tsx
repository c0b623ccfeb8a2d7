import { recentMax } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../lib/paths.ts';
import { notifications } from '../../requests/notifications.ts';
import { recentRuns } from '../../requests/runs/recent-runs.ts';
import { Link } from '../../ui/frame/link.tsx';
import classes from './latest-runs.module.css';
import { QueryRibbon, SubscriptionRibbon } from './ribbon.tsx';

/** Results of a query's latest runs, for the facts of a page. */
export function LatestQueryRuns({ queryId }: { readonly queryId: number }) {
  const { data } = useQuery(notifications({ queryId, pageSize: String(recentMax) }));
  return (
    <div className={classes['latest']}>
      {data && data.totalCount > 0 && <QueryRibbon runs={data.items} />}
      {data && <AllRuns to={paths.notifications({ queryId })} isAny={data.totalCount > 0} />}
    </div>
  );
}

type Props = { readonly subscriptionId: number; readonly presentId?: number };

/** Results of a subscription's latest runs. The run of the page is marked. */
export function LatestSubscriptionRuns({ subscriptionId, presentId }: Props) {
  const { data } = useQuery(recentRuns(subscriptionId));
  return (
    <div className={classes['latest']}>
      {data && data.length > 0 && <SubscriptionRibbon runs={data} presentId={presentId} />}
      {data && <AllRuns to={paths.notifications({ subscriptionId })} isAny={data.length > 0} />}
    </div>
  );
}

const AllRuns = ({ to, isAny }: { readonly to: string; readonly isAny: boolean }) =>
  isAny ? <Link to={to}>All runs</Link> : <span className="soft">None yet</span>;
