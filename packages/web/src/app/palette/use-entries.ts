import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useRights } from '../../access/use-rights.ts';
import { useGo } from '../../ui/frame/go.ts';
import type { IconName } from '../../ui/text/icons.tsx';
import { themeChoices } from '../../views/look/theme-choices.ts';
import { useTheme } from '../../views/look/use-theme.ts';
import { destinations, open } from '../navigation/navigation.ts';
import { type AnywhereAction, creations, lookups } from './creations.ts';
import { type NamedRecord, namedRecords } from './named-records.ts';
import { usePageActions } from './page-actions.ts';
import { ranked } from './palette-match.ts';
import { recentRecords } from './recent.ts';

export type Entry = {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly aliases?: readonly string[];
  readonly icon: IconName;
  readonly run: () => void;
};

/** Returns the entries that match a text, best first. Without a text: all entries that need no search. */
export function useEntries(text: string, onKeys: () => void, onHelp: () => void): readonly Entry[] {
  const go = useGo();
  const rights = useRights();
  const { pathname } = useLocation();
  const { choose } = useTheme();
  const pageActions = usePageActions();
  const search = text.trim().toLowerCase();
  const records = useQuery(namedRecords(search, rights));
  const recent = useQuery({ ...recentRecords(pathname, rights.canRead), enabled: search === '' });
  const actions: Entry[] = [
    ...pageActions.map((action) => ({
      ...action,
      id: `act ${action.label}`,
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
  const present = new Set(pageActions.map(({ label }) => label));
  const anywhere = (group: string, list: readonly AnywhereAction[]): Entry[] =>
    list
      .filter(({ need, label }) => need.admits(rights) && !present.has(label))
      .map((action) => ({ ...action, id: `anywhere ${action.to}`, group, run: () => open(action, go) }));
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
  if (search === '') return [...actions, ...(recent.data ?? []).map(toEntry), ...lasting];
  // Until the records for this text arrive, the entries include the matching records of the previous text.
  return ranked([...actions, ...lasting, ...(records.data ?? []).map(toEntry)], search);
}
