import { useId, useState } from 'react';
import { plural } from '../../lib/format.ts';
import { Icon } from '../../ui/text/icons.tsx';
import classes from './palette.module.css';
import { type Entry, useEntries } from './use-entries.ts';

type Props = {
  readonly onClose: () => void;
  readonly onKeys: () => void;
  readonly onHelp: () => void;
};

const label = 'Search pages, queries, subscriptions, recipients, data sources or commands';

/** Search field of the palette, with the list of its entries. */
export function Search({ onClose, onKeys, onHelp }: Props) {
  const [text, setText] = useState('');
  const [selectedId, setSelectedId] = useState<string>();
  const listId = useId();
  const entries = useEntries(text, onKeys, onHelp);
  // The selection is an id and not an index, because entries that arrive later may come first. Default: the first
  // entry.
  const present = Math.max(
    0,
    entries.findIndex((entry) => entry.id === selectedId),
  );
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'ArrowDown') setSelectedId(entries[Math.min(entries.length - 1, present + 1)]?.id);
    else if (event.key === 'ArrowUp') setSelectedId(entries[Math.max(0, present - 1)]?.id);
    else if (event.key === 'Enter') choose(entries[present]);
    else return;
    event.preventDefault();
  };
  return (
    <div className={classes['inside']}>
      <div className={classes['field']}>
        <Icon name="search" />
        <input
          // Escape closes the palette but not the dialog below it.
          data-mantine-stop-propagation="true"
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={entries[present] ? `${listId}-${present}` : undefined}
          aria-label={label}
          placeholder={label}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setSelectedId(undefined);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={listId} role="listbox" aria-label="Results" className={classes['list']}>
        {entries.map((entry, at) => (
          <div key={entry.id} role="presentation">
            {entry.group !== entries[at - 1]?.group && (
              <div className={classes['group']} role="presentation">
                {entry.group}
              </div>
            )}
            <Option
              id={`${listId}-${at}`}
              entry={entry}
              isSelected={at === present}
              onSelect={() => setSelectedId(entry.id)}
              onChoose={() => choose(entry)}
            />
          </div>
        ))}
      </div>
      {entries.length === 0 && <p className={classes['none']}>No matches.</p>}
      <span role="status" className="visually-hidden">
        {plural(entries.length, 'result')}
      </span>
    </div>
  );
}

type OptionProps = {
  readonly id: string;
  readonly entry: Entry;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly onChoose: () => void;
};

function Option({ id, entry, isSelected, onSelect, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys act on the field, which names this option as active
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      className={classes['entry']}
      ref={isSelected ? (node) => node?.scrollIntoView({ block: 'nearest' }) : undefined}
      onMouseMove={onSelect}
      onClick={onChoose}
    >
      <Icon name={entry.icon} />
      <span className="grow truncate">{entry.label}</span>
      {entry.hint !== undefined && <span className="soft truncate">{entry.hint}</span>}
    </div>
  );
}
