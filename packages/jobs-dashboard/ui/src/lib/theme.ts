import { useSyncExternalStore } from 'react';

/** Theme selected by the user; `system` follows the system setting. */
export type ThemeChoice = 'system' | 'light' | 'dark';

const storageKey = 'job-dashboard-theme';
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function readChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
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

/** Applies the selected theme to the page. The style sheet follows the system theme without code. */
export function startTheme(): void {
  dark.addEventListener('change', apply);
  apply();
}

export function chooseTheme(newChoice: ThemeChoice): void {
  choice = newChoice;
  try {
    localStorage.setItem(storageKey, newChoice);
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
/** Returns the visible theme, for components that draw their own content. */
export const useTheme = (): 'light' | 'dark' => useSyncExternalStore(subscribe, present);
