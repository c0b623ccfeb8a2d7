import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { useRights } from '../access/use-rights.ts';
import { plural } from '../lib/format.ts';
import { useFocusBack } from '../ui/form/focus-back.ts';
import { useGo } from '../ui/frame/go.ts';
import { Icon, type IconName } from '../ui/text/icons.tsx';
import { themeChoices } from '../views/look/theme-choices.ts';
import { useTheme } from '../views/look/use-theme.ts';
import { destinations, open } from './navigation.ts';
import { paletteLabel, usePageActs } from './page-acts.ts';
import classes from './palette.module.css';
import { type AnywhereAct, creations, lookups } from './palette-acts.ts';
import { ranked } from './palette-match.ts';
import { type NamedRecord, namedRecords } from './palette-records.ts';
import { recentRecords } from './recent.ts';

type Entry = {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly aliases?: readonly string[];
  readonly icon: IconName;
  readonly run: () => void;
};

type Props = {
  readonly onClose: () => void;
  readonly onKeys: () => void;
  readonly onHelp: () => void;
};

/**
 * Command palette: reaches every page, every record by name and every action of the present page. It uses the browser's
 * own dialog. The dialog's code is small enough to load with the frame, so its field has the focus before the next key
 * press.
 */
export function Palette({ onClose, onKeys, onHelp }: Props) {
  const id = useId();
  useFocusBack(id);
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  // The page cannot be used while the dialog is open, so a choice closes the dialog before it runs.
  const close = () => dialog.current?.close();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by key
    <dialog
      ref={dialog}
      id={id}
      aria-label={paletteLabel}
      className={classes['palette']}
      onClose={onClose}
      onClick={(event) => {
        // Only a click on the backdrop has the dialog as its target, because its content covers the rest.
        if (event.target === dialog.current) close();
      }}
    >
      <Search onClose={close} onKeys={onKeys} onHelp={onHelp} />
    </dialog>
  );
}

function Search({ onClose, onKeys, onHelp }: Props) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string>();
  const listId = useId();
  const entries = useEntries(text, onKeys, onHelp);
  // The selection is an id and not an index, because entries that arrive later may come first. Default: the first
  // entry.
  const present = Math.max(
    0,
    entries.findIndex((entry) => entry.id === chosen),
  );
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'ArrowDown') setChosen(entries[Math.min(entries.length - 1, present + 1)]?.id);
    else if (event.key === 'ArrowUp') setChosen(entries[Math.max(0, present - 1)]?.id);
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
          aria-label="Search pages, queries, subscriptions, recipients, data sources or commands"
          placeholder="Search pages, queries, subscriptions, recipients, data sources or commands"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setChosen(undefined);
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
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys act on the field, which names this option as active */}
            <div
              id={`${listId}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === present}
              className={classes['entry']}
              ref={at === present ? (node) => node?.scrollIntoView({ block: 'nearest' }) : undefined}
              onMouseMove={() => setChosen(entry.id)}
              onClick={() => choose(entry)}
            >
              <Icon name={entry.icon} />
              <span className="grow truncate">{entry.label}</span>
              {entry.hint !== undefined && <span className="soft truncate">{entry.hint}</span>}
            </div>
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

function useEntries(text: string, onKeys: () => void, onHelp: () => void): readonly Entry[] {
  const go = useGo();
  const rights = useRights();
  const { pathname } = useLocation();
  const { choose } = useTheme();
  const offered = usePageActs();
  const wanted = text.trim().toLowerCase();
  const records = useQuery(namedRecords(wanted, rights));
  const recent = useQuery({ ...recentRecords(pathname, rights.canRead), enabled: wanted === '' });
  const acts: Entry[] = [
    ...offered.map((act) => ({
      ...act,
      id: `act ${act.label}`,
      group: 'On this page',
      icon: 'run' as const,
    })),
    {
      id: 'help',
      group: 'On this page',
      label: 'Help',
      hint: '?',
      icon: 'help',
      aliases: ['documentation docs manual guide how to'],
      run: onHelp,
    },
    {
      id: 'keys',
      group: 'On this page',
      label: 'Keyboard shortcuts',
      icon: 'about',
      aliases: ['keyboard shortcuts'],
      run: onKeys,
    },
  ];
  const present = new Set(offered.map(({ label }) => label));
  const anywhere = (group: string, list: readonly AnywhereAct[]): Entry[] =>
    list
      .filter(({ need, label }) => need.admits(rights) && !present.has(label))
      .map((act) => ({ ...act, id: `anywhere ${act.to}`, group, run: () => open(act, go) }));
  const pages: Entry[] = destinations
    .filter((destination) => destination.need.admits(rights))
    .map((destination) => ({
      id: `page ${destination.to}`,
      group: 'Pages',
      label: destination.label,
      icon: destination.icon,
      hint: destination.key === undefined ? undefined : `g ${destination.key}`,
      run: () => open(destination, go),
    }));
  const themes: Entry[] = themeChoices.map(({ value, label, icon }) => ({
    id: `theme ${value}`,
    group: 'Theme',
    label: `Theme: ${label.toLowerCase()}`,
    aliases: ['colours colors mode appearance'],
    icon,
    run: () => choose(value),
  }));
  const toEntry = (record: NamedRecord): Entry => ({ ...record, run: () => go(record.to) });
  const lasting = [...pages, ...anywhere('Create', creations), ...themes, ...anywhere('Help', lookups)];
  if (wanted === '') return [...acts, ...(recent.data ?? []).map(toEntry), ...lasting];
  // Until the records for this text arrive, the entries include the matching records of the previous text.
  return ranked([...acts, ...lasting, ...(records.data ?? []).map(toEntry)], wanted);
}
