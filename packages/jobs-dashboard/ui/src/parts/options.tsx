import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import classes from './options.module.css';

type Use<Item> = {
  readonly items: readonly Item[];
  readonly onTake: (item: Item) => void;
  /** True to preselect the first option, so that Enter takes it. */
  readonly isFirstChosen?: boolean;
};

/**
 * Keyboard handling for options below a field. Arrow keys select an option, Enter takes it, and the focus remains in
 * the field.
 */
export function useOptions<Item>({ items, onTake, isFirstChosen = false }: Use<Item>) {
  const listId = useId();
  const first = isFirstChosen ? 0 : -1;
  const [at, setAt] = useState(first);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other options are another choice.
  useEffect(() => setAt(first), [items, first]);
  const selected = items[at];
  const step = (by: 1 | -1) =>
    setAt(
      (before) => (before === -1 && by === -1 ? items.length : before + by + items.length) % items.length,
    );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (items.length === 0) return;
    if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp') step(-1);
    else if ((event.key === 'Enter' || event.key === 'Tab') && selected !== undefined && !event.shiftKey)
      onTake(selected);
    else return;
    event.preventDefault();
  };
  return {
    listId,
    at,
    onKeyDown,
    /** ARIA attributes of the field. */
    field: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': items.length > 0,
      'aria-controls': items.length > 0 ? listId : undefined,
      'aria-activedescendant': selected === undefined ? undefined : `${listId}-${at}`,
    } as const,
  };
}

type ListProps<Item> = {
  readonly label: string;
  readonly items: readonly Item[];
  readonly listId: string;
  readonly at: number;
  readonly onTake: (item: Item) => void;
  readonly keyOf: (item: Item) => string;
  readonly children: (item: Item) => ReactNode;
  /** True to show the options as an overlay over the content below the field. */
  readonly isOver?: boolean;
};

/** List of options for `useOptions`. */
export function Options<Item>(props: ListProps<Item>) {
  const { label, items, listId, at, onTake, keyOf, children, isOver = false } = props;
  useEffect(() => {
    document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, at]);
  if (items.length === 0) return null;
  return (
    <div id={listId} role="listbox" aria-label={label} className={classes['list']} data-over={isOver}>
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's, which has the focus.
        <div
          key={keyOf(item)}
          id={`${listId}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          className={classes['option']}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(item)}
        >
          {children(item)}
        </div>
      ))}
    </div>
  );
}
