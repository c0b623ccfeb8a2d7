import { Button } from '@mantine/core';
import type { Page } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { usePollMs } from '../../lib/liveness.ts';
import { Icon } from '../text/icons.tsx';
import type { PageRead } from './list-page.tsx';

type Props<Row> = {
  /** Query of the list's present first row. */
  readonly probe: PageRead<Row>;
  readonly shown: Page<Row>;
  readonly keyOf: (row: Row) => string | number;
  readonly isFirstPage: boolean;
  readonly onShow: () => void;
};

const probeEveryMs = 10_000;

/** Reports newer rows and shows them on request. Rows never shift while a user reads. */
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
