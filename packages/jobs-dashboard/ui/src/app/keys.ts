import { useEffect } from 'react';
import { hrefOf, useGo } from '../lib/address.ts';
import type { NavigationItem } from './navigation.ts';

const secondKeyMs = 1_500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));

/** Moves the focus to the link of the next or previous row. */
function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row-link]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (step === 1 ? 0 : rows.length - 1) : at + step;
  rows[next]?.focus();
}

/** Global keys: `g` and a letter, `/`, `j`, `k`, `?`, and Ctrl or Cmd with `k`. */
export function useKeys(
  items: readonly NavigationItem[],
  { showKeys, showPalette }: { readonly showKeys: () => void; readonly showPalette: () => void },
): void {
  const go = useGo();
  useEffect(() => {
    let beganAt = Number.NEGATIVE_INFINITY;
    // Time of the key press, not of its handling by a busy page.
    let pressedAt = beganAt;
    const acts: Readonly<Record<string, () => void>> = {
      g: () => {
        beganAt = pressedAt;
      },
      '/': () => document.querySelector<HTMLElement>('[data-search-field]')?.focus(),
      j: () => moveRow(1),
      k: () => moveRow(-1),
      '?': showKeys,
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]')) return;
      pressedAt = event.timeStamp;
      const isSecond = pressedAt - beganAt < secondKeyMs;
      beganAt = Number.NEGATIVE_INFINITY;
      const item = isSecond ? items.find(({ key }) => key === event.key) : undefined;
      const act = item ? () => go(hrefOf(item.path)) : acts[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [items, go, showKeys]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isCommand || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      if (!document.querySelector('dialog[open]')) showPalette();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [showPalette]);
}
