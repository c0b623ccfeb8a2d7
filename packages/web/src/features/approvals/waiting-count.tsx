import { useQuery } from '@tanstack/react-query';
import { Tag } from '../../ui/record/status.tsx';
import { waitingChanges } from './requests/changes.ts';

/** How many requests wait for a decision; nothing while there is none. */
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
