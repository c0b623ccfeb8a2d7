import { useEffect, useMemo, useRef, useState } from 'react';
import { hrefOf, useGo } from '../lib/address.ts';
import { recentSearches } from '../lib/recent-searches.ts';
import { states, stateWord } from '../lib/states.ts';
import { fieldClass } from '../parts/controls.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Options, useOptions } from '../parts/options.tsx';
import type { NavigationItem } from './navigation.ts';

/** Destination of the palette. */
type Place = { readonly name: string; readonly kind: string; readonly href: string };

function placesOf(pages: readonly NavigationItem[]): readonly Place[] {
  return [
    ...pages.map(({ name, path }) => ({ name, kind: 'Page', href: hrefOf(path) })),
    ...recentSearches().map((q) => ({ name: q, kind: 'Recent search', href: hrefOf('/jobs', { q }) })),
    ...states.map((state) => ({
      name: `${stateWord[state]} jobs`,
      kind: 'State',
      href: hrefOf('/jobs', { state }),
    })),
  ];
}

/** Returns the destinations whose name contains every word of the text, and a search for the text. */
function matchesOf(places: readonly Place[], text: string): readonly Place[] {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  const named = places.filter(({ name }) => terms.every((term) => name.toLowerCase().includes(term)));
  const q = text.trim();
  return q === '' ? named : [...named, { name: q, kind: 'Search jobs', href: hrefOf('/jobs', { q }) }];
}

type Props = { readonly pages: readonly NavigationItem[]; readonly onClose: () => void };

/** Dialog that opens a page, a state or a search by a few letters. */
export function Palette({ pages, onClose }: Props) {
  const go = useGo();
  const [text, setText] = useState('');
  const places = useMemo(() => placesOf(pages), [pages]);
  const items = useMemo(() => matchesOf(places, text), [places, text]);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const take = ({ href }: Place) => {
    onClose();
    go(href);
  };
  const options = useOptions({ items, onTake: take, isFirstChosen: true });
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        ref={field}
        className={fieldClass}
        aria-label="Page, state or search"
        placeholder="Page, state or search"
        spellCheck={false}
        autoComplete="off"
        value={text}
        {...options.field}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={options.onKeyDown}
      />
      <Options
        label="Places"
        items={items}
        listId={options.listId}
        at={options.at}
        onTake={take}
        keyOf={({ kind, name }) => `${kind} ${name}`}
      >
        {({ name, kind }) => (
          <>
            <span className="grow truncate">{name}</span>
            <span className="soft">{kind}</span>
          </>
        )}
      </Options>
    </Dialog>
  );
}
