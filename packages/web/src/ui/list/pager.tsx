import { ActionIcon } from '@mantine/core';
import { count } from '../../lib/format.ts';
import { Icon } from '../text/icons.tsx';

type Props = {
  /** Requested page, zero-based. Previous and next are relative to it. */
  readonly page: number;
  /** Page of the visible rows, zero-based. It differs from `page` while the requested page loads. */
  readonly shownPage: number;
  readonly shownPageSize: number;
  readonly pageCount: number;
  readonly totalCount: number;
  readonly onPage: (page: number) => void;
};

/** Range of the visible rows and the total, with links to other pages. */
export function Pager({ page, shownPage, shownPageSize, pageCount, totalCount, onPage }: Props) {
  if (pageCount < 2) return null;
  const first = shownPage * shownPageSize + 1;
  const last = Math.min(totalCount, first + shownPageSize - 1);
  return (
    <nav className="row" aria-label="Pages" style={{ justifyContent: 'flex-end' }}>
      <span className="soft mono">
        {count(first)}–{count(last)} of {count(totalCount)}
      </span>
      <ActionIcon aria-label="Previous page" disabled={page === 0} onClick={() => onPage(page - 1)}>
        <Icon name="left" />
      </ActionIcon>
      <ActionIcon aria-label="Next page" disabled={page + 1 >= pageCount} onClick={() => onPage(page + 1)}>
        <Icon name="right" />
      </ActionIcon>
    </nav>
  );
}
