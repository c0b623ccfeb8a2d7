import { ActionIcon } from '@mantine/core';
import { count } from '../../lib/format.ts';
import { Icon } from '../text/icons.tsx';

type Props = {
  /** The page asked for, zero-based; those before and after it can be gone to. */
  readonly page: number;
  /** The page whose rows are on the screen, zero-based; differs while the one asked for is on its way. */
  readonly shownPage: number;
  readonly shownPageSize: number;
  readonly pageCount: number;
  readonly totalCount: number;
  readonly onPage: (page: number) => void;
};

/** Which rows of how many, and the way to the others. */
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
