import type { KeyboardEvent, RefObject } from 'react';
import { plural } from '../../lib/format.ts';
import { addressOf, stayIn } from './help-article.tsx';
import classes from './help-drawer.module.css';
import type { HelpHit } from './search-help.ts';

type Props = {
  /** List element, so that the search field can move the focus into the list. */
  readonly list: RefObject<HTMLUListElement | null>;
  readonly hits: readonly HelpHit[];
  readonly search: string;
  readonly onOpen: (page: string, anchor: string) => void;
};

/** Search results, best first. Arrow keys move between them. */
export function HelpHits({ list, hits, search, onOpen }: Props) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const links: (Element | null)[] = [...event.currentTarget.querySelectorAll('a')];
    const present = links.indexOf(document.activeElement);
    const next = links[Math.max(0, Math.min(links.length - 1, present + step))];
    if (next instanceof HTMLElement) next.focus();
  };
  return (
    <>
      <span role="status" className="visually-hidden">
        {plural(hits.length, 'result')}
      </span>
      {hits.length === 0 ? (
        <p className={classes['none']}>
          Nothing is written about “{search}”. Try fewer or other words, or look through all pages.
        </p>
      ) : (
        <ul ref={list} className={classes['hits']} aria-label="Results" onKeyDown={onKeyDown}>
          {hits.map(({ id, page, anchor, title, heading, excerpt }) => (
            <li key={id}>
              <a
                href={addressOf(page, anchor)}
                onClick={(event) => stayIn(event, () => onOpen(page, anchor))}
              >
                <strong>{heading}</strong>
                {heading !== title && <span className="soft"> · {title}</span>}
                <span className={classes['excerpt']}>{excerpt}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
