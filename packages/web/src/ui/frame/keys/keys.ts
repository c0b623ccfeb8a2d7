import { useEffect } from 'react';
import { readPreference, savePreference } from '../preference.ts';

/** Keyboard shortcut: one key, or two consecutive keys ("g q"). */
export type Shortcut = {
  readonly keys: string;
  readonly label: string;
  readonly run: () => void;
};

const sequenceMs = 1_200;
const preference = 'single-key-shortcuts';

/**
 * Returns true if single-key shortcuts are on. Users can switch them off, because speech input and typing errors
 * trigger them.
 */
export const areSingleKeysOn = (): boolean => readPreference(preference) !== 'off';
export const setSingleKeys = (isOn: boolean): void => savePreference(preference, isOn ? 'on' : 'off');

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('[role="dialog"]') !== null);

/**
 * Listens for single keys and pairs.
 * @returns a function that stops listening.
 */
export function listenForKeys(shortcuts: () => readonly Shortcut[]): () => void {
  let first: { key: string; at: number } | undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (!areSingleKeysOn() || isTyping(event.target) || event.key.length !== 1) return;
    const pair = first && event.timeStamp - first.at < sequenceMs ? `${first.key} ${event.key}` : undefined;
    first = { key: event.key, at: event.timeStamp };
    const all = shortcuts();
    const match =
      all.find((shortcut) => shortcut.keys === pair) ?? all.find((shortcut) => shortcut.keys === event.key);
    if (!match) return;
    first = undefined;
    event.preventDefault();
    match.run();
  };
  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
}

const ofPages = new Set<readonly Shortcut[]>();

/** Returns the shortcuts of the present page, in addition to the shortcuts of the frame. */
export const pageShortcuts = (): readonly Shortcut[] => [...ofPages].flat();

/** Adds shortcuts while the calling component is mounted. */
export function usePageShortcuts(shortcuts: readonly Shortcut[]): void {
  useEffect(() => {
    ofPages.add(shortcuts);
    return () => void ofPages.delete(shortcuts);
  }, [shortcuts]);
}

/** Moves the focus through the rows of the page's list. */
export function moveInRows(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row-link]')];
  if (rows.length === 0) return;
  const { activeElement } = document;
  const present = activeElement instanceof HTMLElement ? rows.indexOf(activeElement) : -1;
  const next = present === -1 ? (step === 1 ? 0 : rows.length - 1) : present + step;
  rows[Math.max(0, Math.min(rows.length - 1, next))]?.focus();
}

/** Focuses the page's search field. */
export function focusSearch(): void {
  document.querySelector<HTMLInputElement>('[data-search-field]')?.focus();
}
