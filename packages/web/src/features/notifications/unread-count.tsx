import { useQuery } from '@tanstack/react-query';
import { unreadNotices } from '../../requests/notices.ts';
import { Tag } from '../../ui/record/status.tsx';

/** Number of unread notices. Renders nothing for zero. */
export function UnreadCount() {
  const { data } = useQuery(unreadNotices);
  if (!data || data.unreadCount === 0) return null;
  return (
    <Tag>
      <span className="mono">{data.unreadCount}</span>
      <span className="visually-hidden"> unread</span>
    </Tag>
  );
}
