import type { LastResult } from '@svc/contract';
import { useMemo } from 'react';
import { plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { Link } from '../../ui/frame/link.tsx';
import { Time } from '../../ui/text/time.tsx';
import { rowsOf } from './cells.ts';
import classes from './kept-result.module.css';
import { ResultGrid } from './later-grid.tsx';

type Props = {
  readonly kept: LastResult;
  /** Version that the query runs now. Null: not known. */
  readonly presentVersion: number | null;
};

/** Last stored result of the query: time, version and origin of its run. */
export function KeptResult({ kept, presentVersion }: Props) {
  const { results, resultCount, versionNumber } = kept;
  const columns = results.columns.map((name) => ({
    name,
    kind: 'text',
    databaseType: '',
    isMasked: false,
    maskedReason: null,
  }));
  const rows = useMemo(() => rowsOf(results), [results]);
  const isOlder = versionNumber !== null && presentVersion !== null && versionNumber !== presentVersion;
  return (
    <section className={classes['kept']} aria-label="Last kept result">
      <p className={classes['about']}>
        <Link to={paths.notification(kept.notificationId)}>Last kept result</Link>
        {', '}
        <Time at={kept.ranAt} />
        {`, ${whoRan(kept)}${versionNumber === null ? '' : `, version ${versionNumber}`}`}
        {isOlder && ' (the query says something else by now)'}
        {`: ${plural(resultCount ?? rows.length, 'row')}`}
        {results.isTruncated && `, of which the first ${rows.length} were kept`}
      </p>
      {rows.length === 0 ? (
        <p className={classes['empty']}>The run answered no rows.</p>
      ) : (
        <ResultGrid
          label="Rows of the last kept result"
          columns={columns}
          rows={rows}
          part={results.isTruncated ? `the first ${plural(rows.length, 'row')} of the run` : undefined}
        />
      )}
    </section>
  );
}

const whoRan = ({ origin, startedByUserName }: LastResult): string =>
  startedByUserName !== null
    ? `run by ${startedByUserName}`
    : origin === 'Schedule'
      ? 'by its schedule'
      : 'run by hand';
