import { useSyncExternalStore } from 'react';

/** What a reader chose; `system` goes with the system's own setting. */
export type ThemeChoice = 'system' | 'light' | 'dark';

const storageKey = 'job-dashboard-theme';
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function readChoice(): ThemeChoice {
  try {
    const kept = localStorage.getItem(storageKey);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';
  }
}

let choice = readChoice();

const present = (): 'light' | 'dark' => (choice === 'system' ? (dark.matches ? 'dark' : 'light') : choice);

function apply(): void {
  const { dataset } = document.documentElement;
  if (choice === 'system') delete dataset['theme'];
  else dataset['theme'] = choice;
  for (const listener of listeners) listener();
}

/** Puts a chosen theme on the page; the system's is followed by the style sheet itself. */
export function startTheme(): void {
  dark.addEventListener('change', apply);
  apply();
}

export function chooseTheme(wanted: ThemeChoice): void {
  choice = wanted;
  try {
    localStorage.setItem(storageKey, wanted);
  } catch {
    // A browser that keeps nothing shows the choice until the page is left.
  }
  apply();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, () => choice);
/** The theme that is seen, for what draws by itself. */
export const useTheme = (): 'light' | 'dark' => useSyncExternalStore(subscribe, present);
