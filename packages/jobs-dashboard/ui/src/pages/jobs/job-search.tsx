import { useCallback, useEffect, useMemo } from 'react';
import { useAddress } from '../../lib/address.ts';
import { keepSearch } from '../../lib/recent-searches.ts';
import { useOverview } from '../../lib/requests.ts';
import { readSearch, suggestionsFor } from '../../lib/search.ts';
import { Facts } from '../../parts/page.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import classes from '../list.module.css';
import { narrowing } from './job-filter.ts';

const help = [
  ['ship', 'part of the name; a whole id or its first 8 digits'],
  ['id:0192', 'the first digits of the id'],
  ['tag:vip', 'a tag; tag:region:eu for one with a value, also of the metadata'],
  ['order.id=42', 'a member of the payload and its value; items.sku=b looks into lists'],
  ['order.note=', 'a member of the payload that is there'],
  ['queue:mail', 'the queue'],
  ['since:2h', 'created in the last 2 hours; also 30m, 7d, 2026-03-01'],
  ['before:1d', 'created before that'],
] as const;

/** Time without a change after which a search counts as meant and is stored. */
const meantMs = 1_500;

type Props = {
  /** Time at which the page was opened. Relative times of the search refer to it. */
  readonly openedAt: number;
};

/** Search of the list, the other filters of the URL, and an explanation of the search. */
export function JobSearch({ openedAt }: Props) {
  const { query, setQuery } = useAddress();
  const text = query['q'] ?? '';
  const { mistakes } = useMemo(() => readSearch(text, openedAt), [text, openedAt]);
  const queues = useOverview().data?.queues;
  const suggest = useCallback(
    (typed: string) => suggestionsFor(typed, queues?.map(({ name }) => name) ?? []),
    [queues],
  );
  // Stores a search only after it was unchanged for some time, not while the user types.
  useEffect(() => {
    if (text === '' || mistakes.length > 0) return;
    const timer = window.setTimeout(() => keepSearch(text), meantMs);
    return () => window.clearTimeout(timer);
  }, [text, mistakes]);
  const search = useCallback((q: string) => setQuery({ q }, { replace: true }), [setQuery]);
  return (
    <>
      <div className={classes['tools']}>
        <SearchField
          label="Search jobs"
          placeholder="Name, id, tag:vip, order.id=42, since:2h"
          value={text}
          suggest={suggest}
          mistakes={mistakes}
          className={classes['search']}
          onChange={search}
        />
        <Filters />
      </div>
      <details className={classes['help']}>
        <summary>What can be searched</summary>
        <Facts facts={help.map(([example, explanation]) => [example, explanation])} />
      </details>
    </>
  );
}

/** Filters of the URL in addition to state and search, each with a button that removes it. */
function Filters() {
  const { query, setQuery } = useAddress();
  return Object.entries(narrowing).map(([name, label]) =>
    query[name] === undefined ? null : (
      <span key={name} className={classes['chip']}>
        {label}: <span className="mono">{query[name]}</span>
        <button type="button" aria-label={`Without ${label}`} onClick={() => setQuery({ [name]: '' })}>
          ×
        </button>
      </span>
    ),
  );
}
