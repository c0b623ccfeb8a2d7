import { Button } from '@mantine/core';
import type { Page } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { usePollMs } from '../../lib/liveness.ts';
import { Icon } from '../text/icons.tsx';
import type { PageRead } from './list-page.tsx';

type Props<Row> = {
  /** The first row of the list as it is now. */
  readonly probe: PageRead<Row>;
  readonly shown: Page<Row>;
  readonly keyOf: (row: Row) => string | number;
  readonly isFirstPage: boolean;
  readonly onShow: () => void;
};

const probeEveryMs = 10_000;

/** Says that newer rows exist, and shows them when asked: rows never move under the reader's hand. */
export function NewerBadge<Row>({ probe, shown, keyOf, isFirstPage, onShow }: Props<Row>) {
  const { data } = useQuery({ ...probe, refetchInterval: usePollMs(probeEveryMs) });
  const newest = data?.items[0];
  const first = shown.items[0];
  const isNewer = newest !== undefined && isFirstPage && (!first || keyOf(newest) !== keyOf(first));
  const more = (data?.totalCount ?? 0) - shown.totalCount;
  return (
    <span role="status">
      {isNewer && (
        <Button leftSection={<Icon name="up" />} onClick={onShow}>
          {more > 0 ? `${more} newer` : 'Newer rows'}
        </Button>
      )}
    </span>
  );
}
