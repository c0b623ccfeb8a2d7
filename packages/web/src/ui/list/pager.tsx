import { ActionIcon } from '@mantine/core';
import { count } from '../../lib/format.ts';
import { Icon } from '../icons.tsx';

type Props = {
  /** Zero-based. */
  readonly page: number;
  readonly pageCount: number;
  readonly totalCount: number;
  readonly pageSize: number;
  readonly onPage: (page: number) => void;
};

/** Which rows of how many, and the way to the others. */
export function Pager({ page, pageCount, totalCount, pageSize, onPage }: Props) {
  if (pageCount < 2) return null;
  const first = page * pageSize + 1;
  const last = Math.min(totalCount, first + pageSize - 1);
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
