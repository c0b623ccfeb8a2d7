import { useQuery } from '@tanstack/react-query';
import { Tag } from '../../ui/record/status.tsx';
import { waitingChanges } from './requests/changes.ts';

/** Number of requests that wait for a decision. Renders no badge for zero. */
export function WaitingCount() {
  const { data } = useQuery(waitingChanges);
  if (!data || data.totalCount === 0) return null;
  return (
    <Tag>
      <span className="mono">{data.totalCount}</span>
      <span className="visually-hidden"> waiting</span>
    </Tag>
  );
}
